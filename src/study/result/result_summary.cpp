#include "alembert/study/result/result_summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "study/result/json_file.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Half of the 95 % interval of a normal distribution over its standard deviation.
constexpr double kNormalQuantile = 1.959963984540054;

// Entries that are absent or of another type are those of an older version or of another task:
// nothing is known of them.
class ResultEntry {
 public:
  explicit ResultEntry(const json& value) : value_(&value) {}

  [[nodiscard]] ResultEntry at(const std::string& key) const { return ResultEntry(find(key)); }
  [[nodiscard]] double number(const std::string& key) const {
    const json& value = find(key);
    return value.is_number() ? value.get<double>() : kNone;
  }
  [[nodiscard]] std::string text(const std::string& key) const {
    const json& value = find(key);
    return value.is_string() ? value.get<std::string>() : std::string();
  }
  [[nodiscard]] std::vector<ResultEntry> items(const std::string& key) const {
    std::vector<ResultEntry> list;
    const json& found = find(key);
    if (!found.is_array()) return list;
    list.reserve(found.size());
    for (const json& item : found) list.emplace_back(item);
    return list;
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const {
    std::vector<std::string> list;
    for (const ResultEntry& item : items(key)) {
      if (item.value_->is_string()) list.push_back(item.value_->get<std::string>());
    }
    return list;
  }
  [[nodiscard]] bool is_object() const { return value_->is_object(); }
  [[nodiscard]] const json& value() const { return *value_; }

 private:
  [[nodiscard]] const json& find(const std::string& key) const {
    static const json none;
    if (!value_->is_object()) return none;
    const auto found = value_->find(key);
    return found == value_->end() ? none : *found;
  }

  const json* value_;
};

double margin_of(double deviation) { return kNormalQuantile * deviation; }

Verdict summary_verdict(const ResultEntry& result) {
  Verdict verdict{.reasons = result.at("verdict").texts("reasons"),
                  .advice = result.at("verdict").texts("advice")};
  verdict.level =
      enum_named<TrustLevel>(result.at("verdict").text("level")).value_or(TrustLevel::Good);
  return verdict;
}

void add_quantity(ResultSummary& summary, std::string name, std::string unit, double value,
                  double margin) {
  if (std::isfinite(value)) {
    summary.quantities.push_back({std::move(name), std::move(unit), value, margin});
  }
}

// "k" alone, or "k, record 2" where there are several.
std::string numbered(const std::string& name, const char* what, std::size_t number,
                     std::size_t count) {
  return count < 2 ? name : fmt::format("{}, {} {}", name, what, number + 1);
}

void summarise_modes(const std::vector<ResultEntry>& list, const char* frequency,
                     ResultSummary& summary) {
  for (const ResultEntry& mode : list) {
    const double frequency_hz = mode.number(frequency);
    if (!std::isfinite(frequency_hz)) continue;
    summary.modes.push_back({frequency_hz, margin_of(mode.number("frequency_deviation")),
                             mode.number("damping_ratio"),
                             margin_of(mode.number("damping_deviation"))});
  }
}

void summarise_fits(const ResultEntry& result, ResultSummary& summary) {
  for (const ResultEntry& output : result.items("outputs")) {
    summary.fits.push_back({output.text("name"), output.text("unit"), output.number("fit"),
                            output.number("residual_rms")});
  }
}

// Parameters of equations: fixed ones have a margin of 0.
void summarise_parameters(const std::vector<ResultEntry>& list, ResultSummary& summary) {
  for (const ResultEntry& parameter : list) {
    const bool fixed = parameter.text("role") == "fixed";
    add_quantity(summary, parameter.text("name"), parameter.text("unit"), parameter.number("value"),
                 fixed ? 0.0 : parameter.number("margin"));
  }
}

void summarise_acceleration(const ResultEntry& result, ResultSummary& summary) {
  const std::vector<ResultEntry> records = result.items("records");
  for (std::size_t r = 0; r < records.size(); ++r) {
    for (const ResultEntry& parameter : records[r].items("parameters")) {
      const bool refined = parameter.at("refined").is_object();
      const ResultEntry found = parameter.at(refined ? "refined" : "regression");
      add_quantity(summary, numbered(parameter.text("name"), "record", r, records.size()), "",
                   found.number("value"), margin_of(found.number("deviation")));
    }
    summary.fits.push_back({numbered("acceleration", "record", r, records.size()), "m/s^2", kNone,
                            records[r].at("refinement").number("residual")});
  }
}

void summarise_identification(const ResultEntry& result, ResultSummary& summary) {
  if (summary.method == "acceleration") return summarise_acceleration(result, summary);
  summarise_fits(result, summary);
  if (summary.method == "modes") {
    return summarise_modes(result.items("modes"), "frequency_hz", summary);
  }
  if (summary.method == "output-error") {
    return summarise_parameters(result.items("parameters"), summary);
  }
  for (const ResultEntry& unknown : result.items("unknowns")) {
    add_quantity(summary, unknown.text("name"), "", unknown.number("value"),
                 margin_of(unknown.number("deviation")));
  }
  summarise_modes(result.at("model").items("modes"), "frequency_hz", summary);
}

void summarise_observation(const ResultEntry& result, ResultSummary& summary) {
  for (const ResultEntry& level : result.at("observer").items("fitted")) {
    // The deviation is one of the logarithm.
    add_quantity(summary, level.text("name"), "", level.number("value"),
                 margin_of(level.number("log_deviation")) * level.number("value"));
  }
  for (const ResultEntry& state : result.items("states")) {
    add_quantity(summary, "mean deviation of " + state.text("name"), state.text("unit"),
                 state.number("mean_deviation"), kNone);
  }
  for (const ResultEntry& state : result.at("truth").items("states")) {
    add_quantity(summary, "rms error of " + state.text("name"), state.text("unit"),
                 state.number("rms"), kNone);
  }
  for (const ResultEntry& sensor : result.items("sensors")) {
    summary.fits.push_back(
        {sensor.text("name"), sensor.text("unit"), kNone, sensor.number("innovation_rms")});
  }
}

void summarise_monte_carlo(const ResultEntry& result, ResultSummary& summary) {
  const std::vector<ResultEntry> points = result.items("points");
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto named = [&](const std::string& name) {
      return numbered(name, "point", p, points.size());
    };
    for (const ResultEntry& one : points[p].items("parameters")) {
      add_quantity(summary, named(one.text("name")), one.text("unit"), one.number("mean"),
                   margin_of(one.number("bias_deviation")));
    }
    const ResultEntry errors = points[p].at("errors");
    for (const char* key : {"mass", "damping", "stiffness", "frequencies", "damping_ratios"}) {
      add_quantity(summary, named(fmt::format("median error of {}", key)), "",
                   errors.at(key).number("median"), kNone);
    }
  }
}

