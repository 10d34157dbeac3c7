#include "io/record/rounded_times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/record/time_column.hpp"

namespace alembert::io {
namespace {

constexpr Eigen::Index kFewestSamples = 16;
constexpr double kCoarsest = 1.0 / 8.0;  // of a step
constexpr int kMostDecimals = 12;
// t 10^d beyond this has too few digits left behind the point to see that it is a whole number.
constexpr double kLargestMultiple = 1e12;
// Each refinement meets another sample that bounds the range; a few are enough.
constexpr int kMostRefinements = 100;
constexpr double kEps = std::numeric_limits<double>::epsilon();

// 10^-d for the smallest d with which all times are whole multiples of it, within rounding.
std::optional<double> decimal_unit(const Eigen::VectorXd& times) {
  double scale = 1.0;
  int decimals = 0;
  for (const double time : times) {
    while (true) {
      const double multiple = std::abs(time) * scale;
      if (multiple > kLargestMultiple || decimals > kMostDecimals) {
        return std::nullopt;
      }
      if (std::abs(multiple - std::round(multiple)) <= 4.0 * kEps * multiple) {
        break;
      }
      scale *= 10.0;
      ++decimals;
    }
  }
  return 1.0 / scale;
}

// What is left of the times besides a line: r(k) = t(k) - t(0) - k (mean + s / last), with the
// correction s of the step given as what it adds up to at the last sample.
class Residual {
 public:
  explicit Residual(const Eigen::VectorXd& times)
      : times_(times),
        last_(static_cast<double>(times.size() - 1)),
        mean_((times(times.size() - 1) - times(0)) / last_) {}

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double step(double s) const { return mean_ + s / last_; }
  [[nodiscard]] double correction(double step) const { return (step - mean_) * last_; }

  // max r - min r as a function of s: convex, a maximum of straight lines.
  struct Range {
    double s = 0.0;
    double value = 0.0;
    double slope = 0.0;  // of a line that touches it at s
  };
  [[nodiscard]] Range range(double s) const {
    const double h = step(s);
    Eigen::Index lowest = 0;
    Eigen::Index highest = 0;
    double least = 0.0;
    double most = 0.0;
    for (Eigen::Index k = 1; k < times_.size(); ++k) {
      const double r = times_(k) - times_(0) - static_cast<double>(k) * h;
      if (r < least) {
        least = r;
        lowest = k;
      } else if (r > most) {
        most = r;
        highest = k;
      }
    }
    return {s, most - least, static_cast<double>(lowest - highest) / last_};
  }

 private:
  const Eigen::VectorXd& times_;
  double last_;
  double mean_;
};

// A correction within [-bound, bound] for which the range is at most the limit. The next place to
// look is where the touching lines of both ends meet: no range in between is below that point.
std::optional<double> fitting_correction(const Residual& residual, double bound, double limit) {
  Residual::Range left = residual.range(-bound);
  Residual::Range right = residual.range(bound);
  Residual::Range middle = residual.range(0.0);
  for (int i = 0; i < kMostRefinements; ++i) {
    if (middle.value <= limit) {
      return middle.s;
    }
    (middle.slope < 0.0 ? left : right) = middle;
    if (!(left.slope < 0.0 && right.slope > 0.0)) {
      return std::nullopt;
    }
    const double meeting =
        (left.value - left.slope * left.s - right.value + right.slope * right.s) /
        (right.slope - left.slope);
    if (left.value + left.slope * (meeting - left.s) > limit || !(meeting > left.s) ||
        !(meeting < right.s)) {
      return std::nullopt;
    }
    middle = residual.range(meeting);
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> step_of_rounded_times(const Eigen::VectorXd& times) {
  if (times.size() < kFewestSamples) {
    return std::nullopt;
  }
  const Residual residual(times);
  const std::optional<double> unit = decimal_unit(times);
  if (!unit || !(*unit <= kCoarsest * residual.mean())) {
    return std::nullopt;
  }
  const double rounding = 8.0 * kEps * times.cwiseAbs().maxCoeff();
  const double limit = *unit + rounding;
  // Each end is off by at most u/2.
  const std::optional<double> s = fitting_correction(residual, limit, limit);
  if (!s) {
    return std::nullopt;
  }
  const auto fits = [&](double step) {
    const double correction = residual.correction(step);
    return step > 0.0 && std::abs(correction) <= limit && residual.range(correction).value <= limit;
  };
  const double step = residual.step(*s);
  for (int digits = 1; digits <= kStepDigits; ++digits) {
    for (const double plain : {rounded_to(step, digits), 1.0 / rounded_to(1.0 / step, digits)}) {
      if (fits(plain)) {
        return plain;
      }
    }
  }
  return step;
}

}  // namespace alembert::io
