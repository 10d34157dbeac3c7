#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {
namespace {

// The reasons of these limits are in docs/verdict.md.
constexpr double kSizeCaution = 1.1;
constexpr double kSizeBad = 1.7320508075688772;  // √3: a NIS three times too large
constexpr double kSizeTooSmall = 0.25;
constexpr double kSlowCaution = 1.2;
constexpr double kDriftCaution = 2.0;
constexpr double kDriftOfPosition = 1.4;
constexpr double kFollowsCaution = -0.2;
constexpr double kFollowsSize = 0.9;
constexpr double kRegularCaution = 0.3;
constexpr double kRegularHighest = 0.8;
constexpr double kKeptOutCaution = 0.05;

constexpr const char* kLookAtSensor =
    "look at unit, sign, counts and sigma of {0}, at the geometry and at biases; else raise the "
    "density of the motion";
constexpr const char* kLookAtOthers =
    "look for a bias, a wrong axis, sign or delay of the sensors above {0} and for wrong lengths; "
    "let biases or lengths be states";
constexpr const char* kLookAtColumns =
    "look whether {0} is the column of another sensor, at its unit and sign, at wrong lengths and "
    "at "
    "biases; else raise the density of the motion";
constexpr const char* kLookAtNoise =
    "fit its sigma (observe.fit-sigma = [\"{0}\"]), or give observe.jitter if its time "
    "stamps scatter";

/// Collects what is found of one sensor.
class SensorCase {
 public:
  SensorCase(int sensor, std::string name, std::vector<SensorFinding>& findings)
      : sensor_(sensor), name_(std::move(name)), findings_(findings) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  void add(SensorFault fault, TrustLevel level, std::string reason, const char* advice) {
    findings_.push_back(
        {sensor_, fault, level, std::move(reason), fmt::format(fmt::runtime(advice), name_)});
  }

 private:
  int sensor_;
  std::string name_;
  std::vector<SensorFinding>& findings_;
};

void judge_size_of(const SensorReport& report, SensorCase& found) {
  if (report.size > std::max(kSizeCaution, report.size_limit)) {
    found.add(SensorFault::TooLarge, level_above(report.size, kSizeCaution, kSizeBad),
              fmt::format("the innovations of {} are {:.3g} times as large as expected: the "
                          "standard deviations are too small",
                          found.name(), report.size),
              kLookAtSensor);
  } else if (report.size < kSizeTooSmall) {
    found.add(SensorFault::TooSmall, TrustLevel::Caution,
              fmt::format("the innovations of {} are {:.3g} times smaller than expected: standard "
                          "deviations that are much too large say as little as ones that are too "
                          "small",
                          found.name(), 1.0 / report.size),
              "give {0} the sigma that it has, or lower the density of the motion");
  }
}

// A course that lasts. Innovations of the highest sensor hold what the model of the motion does not
// foresee; in those of a position it would add up.
void judge_course_of(const SensorScore& score, bool position, SensorCase& found) {
  const SensorReport& report = score.normalised;
  if (position && report.slow > std::max(kSlowCaution, report.slow_limit)) {
    found.add(SensorFault::Strays, TrustLevel::Caution,
              fmt::format("the estimate strays slowly from {}: sums over 20 innovations are {:.2f} "
                          "times as large as those of white ones",
                          found.name(), report.slow),
              score.highest ? "raise the density of the motion" : kLookAtOthers);
  } else if ((position || !score.highest) &&
             report.drift >
                 std::max(position ? kDriftOfPosition : kDriftCaution, report.drift_limit)) {
    found.add(SensorFault::Drifts, TrustLevel::Caution,
              fmt::format("the innovations of {} have an offset or drift: over long times they are "
                          "{:.2f} times as large as white ones",
                          found.name(), report.drift),
              score.highest ? kLookAtColumns : kLookAtOthers);
  }
}

void judge_colour_of(const SensorScore& score, SensorCase& found) {
  const SensorReport& report = score.normalised;
  const double limit =
      std::max(score.highest ? kRegularHighest : kRegularCaution, report.correlation_limit);
  // With a density that is too large neighbours have opposite signs too, but are smaller than
  // expected, which is the safe side.
  const bool follows = report.previous < std::min(kFollowsCaution, -report.correlation_limit);
  if (follows && report.size > kFollowsSize) {
    found.add(SensorFault::Follows, TrustLevel::Caution,
              fmt::format("the estimate follows the noise of {}: neighbouring innovations have "
                          "opposite signs, correlation {:.2f}. Its sigma is too small, or its time "
                          "stamps scatter",
                          found.name(), report.previous),
              kLookAtNoise);
  } else if (std::abs(report.strongest) > limit) {
    found.add(SensorFault::Regular, TrustLevel::Caution,
              fmt::format("the innovations of {} are no noise: {:.0f} % of their power is known "
                          "from {} samples before",
                          found.name(), 100.0 * report.strongest * report.strongest,
                          report.strongest_lag),
              score.highest ? "try motion = \"white-snap\" or a larger density; look for a "
                              "vibration of the sensor"
                            : kLookAtOthers);
  }
}

}  // namespace

std::vector<SensorFinding> find_faults(const model::planar::Mechanism& mechanism,
                                       const std::vector<SensorScore>& scores) {
  std::vector<SensorFinding> findings;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const SensorScore& score = scores[i];
    const auto sensor = static_cast<int>(i);
    SensorCase found(sensor, mechanism.description().sensors[i].name, findings);
    const double share = static_cast<double>(score.rejected) /
                         static_cast<double>(std::max<Eigen::Index>(1, score.readings));
    if (share > kKeptOutCaution) {
      found.add(SensorFault::KeptOut, TrustLevel::Caution,
                fmt::format("the gate kept out {:.2g} % of {}, which are no outliers",
                            100.0 * share, found.name()),
                kLookAtSensor);
    }
    if (!score.judged) continue;
    judge_size_of(score.normalised, found);
    judge_course_of(score, mechanism.sensor_order(sensor) == 0, found);
    judge_colour_of(score, found);
  }
  return findings;
}

}  // namespace alembert::estimate
