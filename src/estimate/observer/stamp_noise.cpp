#include "estimate/observer/stamp_noise.hpp"

#include <span>

namespace alembert::estimate {

StampNoise::StampNoise(double jitter, const DynamicNoise& r, Eigen::Index states)
    : jitter_(jitter),
      sum_(r),
      covariance_(r.covariance()),
      later_(Eigen::VectorXd::Zero(states)),
      now_(Eigen::VectorXd::Zero(covariance_.rows())),
      then_(now_) {}

const DynamicNoise& StampNoise::at(const ObservedModel& model, const ObservedInput& u,
                                   const Eigen::VectorXd& mean, const DynamicNoise& r) noexcept {
  const auto span_of = [](Eigen::VectorXd& v) {
    return std::span<double>(v.data(), static_cast<std::size_t>(v.size()));
  };
  ObservedInput little = u;
  little.step = jitter_;
  const std::span<const double> x(mean.data(), static_cast<std::size_t>(mean.size()));
  model.process(little, x, span_of(later_));
  model.output(u, {later_.data(), static_cast<std::size_t>(later_.size())}, span_of(then_));
  model.output(u, x, span_of(now_));
  then_ -= now_;
  if (!then_.allFinite()) return r;
  covariance_ = r.covariance();
  covariance_.noalias() += then_.lazyProduct(then_.transpose());
  return sum_.assign(covariance_) ? sum_ : r;
}

}  // namespace alembert::estimate
