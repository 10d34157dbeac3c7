#include "identify/linear/pulses.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/median.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

constexpr double kPulseLevel = 0.1;       // of the largest sample: what belongs to a blow
constexpr double kQuietShare = 0.9;       // of a record with blows, at least
constexpr double kMostOfDeviation = 0.5;  // error of the impulse against the deviation of M, D, K

// Samples of each blow in one channel; none if it is no hammer record.
std::vector<double> blows_of(const Eigen::VectorXd& force) {
  const double level = kPulseLevel * force.cwiseAbs().maxCoeff();
  std::vector<double> blows;
  Index above = 0, length = 0;
  for (Index k = 0; k < force.size(); ++k) {
    if (std::abs(force(k)) > level) {
      ++length;
      ++above;
    } else if (length > 0) {
      blows.push_back(static_cast<double>(length));
      length = 0;
    }
  }
  const bool quiet =
      static_cast<double>(above) <= (1.0 - kQuietShare) * static_cast<double>(force.size());
  return quiet ? blows : std::vector<double>{};
}

}  // namespace

void judge_pulses(const Experiments& data, const LinearIdentification& result, Evidence& evidence) {
  if (!result.expected_error) return;
  const double known = result.expected_error->minCoeff();
  for (std::size_t i = 0; i < result.names.inputs.size(); ++i) {
    std::vector<double> blows;
    for (const Experiment& one : data) {
      const std::vector<double> more = blows_of(one.input.col(static_cast<Index>(i)));
      blows.insert(blows.end(), more.begin(), more.end());
    }
    if (blows.empty()) continue;
    const double length = lower_median(blows);
    const double pi = std::numbers::pi;
    const double error = pi * pi / (12.0 * length * length);
    if (error <= kMostOfDeviation * known) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the blows of {} are {:.0f} samples long: their impulse is known to "
                    "about {:.1g} %, and with it M, D and K, whose deviations say {:.1g} %",
                    result.names.inputs[i], length, 100.0 * error, 100.0 * known),
        "sample faster, or use a softer tip");
  }
}

}  // namespace alembert::identify
