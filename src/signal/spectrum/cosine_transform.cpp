#include "alembert/signal/cosine_transform.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/signal/fft.hpp"

namespace alembert::signal {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

// x(0), x(2), x(4), .. and then the odd samples backwards: .. x(5), x(3), x(1).
VectorXd even_then_odd_backwards(const Eigen::Ref<const VectorXd>& x) {
  const Index n = x.size();
  VectorXd v(n);
  for (Index j = 0; j < n; j += 2) v(j / 2) = x(j);
  for (Index j = 1; j < n; j += 2) v(n - 1 - j / 2) = x(j);
  return v;
}

}  // namespace

Eigen::MatrixXd cosine_transform(const Eigen::Ref<const Eigen::MatrixXd>& columns) {
  const Index n = columns.rows();
  FftPlan plan(n);
  Eigen::VectorXcd turn(n);
  for (Index k = 0; k < n; ++k) {
    const double angle =
        -std::numbers::pi * static_cast<double>(k) / (2.0 * static_cast<double>(n));
    turn(k) = std::polar(std::sqrt((k == 0 ? 1.0 : 2.0) / static_cast<double>(n)), angle);
  }
  Eigen::MatrixXd result(n, columns.cols());
  for (Index c = 0; c < columns.cols(); ++c) {
    const Eigen::VectorXcd V = plan.forward_real(even_then_odd_backwards(columns.col(c)));
    // Sample 2j of x is sample j of v: cos(π k (4j + 1)/(2N)) = Re exp(-iπk/(2N)) exp(-2πi j k/N),
    // and an odd sample 2j + 1 stands at N-1-j, where the same expression gives its cosine.
    for (Index k = 0; k < n; ++k) {
      const Complex value = 2 * k <= n ? V(k) : std::conj(V(n - k));
      result(k, c) = (turn(k) * value).real();
    }
  }
  return result;
}

}  // namespace alembert::signal
