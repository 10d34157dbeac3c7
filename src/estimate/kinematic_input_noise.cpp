#include <algorithm>
#include <cmath>

#include "alembert/estimate/kinematic_input_model.hpp"

namespace alembert::estimate {

void KinematicInputModel::input_spread(const Input& u, std::span<const double> x,
                                       Eigen::MatrixXd& D) const noexcept {
  const std::size_t inputs = sigmas_.size();
  std::copy(u.before.begin(), u.before.end(), changed_before_.begin());
  std::copy(u.now.begin(), u.now.end(), changed_now_.begin());
  const Input changed{u.step, changed_before_, changed_now_, u.random_walk};
  const std::size_t states = x.size();
  for (std::size_t i = 0; i < 2 * inputs; ++i) {
    double& reading = i < inputs ? changed_before_[i] : changed_now_[i - inputs];
    const double middle = reading;
    const double sigma = sigmas_[i % inputs];
    reading = middle + sigma;
    process(changed, x, {above_.data(), states});
    reading = middle - sigma;
    process(changed, x, {below_.data(), states});
    reading = middle;
    // D_i = (f(u + σ e_i) - f(u - σ e_i))/2
    for (Eigen::Index row = 0; row < D.rows(); ++row) {
      const double half = 0.5 * (above_(row) - below_(row));
      D(row, static_cast<Eigen::Index>(i)) = std::isfinite(half) ? half : 0.0;
    }
  }
}

}  // namespace alembert::estimate
