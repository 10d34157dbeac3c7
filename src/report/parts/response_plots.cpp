#include "report/parts/response_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "report/page/vocabulary.hpp"

namespace alembert::report {
namespace {

using model::DampedMode;

constexpr Eigen::Index kMostCurves = 64;
constexpr Eigen::Index kLargestSystem = 200;  // coordinates; beyond, the responses cost too much
constexpr std::size_t kMostMarkers = 40;

constexpr double kTurn = 360.0;

double degrees(std::complex<double> response) {
  return std::arg(response) * 180.0 / std::numbers::pi;
}

std::string response_unit(const study::LinearModel& model, Eigen::Index output,
                          Eigen::Index input) {
  return quotient_unit(model.displacement_units[static_cast<std::size_t>(output)],
                       model.force_units[static_cast<std::size_t>(input)]);
}

// The unit that all curves share goes to the axis; where they differ, each curve keeps its own.
void set_units(Plot& magnitude) {
  const std::string unit = magnitude.curves.front().unit;
  const bool shared = std::all_of(magnitude.curves.begin(), magnitude.curves.end(),
                                  [&](const Curve& curve) { return curve.unit == unit; });
  if (!shared) return;
  magnitude.y_label = with_unit("magnitude", unit);
  for (Curve& curve : magnitude.curves) curve.unit.clear();
}

void add_curve(const study::LinearModel& model, Eigen::Index output, Eigen::Index input,
               const std::vector<Eigen::MatrixXcd>& responses, Plot& magnitude, Plot& phase) {
  Eigen::VectorXcd response(static_cast<Eigen::Index>(responses.size()));
  for (Eigen::Index k = 0; k < response.size(); ++k) {
    response(k) = responses[static_cast<std::size_t>(k)](output, input);
  }
  const std::string name =
      fmt::format("{} / {}", model.coordinates[static_cast<std::size_t>(output)],
                  model.inputs[static_cast<std::size_t>(input)]);
  magnitude.curves.push_back({.name = name,
                              .x = {},
                              .y = response.cwiseAbs(),
                              .unit = response_unit(model, output, input)});
  phase.curves.push_back({.name = name, .x = {}, .y = unwrapped_phase(response)});
}

std::string coverage(const model::SecondOrder& system, Eigen::Index inputs, Eigen::Index outputs) {
  const Eigen::Index all = system.inputs() * system.degrees_of_freedom();
  if (inputs * outputs == all) return {};
  return fmt::format("The first {} of {} responses", inputs * outputs, all);
}

}  // namespace

Eigen::VectorXd unwrapped_phase(const Eigen::VectorXcd& response) {
  Eigen::VectorXd phase(response.size());
  double before = 0.0;  // of the first the angle itself is the nearest
  for (Eigen::Index k = 0; k < response.size(); ++k) {
    const double angle = degrees(response(k));
    phase(k) = angle - kTurn * std::round((angle - before) / kTurn);
    if (std::isfinite(phase(k))) before = phase(k);
  }
  return phase;
}

Eigen::VectorXd phase_beside(const Eigen::VectorXcd& response, const Eigen::VectorXd& frequencies,
                             const Eigen::VectorXd& curve_frequencies,
                             const Eigen::VectorXd& curve) {
  Eigen::VectorXd phase(response.size());
  for (Eigen::Index k = 0; k < response.size(); ++k) {
    const double* const begin = curve_frequencies.data();
    const double* const end = begin + curve_frequencies.size();
    const auto next = std::lower_bound(begin, end, frequencies(k)) - begin;
    const Eigen::Index right = std::clamp<Eigen::Index>(next, 1, curve.size() - 1);
    const double share = (frequencies(k) - begin[right - 1]) / (begin[right] - begin[right - 1]);
    const double there =
        curve(right - 1) + std::clamp(share, 0.0, 1.0) * (curve(right) - curve(right - 1));
    const double angle = degrees(response(k));
    phase(k) = angle - kTurn * std::round((angle - there) / kTurn);
  }
  return phase;
}

Eigen::VectorXd response_frequencies(const std::vector<DampedMode>& modes) {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0.0;
  for (const DampedMode& mode : modes) {
    if (!(mode.frequency_hz > 0.0)) continue;
    lowest = std::min(lowest, mode.frequency_hz);
    highest = std::max(highest, mode.frequency_hz);
  }
  if (!(highest > 0.0)) return {};
  constexpr int kEven = 500;
  constexpr int kAround = 12;      // on each side of a mode
  constexpr double kFactor = 1.6;  // between neighbours there
  std::vector<double> found;
  const double low = std::log(lowest / 5.0);
  const double high = std::log(3.0 * highest);
  found.reserve(kEven + modes.size() * (2 * kAround + 1));
  for (int k = 0; k < kEven; ++k) found.push_back(std::exp(low + (high - low) * k / (kEven - 1)));
  for (std::size_t i = 0; i < std::min(modes.size(), kMostMarkers); ++i) {
    const DampedMode& mode = modes[i];
    if (!(mode.frequency_hz > 0.0)) continue;
    found.push_back(mode.frequency_hz);
    // Half the bandwidth at -3 dB is ζ f; a grid that starts well inside it follows the peak.
    double distance = std::max(mode.damping_ratio, 1e-6) * mode.frequency_hz / 8.0;
    for (int k = 0; k < kAround; ++k, distance *= kFactor) {
      found.push_back(mode.frequency_hz + distance);
      if (mode.frequency_hz - distance > lowest / 5.0) {
        found.push_back(mode.frequency_hz - distance);
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  while (!found.empty() && found.back() > 3.0 * highest * (1.0 + 1e-12)) found.pop_back();
  return Eigen::Map<Eigen::VectorXd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

std::vector<Marker> mode_markers(const std::vector<DampedMode>& modes) {
  std::vector<Marker> markers;
  if (modes.size() > kMostMarkers) return markers;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].frequency_hz > 0.0) {
      markers.push_back({modes[i].frequency_hz, std::to_string(i + 1)});
    }
  }
  return markers;
}

std::vector<Plot> response_plots(const study::LinearModel& model,
                                 const std::vector<model::DampedMode>& modes) {
  const model::SecondOrder& system = model.system;
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::VectorXd frequencies = response_frequencies(modes);
  if (frequencies.size() == 0 || n > kLargestSystem || system.inputs() == 0) return {};
  const Eigen::Index outputs = std::min(n, kMostCurves);
  const Eigen::Index inputs =
      std::min(system.inputs(), std::max<Eigen::Index>(1, kMostCurves / outputs));
  std::vector<model::OutputChoice> choices;
  for (Eigen::Index i = 0; i < outputs; ++i) choices.push_back({model::Motion::Displacement, i});
  model::SecondOrder driven = system;
  driven.L = system.L.leftCols(inputs).eval();
  const auto responses =
      model::frequency_response(driven, model::output_map(n, choices), frequencies);
  Plot magnitude{.id = "response-magnitude",
                 .title = "Frequency responses from inputs to displacements, magnitude",
                 .x_label = "frequency [Hz]",
                 .y_label = "magnitude",
                 .log_x = true,
                 .log_y = true,
                 .curves = {},
                 .caption = coverage(system, inputs, outputs),
                 .markers = mode_markers(modes),
                 .visible = static_cast<int>(std::min<Eigen::Index>(outputs, 8))};
  if (!magnitude.markers.empty()) {
    magnitude.caption += magnitude.caption.empty() ? "" : ". ";
    magnitude.caption += "Dotted lines mark the modes";
  }
  Plot phase = magnitude;
  phase.id = "response-phase";
  phase.title = "Frequency responses from inputs to displacements, phase";
  phase.y_label = "phase [deg]";
  phase.log_y = false;
  for (Eigen::Index j = 0; j < inputs; ++j) {
    for (Eigen::Index i = 0; i < outputs; ++i) add_curve(model, i, j, responses, magnitude, phase);
  }
  set_units(magnitude);
  magnitude.curves.front().x = frequencies;
  phase.curves.front().x = frequencies;
  return {std::move(magnitude), std::move(phase)};
}

}  // namespace alembert::report
