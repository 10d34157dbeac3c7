#include "study/templates/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "alembert/core/text.hpp"
#include "alembert/signal/condition.hpp"
#include "alembert/study/detail/toml.hpp"
#include "study/schema/key_words.hpp"
#include "study/schema/wrap.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kTemplateWidth = 100;
constexpr std::size_t kCommentColumn = 40;
constexpr double kNearGrid = 0.3;       // of a step
constexpr Eigen::Index kSmallPart = 4;  // a quarter

std::string with_unit(const KeySpec& key) {
  const bool plain =
      key.unit.empty() || key.unit == "model" || key.unit == "input" || key.unit == "sensor";
  return plain ? key.help : key.unit + "; " + key.help;
}

}  // namespace

void TemplateWriter::comment(const std::string& text) {
  std::string lines = wrapped(text, kTemplateWidth - 2, 0, 0);
  for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 3) {
    lines.replace(at, 1, "\n# ");
  }
  text_ += "# " + lines + "\n";
}

void TemplateWriter::heading(const TableSpec& table) {
  blank();
  text_ += "[" + table.path + "]\n";
  comment(table.help);
}

void TemplateWriter::assignment(const std::string& name, const std::string& value,
                                const std::string& help) {
  const std::string line = name + " = " + value;
  const bool fits = line.find('\n') == std::string::npos && line.size() < kCommentColumn;
  if (help.empty()) {
    text_ += line + "\n";
  } else if (fits) {
    text_ += fmt::format("{:<{}}# {}\n", line, kCommentColumn, help);
  } else {
    text_ += fmt::format("# {}\n{}\n", help, line);
  }
}

void TemplateWriter::unused(const KeySpec& key) {
  if (!key.fallback.empty()) {
    assignment("# " + key.name, key.fallback, with_unit(key));
  } else {
    const std::string note =
        key.fallback_note.empty() ? "" : fmt::format("; default: {}", key.fallback_note);
    comment(fmt::format("{}: {} ({}{})", key.name, key.help, value_words(key), note));
  }
}

void TemplateWriter::table(const TableSpec& table, const Assignments& used) {
  if (!table.path.empty()) {
    heading(table);
  }
  for (const KeySpec& key : table.keys) {
    if (!key.now_called.empty()) continue;
    if (!key.tasks.empty() &&
        std::find(key.tasks.begin(), key.tasks.end(), task_) == key.tasks.end()) {
      continue;
    }
    const auto found = std::find_if(used.begin(), used.end(),
                                    [&](const auto& item) { return item.first == key.name; });
    if (found != used.end()) {
      assignment(key.name, found->second, with_unit(key));
    } else if (key.forms != kTable) {
      unused(key);
    }
  }
}

void TemplateWriter::named(const TableSpec& table, const Assignments& used) {
  heading(table);
  for (const auto& [name, value] : used) {
    assignment(name, value, "");
  }
}

namespace {

// The longest part of a record between its gaps; nothing if that is a small part only.
std::optional<signal::Record> longest_part(const signal::Record& record) {
  std::vector<double> ends;
  for (const signal::Gap& gap : record.gaps()) ends.push_back(gap.begin);
  ends.push_back(record.time()[record.size() - 1]);
  Eigen::Index first = 0, best = 0, length = 0, k = 0;
  for (const double end : ends) {
    while (k < record.size() && record.time()[k] <= end) ++k;
    if (k - first > length) {
      best = first;
      length = k - first;
    }
    first = k;
  }
  if (kSmallPart * length < record.size()) return std::nullopt;
  return record.slice(best, length);
}

// A record with a gap is cut there. Times that are off an even grid are taken for it where they
// are near, else put onto one.
void assign_grid(const signal::Record& whole, TemplateWriter::Assignments& used) {
  if (whole.size() < 3 || whole.time().common_step()) return;
  const std::optional<signal::Record> part =
      whole.gaps().empty() ? std::nullopt : longest_part(whole);
  const signal::Record& record = part ? *part : whole;
  if (part) {
    const auto time = [&](Eigen::Index k) { return fmt::format("{:.9g}", record.time()[k]); };
    if (record.time().start() > whole.time().start()) used.emplace_back("from", time(0));
    const bool ends_early = record.time()[record.size() - 1] < whole.time()[whole.size() - 1];
    if (ends_early) used.emplace_back("to", time(record.size() - 1));
    if (record.time().common_step()) return;
  }
  const double jitter = record.gaps().empty() ? signal::largest_jitter(record.time()) : 1.0;
  if (jitter < kNearGrid) {
    used.emplace_back("jitter", shortest(std::stod(fmt::format("{:.1g}", 1.5 * jitter))));
  } else {
    const double step = record.time().median_step();
    used.emplace_back("resample", shortest(std::stod(fmt::format("{:.3g}", step))));
  }
}

}  // namespace

TemplateWriter::Assignments file_assignments(const std::optional<TemplateData>& data, bool even) {
  TemplateWriter::Assignments used = {{"file", data ? toml_string(data->file) : "\"record.csv\""}};
  if (data && !data->time.empty()) used.emplace_back("time", toml_string(data->time));
  if (data && data->step) used.emplace_back("step", shortest(*data->step));
  if (data && !data->dataset.empty()) used.emplace_back("dataset", toml_string(data->dataset));
  if (data && even) assign_grid(data->record, used);
  return used;
}

}  // namespace alembert::study