void summarise_simulation(const ResultEntry& result, ResultSummary& summary) {
  const std::vector<ResultEntry> experiments = result.items("experiments");
  for (std::size_t e = 0; e < experiments.size(); ++e) {
    for (const ResultEntry& channel : experiments[e].at("record").items("channels")) {
      add_quantity(summary,
                   numbered("rms of " + channel.text("name"), "experiment", e, experiments.size()),
                   channel.text("unit"), channel.number("rms"), kNone);
    }
  }
  summarise_modes(result.at("model").items("modes"), "frequency_hz", summary);
}

void summarise_claims(const ResultEntry& result, ResultSummary& summary) {
  for (const ResultEntry& claim : result.items("claims")) {
    add_quantity(summary, claim.text("name"), claim.text("unit"), claim.number("measured"), kNone);
  }
}

void summarise_numbers(const ResultEntry& result, ResultSummary& summary) {
  if (summary.task == "identify") return summarise_identification(result, summary);
  if (summary.task == "observe") return summarise_observation(result, summary);
  if (summary.task == "monte-carlo") return summarise_monte_carlo(result, summary);
  if (summary.task == "simulate") return summarise_simulation(result, summary);
  if (summary.task == "reproduce") return summarise_claims(result, summary);
  if (summary.task == "reduce") summarise_modes(result.items("modes"), "reduced_hz", summary);
}

void summarise_sources(const ResultEntry& result, ResultSummary& summary) {
  for (const char* list : {"experiments", "records"}) {
    for (const ResultEntry& one : result.items(list)) {
      if (!one.text("source").empty()) summary.sources.push_back(one.text("source"));
    }
  }
  const std::string source = result.at("record").text("source");
  if (!source.empty()) summary.sources.push_back(source);
}

// Tables become dotted keys, as --set takes them.
void summarise_settings(const json& value, const std::string& key, ResultSummary& summary) {
  if (value.is_object()) {
    for (const auto& item : value.items()) {
      summarise_settings(item.value(), key.empty() ? item.key() : key + "." + item.key(), summary);
    }
  } else if (!value.is_null()) {
    summary.settings.emplace_back(key, value.dump());
  }
}

// A plain name of a file beside result.json; nothing else is opened.
std::string signals_file(const ResultEntry& result, const fs::path& folder) {
  std::vector<std::string> names;
  for (const ResultEntry& one : result.items("experiments")) {
    names.push_back(one.at("prediction").text("file"));
  }
  for (const ResultEntry& one : result.items("records")) {
    names.push_back(one.at("motion").text("file"));
  }
  names.push_back(result.at("estimates").text("file"));
  for (const std::string& name : names) {
    std::error_code code;
    const bool plain = !name.empty() && fs::path(name).filename() == fs::path(name);
    if (plain && fs::is_regular_file(folder / name, code)) return name;
  }
  return "";
}

// The folder, whichever of its files is named.
fs::path result_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) ? path.parent_path() : path;
}

}  // namespace

ResultSummary read_result_summary(const fs::path& folder) {
  const fs::path place = result_folder(folder);
  const fs::path file = place / "result.json";
  std::error_code code;
  if (!fs::is_regular_file(file, code)) {
    throw DataError({.file = folder.string()}, "holds no result.json: not a folder of a result");
  }
  const json content = read_json(file);
  if (content.is_discarded() || !is_our_result(content)) {
    throw DataError({.file = file.string()}, "is no result of Alembert");
  }
  const ResultEntry result(content);
  ResultSummary summary{.folder = place,
                        .version = result.text("version"),
                        .task = result.text("task"),
                        .method = result.text("method"),
                        .title = result.text("title"),
                        .status = result.text("status"),
                        .verdict = summary_verdict(result)};
  summarise_numbers(result, summary);
  summarise_sources(result, summary);
  summarise_settings(result.at("settings").value(), "", summary);
  summary.signals = signals_file(result, place);
  return summary;
}

std::optional<signal::Record> read_result_signals(const ResultSummary& result) {
  if (result.signals.empty()) return std::nullopt;
  return io::read_record(result.folder / result.signals);
}

}  // namespace alembert::study
