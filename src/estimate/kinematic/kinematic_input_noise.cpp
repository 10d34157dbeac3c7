#include <algorithm>
#include <cmath>

#include "alembert/estimate/kinematic_input_model.hpp"

namespace alembert::estimate {

// (f(changed, x + a) - f(changed back, x - a))/2, where a reading changes by its σ; zero where a
// step fails.
void KinematicInputModel::half_difference(const Input& changed, double& reading, double sigma,
                                          std::span<const double> x,
                                          Eigen::Ref<Eigen::VectorXd> a) const noexcept {
  const std::size_t states = x.size();
  const double middle = reading;
  const auto move_by = [&](double sign) {
    reading = middle + sign * sigma;
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      moved_(i) = x[static_cast<std::size_t>(i)] + sign * a(i);
    }
  };
  move_by(1.0);
  process(changed, {moved_.data(), states}, {above_.data(), states});
  move_by(-1.0);
  process(changed, {moved_.data(), states}, {below_.data(), states});
  reading = middle;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double half = 0.5 * (above_(i) - below_(i));
    a(i) = std::isfinite(half) ? half : 0.0;
  }
}

void KinematicInputModel::input_spread(const Input& u, std::span<const double> x,
                                       Eigen::MatrixXd& D) const noexcept {
  std::copy(u.before.begin(), u.before.end(), changed_before_.begin());
  std::copy(u.now.begin(), u.now.end(), changed_now_.begin());
  const Input changed{u.step, changed_before_, changed_now_, u.random_walk};
  const auto inputs = static_cast<Eigen::Index>(sigmas_.size());
  const Eigen::Index lower = order_ * n_;  // rows of z and z'
  // ρ: what z'' keeps of the one before.
  const bool keeps = options_.scheme == AccelerationScheme::Newmark;
  const double rho = keeps ? (options_.gamma - 1.0) / options_.gamma : 0.0;
  const double new_share = std::sqrt(1.0 - rho * rho);
  for (Eigen::Index i = 0; i < inputs; ++i) {
    const auto k = static_cast<std::size_t>(i);
    Eigen::MatrixXd::ColXpr before = D.col(i);
    Eigen::MatrixXd::ColXpr now = D.col(inputs + i);
    // A = (∂f/∂u) σ
    now.setZero();
    half_difference(changed, changed_now_[k], sigmas_[k], x, now);
    // F A + (∂f/∂u₋) σ
    before = now;
    half_difference(changed, changed_before_[k], sigmas_[k], x, before);
    now.head(lower).setZero();
    now *= new_share;
  }
}

}  // namespace alembert::estimate
