#include "identify/free_decay/running_mean.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/detrend.hpp"

namespace alembert::identify {
namespace {

/// The integral of the polygon through samples, from the first one.
class Primitive {
 public:
  explicit Primitive(const Eigen::Ref<const Eigen::VectorXd>& values)
      : values_(values), sums_(Eigen::VectorXd::Zero(values.size())) {
    for (Eigen::Index k = 1; k < values.size(); ++k) {
      sums_(k) = sums_(k - 1) + 0.5 * (values(k - 1) + values(k));
    }
  }

  [[nodiscard]] double operator()(double position) const {
    const auto k = std::clamp(static_cast<Eigen::Index>(position), Eigen::Index{0},
                              std::max(values_.size() - 2, Eigen::Index{0}));
    const double s = position - static_cast<double>(k);
    // ∫ of y(k) + s (y(k+1) - y(k)) over [0, s]
    return sums_(k) + s * values_(k) + 0.5 * s * s * (values_(k + 1) - values_(k));
  }

 private:
  const Eigen::Ref<const Eigen::VectorXd>& values_;
  Eigen::VectorXd sums_;
};

}  // namespace

RunningMean running_mean(const Eigen::Ref<const Eigen::VectorXd>& values, double width) {
  RunningMean mean;
  const double half = 0.5 * width;
  const auto last_place = static_cast<double>(values.size() - 1);
  const double first = std::ceil(half);
  const double last = std::floor(last_place - half);
  if (values.size() < 2 || last < first) return mean;
  mean.first = static_cast<Eigen::Index>(first);
  mean.values.resize(static_cast<Eigen::Index>(last) - mean.first + 1);
  const Primitive integral(values);
  for (Eigen::Index i = 0; i < mean.values.size(); ++i) {
    const auto centre = static_cast<double>(mean.first + i);
    mean.values(i) = (integral(centre + half) - integral(centre - half)) / width;
  }
  return mean;
}

Eigen::VectorXd extended_mean(const Eigen::Ref<const Eigen::VectorXd>& values, double width) {
  const RunningMean inner = running_mean(values, width);
  if (inner.values.size() == 0) return Eigen::VectorXd::Constant(values.size(), values.mean());
  Eigen::VectorXd all(values.size());
  for (Eigen::Index k = 0; k < all.size(); ++k) {
    all(k) = inner.values(std::clamp(k - inner.first, Eigen::Index{0}, inner.values.size() - 1));
  }
  return all;
}

Eigen::VectorXd smooth_baseline(const Eigen::Ref<const Eigen::VectorXd>& values, double width,
                                double otherwise) {
  const double cycles = static_cast<double>(values.size()) / width;
  const RunningMean once = running_mean(values, width);
  RunningMean twice;
  if (cycles > 3.0) twice = running_mean(once.values, width);
  if (twice.values.size() < 8) return Eigen::VectorXd::Constant(values.size(), otherwise);
  Eigen::VectorXd known = Eigen::VectorXd::Constant(values.size(), kNaN);
  known.segment(once.first + twice.first, twice.values.size()) = twice.values;
  const int degree = cycles < 5.0 ? 0 : (cycles < 8.0 ? 1 : 2);
  return signal::polynomial_trend(known, degree);
}

}  // namespace alembert::identify
