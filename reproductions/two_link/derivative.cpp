#include "reproductions/two_link/derivative.hpp"

#include <limits>

#include "alembert/core/check.hpp"

namespace alembert::reproductions::two_link {

Eigen::VectorXd lanczos_weights(Eigen::Index half_width, double step) {
  check::at_least("lanczos_weights", "half_width", static_cast<long long>(half_width), 1);
  check::positive("lanczos_weights", "step", step);
  const auto m = static_cast<double>(half_width);
  const Eigen::VectorXd k = Eigen::VectorXd::LinSpaced(2 * half_width + 1, -m, m);
  // k / (h m (m + 1)(2m + 1)/3)
  return k / (step * m * (m + 1.0) * (2.0 * m + 1.0) / 3.0);
}

Eigen::VectorXd lanczos_derivative(const Eigen::Ref<const Eigen::VectorXd>& values,
                                   Eigen::Index half_width, double step) {
  const Eigen::VectorXd weights = lanczos_weights(half_width, step);
  Eigen::VectorXd slope =
      Eigen::VectorXd::Constant(values.size(), std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index k = half_width; k + half_width < values.size(); ++k) {
    slope(k) = weights.dot(values.segment(k - half_width, weights.size()));
  }
  return slope;
}

}  // namespace alembert::reproductions::two_link
