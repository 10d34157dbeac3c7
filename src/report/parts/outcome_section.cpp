#include "report/parts/outcome_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/energy_section.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;
using study::Experiment;
using study::SimulateResult;

// The smallest and the largest of some numbers.
struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
  // "2.000 to 5.000 Hz", or one number where both read the same.
  [[nodiscard]] std::string words(const std::string& unit) const {
    const std::string first = significant(low);
    const std::string last = significant(high);
    return first == last ? fmt::format("{} {}", first, unit)
                         : fmt::format("{} to {} {}", first, last, unit);
  }
};

using Rows = std::vector<std::vector<std::string>>;

void add_modes(const ResultTree& modes, Rows& rows) {
  Span frequency;
  Span damping;
  for (const ResultTree& mode : modes.entries()) {
    frequency.add(mode.number("frequency_hz"));
    damping.add(100.0 * mode.number("damping_ratio"));
  }
  if (frequency.empty()) return;
  const std::string count = count_of(static_cast<long long>(modes.entries().size()), "mode");
  rows.push_back({"natural frequencies", frequency.words("Hz"), count});
  rows.push_back({"damping ratios", damping.words("%"), count});
}

// The channel with the largest rms among those of one quantity and unit.
struct LargestMotion {
  std::string unit;
  double rms = 0.0;
  std::string coordinate;
};

double rms_of(const Experiment& experiment, Eigen::Index column) {
  const auto values = experiment.truth.samples().col(column);
  return std::sqrt(values.squaredNorm() /
                   static_cast<double>(std::max<Eigen::Index>(1, values.size())));
}

// `first` is the column of the quantity's first coordinate in the truth.
void add_motion(const SimulateResult& result, const std::string& quantity, Eigen::Index first,
                const std::vector<std::string>& coordinates, const std::vector<std::string>& units,
                Rows& rows) {
  std::vector<LargestMotion> found;
  for (std::size_t i = 0; i < units.size(); ++i) {
    auto same = std::find_if(found.begin(), found.end(),
                             [&](const LargestMotion& one) { return one.unit == units[i]; });
    if (same == found.end()) same = found.insert(found.end(), {units[i], 0.0, ""});
    for (const Experiment& experiment : result.experiments) {
      const double rms = rms_of(experiment, first + static_cast<Eigen::Index>(i));
      if (!same->coordinate.empty() && !(rms > same->rms)) continue;
      same->rms = rms;
      same->coordinate = coordinates[i];
    }
  }
  for (const LargestMotion& one : found) {
    rows.push_back({fmt::format("largest {}, rms", quantity),
                    fmt::format("{} {}", significant(one.rms), pretty_unit(one.unit)),
                    "at " + one.coordinate});
  }
}

void add_all_motion(const SimulateResult& result, Rows& rows) {
  if (result.study.linear() == nullptr) return;
  const study::LinearModel& model = *result.study.linear();
  const Eigen::Index n = model.system.degrees_of_freedom();
  const Eigen::Index inputs = model.system.inputs();
  const auto complete = [&](const Experiment& experiment) {
    return experiment.truth.channel_count() == inputs + 3 * n;
  };
  if (!std::all_of(result.experiments.begin(), result.experiments.end(), complete)) return;
  add_motion(result, "displacement", inputs, model.coordinates, model.displacement_units, rows);
  add_motion(result, "velocity", inputs + n, model.coordinates, model.velocity_units, rows);
  add_motion(result, "acceleration", inputs + 2 * n, model.coordinates, model.acceleration_units,
             rows);
}

void add_sensors(const ResultTree& tree, Rows& rows) {
  const auto sensors = static_cast<long long>(tree.at("sensors").entries().size());
  if (sensors == 0) return;
  Span snr;
  long long clipped = 0;
  long long samples = 0;
  for (const ResultTree& experiment : tree.at("experiments").entries()) {
    for (const ResultTree& outcome : experiment.at("sensors").entries()) {
      const ResultTree& achieved = outcome.at("snr_db");
      if (achieved.kind() == ResultTree::Kind::Number) snr.add(achieved.number());
      clipped += outcome.at("clipped").integer();
      samples += outcome.at("samples").integer();
    }
  }
  rows.push_back({"signal-to-noise ratio achieved", snr.empty() ? "no noise" : snr.words("dB"),
                  count_of(sensors, "sensor")});
  rows.push_back({"clipped samples", grouped(clipped), "of " + grouped(samples)});
}

void add_energy(const SimulateResult& result, const integrate::EnergyBalance& energy, Rows& rows) {
  const std::string unit = energy_unit(*result.study.linear());
  const auto value = [&](double number) {
    return unit.empty() ? significant(number) : fmt::format("{} {}", significant(number), unit);
  };
  const Eigen::Index last = energy.energy.size() - 1;
  const std::string which =
      result.experiments.size() == 1
          ? "at the end"
          : fmt::format("at the end of experiment {}", result.experiments.front().number);
  rows.push_back({"energy supplied by the inputs", value(energy.supplied(last)), which});
  rows.push_back({"energy dissipated", value(energy.dissipated(last)), which});
}

Table key_results(const SimulateResult& result, const ResultTree& tree,
                  const std::optional<integrate::EnergyBalance>& energy) {
  Table table{
      .id = "key-results", .title = "Key results", .header = {"result", "value", "of"}, .rows = {}};
  const ResultTree* const modes = tree.find("model/modes");
  if (modes != nullptr) add_modes(*modes, table.rows);
  if (!result.experiments.empty()) {
    add_all_motion(result, table.rows);
    add_sensors(tree, table.rows);
  }
  if (energy) add_energy(result, *energy, table.rows);
  return table;
}

Paragraph ending(const SimulateResult& result) {
  const auto finished = static_cast<long long>(result.experiments.size());
  if (!result.ok()) {
    return {fmt::format("{}: {}", to_string(result.status), result.message), Paragraph::Kind::Bad};
  }
  return {fmt::format("{} finished.",
                      finished == 1 ? "The simulation" : count_of(finished, "experiment"))};
}

}  // namespace

Section outcome_section(const SimulateResult& result, const ResultTree& tree,
                        const std::optional<integrate::EnergyBalance>& energy) {
  Section section{.title = "What came out", .blocks = {}};
  section.blocks.push_back(ending(result));
  for (const std::string& warning : result.warnings) {
    section.blocks.push_back(Paragraph{warning, Paragraph::Kind::Warning});
  }
  for (const std::string& note : result.study.notes) {
    section.blocks.push_back(Paragraph{note});
  }
  const auto finished = static_cast<long long>(result.experiments.size());
  if (result.study.experiments > 1 && finished > 0) {
    section.blocks.push_back(
        Paragraph{fmt::format("Plots show experiment {}; tables of the sensors and of the key "
                              "results count all {}.",
                              result.experiments.front().number, finished)});
  }
  Table results = key_results(result, tree, energy);
  if (!results.rows.empty()) section.blocks.push_back(std::move(results));
  return section;
}

}  // namespace alembert::report
