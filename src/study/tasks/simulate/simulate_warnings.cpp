#include "study/tasks/simulate/simulate_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/text.hpp"

namespace alembert::study {
namespace {

// Times within this part of a step count as equal, as in the signals themselves.
constexpr double kSampleTolerance = 1e-6;

// Inputs that share a warning: `all` may stand for many of them.
class InputWarnings {
 public:
  void add(const std::string& input, const std::string& text) {
    const auto same = std::find_if(found_.begin(), found_.end(),
                                   [&](const auto& one) { return one.first == text; });
    if (same != found_.end()) {
      same->second.push_back(input);
    } else {
      found_.push_back({text, {input}});
    }
  }

  void write(std::vector<std::string>& warnings) const {
    for (const auto& [text, names] : found_) {
      warnings.push_back(fmt::format("{} {}: {}", names.size() == 1 ? "input" : "inputs",
                                     join(names, ", "), text));
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> found_;
};

// How many times come too late: a level needs a sample at or behind it; a pulse, which begins at
// zero, one behind it.
std::ptrdiff_t late_times(const InputDescription& input, double last, double step) {
  const auto later_than = [](const std::vector<double>& times, double limit) {
    return std::count_if(times.begin(), times.end(), [&](double time) { return time > limit; });
  };
  if (const auto* steps = std::get_if<signal::StepsOptions>(&input.source)) {
    return later_than(steps->times, last + kSampleTolerance * step);
  }
  if (const auto* pulses = std::get_if<signal::PulsesOptions>(&input.source)) {
    return later_than(pulses->times, last - kSampleTolerance * step);
  }
  return 0;
}

void warn_about_times(const SimulateStudy& study, InputWarnings& warnings) {
  const double last = study.step * static_cast<double>(study.samples - 1);
  for (const InputDescription& input : study.inputs) {
    const std::ptrdiff_t late = late_times(input, last, study.step);
    if (late == 0) {
      continue;
    }
    warnings.add(input.name,
                 fmt::format("{} of the {} lie{} at or beyond the last sample, {:.6g} s after the "
                             "first, without effect",
                             late, input.kind, late == 1 ? "s" : "", last));
  }
}

bool is_zero(const SimulateResult& result, std::size_t input) {
  return std::none_of(
      result.experiments.begin(), result.experiments.end(), [&](const Experiment& experiment) {
        return experiment.record.samples().col(static_cast<Eigen::Index>(input)).any();
      });
}

// Whether an input of a kind with jumps has one.
bool jumps(const SimulateResult& result, std::size_t input) {
  const std::string& kind = result.study.inputs[input].kind;
  if (kind != "prbs" && kind != "steps") {
    return false;
  }
  const auto values =
      result.experiments.front().record.samples().col(static_cast<Eigen::Index>(input));
  return (values.array() != values(0)).any();
}

// What takes inputs for smooth between samples, and what would keep jumps; none if they are held.
struct RoundingKey {
  const SimulateStudy& study;

  std::optional<std::string> operator()(const LinearModel&) const {
    const integrate::LinearSimulationOptions& options = study.integration;
    if (!integrate::uses_hold(options.method) || options.hold == signal::BetweenSamples::Held) {
      return std::nullopt;
    }
    return fmt::format("hold = \"{}\"; hold = \"zero\" keeps them",
                       integrate::hold_name(options.hold));
  }
  std::optional<std::string> operator()(const EquationSystem& equations) const {
    if (equations.simulation.between == signal::BetweenSamples::Held) return std::nullopt;
    return "between; between = \"held\" keeps them";
  }
  std::optional<std::string> operator()(const MovedMechanism&) const { return std::nullopt; }
  std::optional<std::string> operator()(const MovedFlexible&) const { return std::nullopt; }
};

}  // namespace

void warn_about_model(SimulateResult& result) {
  const model::SecondOrderCheck& found = result.definiteness;
  if (!found.damping.positive_semidefinite) {
    result.warnings.push_back(fmt::format(
        "damping is not positive semidefinite (smallest eigenvalue {:.3g}): motion may grow",
        found.damping.smallest));
  }
  if (!found.stiffness.positive_semidefinite) {
    result.warnings.push_back(fmt::format(
        "stiffness is not positive semidefinite (smallest eigenvalue {:.3g}): motion may grow",
        found.stiffness.smallest));
  }
  const double nyquist = 0.5 / result.study.step;
  if (!result.modes.empty() && result.modes.back().frequency_hz > nyquist) {
    result.warnings.push_back(
        fmt::format("the highest mode, {:.4g} Hz, lies above half the sampling rate, {:.4g} Hz",
                    result.modes.back().frequency_hz, nyquist));
  }
}

void warn_about_inputs(SimulateResult& result) {
  const SimulateStudy& study = result.study;
  InputWarnings warnings;
  warn_about_times(study, warnings);
  if (result.experiments.empty()) {
    warnings.write(result.warnings);
    return;
  }
  const std::optional<std::string> rounding = std::visit(RoundingKey{study}, study.model);
  bool driven = false;
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    const InputDescription& input = study.inputs[i];
    if (is_zero(result, i)) {
      if (input.kind != "zero") {
        warnings.add(input.name, fmt::format("zero throughout, although of kind {}", input.kind));
      }
      continue;
    }
    driven = true;
    if (rounding && jumps(result, i)) {
      warnings.add(input.name,
                   fmt::format("the jumps of {} are rounded off by {}", input.kind, *rounding));
    }
  }
  warnings.write(result.warnings);
  if (study.linear() == nullptr) {
    return;  // Equations may move by themselves.
  }
  if (!driven && !study.start_displacement.any() && !study.start_velocity.any()) {
    result.warnings.push_back("nothing moves: all inputs are zero and the start is at rest");
  }
}

void warn_about_sensors(SimulateResult& result) {
  for (std::size_t i = 0; i < result.study.sensors.size(); ++i) {
    Eigen::Index clipped = 0;
    Eigen::Index samples = 0;
    for (const Experiment& experiment : result.experiments) {
      clipped += experiment.sensors[i].clipped;
      samples += experiment.sensors[i].samples;
    }
    if (clipped == 0) {
      continue;
    }
    result.warnings.push_back(fmt::format("sensor {} clips {} of {} samples at its range",
                                          result.study.sensors[i].name, clipped, samples));
  }
}

}  // namespace alembert::study
