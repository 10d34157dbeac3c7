#include "identify/modes/choice/mode_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kFewestOfShape = 3;
constexpr double kSameMode = 0.1;  // of its frequency: further apart are different modes
constexpr double kCloseModes = 0.05;
constexpr double kPartOfWidth = 0.05;
constexpr double kChanged = 5.0;  // joint deviations
constexpr Index kFewestClipped = 8;
constexpr Index kMoreThanNext = 3;

const Mode* nearest(const std::vector<Mode>& modes, double frequency_hz) {
  const Mode* best = nullptr;
  for (const Mode& one : modes) {
    const double distance = std::abs(one.frequency_hz - frequency_hz);
    if (distance > kSameMode * frequency_hz) continue;
    if (best == nullptr || distance < std::abs(best->frequency_hz - frequency_hz)) best = &one;
  }
  return best;
}

// Where one half tells two close modes apart and the other does not, they are not compared.
Index count_near(const std::vector<Mode>& modes, double frequency_hz) {
  return std::count_if(modes.begin(), modes.end(), [&](const Mode& one) {
    return std::abs(one.frequency_hz - frequency_hz) < kCloseModes * frequency_hz;
  });
}

// Samples at the largest value, and at the largest below it.
Index clipped_at_top(const VectorXd& values) {
  double top = -HUGE_VAL, next = -HUGE_VAL;
  Index at_top = 0, at_next = 0;
  for (const double value : values) {
    if (value > top) {
      next = top;
      at_next = at_top;
      top = value;
      at_top = 0;
    } else if (value < top && value > next) {
      next = value;
      at_next = 0;
    }
    at_top += value == top ? 1 : 0;
    at_next += value == next ? 1 : 0;
  }
  return at_top >= kFewestClipped && at_top > kMoreThanNext * at_next ? at_top : 0;
}

}  // namespace

Index clipped_samples(const Eigen::Ref<const VectorXd>& values) {
  if (values.size() == 0 || values.maxCoeff() == values.minCoeff()) return 0;
  return clipped_at_top(values) + clipped_at_top(-values);
}

void add_clipping_evidence(const std::vector<Eigen::MatrixXd>& records, Evidence& evidence) {
  if (records.empty()) return;
  for (Index i = 0; i < records.front().cols(); ++i) {
    Index clipped = 0, all = 0;
    for (const Eigen::MatrixXd& record : records) {
      clipped += clipped_samples(record.col(i));
      all += record.rows();
    }
    if (clipped == 0) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("response {} is clipped: {} of {} samples lie at its largest or least "
                             "value",
                             i + 1, clipped, all),
                 "clipping shows modes where there are none, and changes their damping: take a "
                 "larger range of the sensor");
  }
}

void add_half_evidence(const std::vector<Mode>& first, const std::vector<Mode>& second,
                       const char* whole, Evidence& evidence) {
  for (const Mode& mode : first) {
    const Mode* const later = nearest(second, mode.frequency_hz);
    if (later == nullptr || nearest(first, later->frequency_hz) != &mode) continue;
    if (count_near(first, mode.frequency_hz) != count_near(second, later->frequency_hz)) continue;
    const double deviation = std::hypot(mode.frequency_deviation, later->frequency_deviation);
    const double change = later->frequency_hz - mode.frequency_hz;
    // 2 ζ f is the width of the peak at half its power.
    const double width =
        2.0 * std::max(mode.damping_ratio, later->damping_ratio) * mode.frequency_hz;
    if (!(std::abs(change) > std::max(kChanged * deviation, kPartOfWidth * width))) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the mode at {:.5g} Hz is at {:.5g} Hz in the second half of {}, a "
                    "change of {:.2g} ± {:.1g} %: deviations do not hold, and one mode "
                    "may stand as two",
                    mode.frequency_hz, later->frequency_hz, whole,
                    100.0 * change / mode.frequency_hz, 100.0 * deviation / mode.frequency_hz),
        "identify both halves by themselves; look for what changes: mass, temperature, "
        "amplitude");
  }
}

void add_mode_evidence(const std::vector<Mode>& modes, Evidence& evidence) {
  for (const Mode& mode : modes) {
    if (!mode.damping_known) {
      evidence.add(TrustLevel::Caution,
                   fmt::format("the damping of the mode at {:.5g} Hz is not known: {}",
                               mode.frequency_hz, mode.remark),
                   "measure longer, or with more force near that frequency");
    }
    if (mode.shape.size() < kFewestOfShape || mode.collinearity >= kOutOfPhase) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the parts of the shape at {:.5g} Hz do not move in phase (MPC {:.2f})",
                    mode.frequency_hz, mode.collinearity),
        "look whether it is a mode: sensors of different kinds, two close modes and noise "
        "look like this too");
  }
}

}  // namespace alembert::identify::modes
