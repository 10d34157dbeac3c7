#include "alembert/signal/hilbert.hpp"

#include "alembert/core/check.hpp"
#include "alembert/signal/fft.hpp"

namespace alembert::signal {

Eigen::VectorXcd analytic_signal(const Eigen::Ref<const Eigen::VectorXd>& values) {
  check::at_least("analytic_signal", "size of values", values.size(), 1);
  check::all_finite("analytic_signal", "values", values);
  const Eigen::Index n = values.size();
  FftPlan plan(n);
  const Eigen::VectorXcd half = plan.forward_real(values);
  Eigen::VectorXcd spectrum = Eigen::VectorXcd::Zero(n);
  for (Eigen::Index k = 0; k < half.size(); ++k) {
    const bool single = k == 0 || 2 * k == n;
    spectrum(k) = single ? half(k) : 2.0 * half(k);
  }
  return plan.inverse(spectrum);
}

}  // namespace alembert::signal
