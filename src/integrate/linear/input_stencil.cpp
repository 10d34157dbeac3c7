#include "alembert/integrate/detail/input_stencil.hpp"

#include "alembert/signal/spline.hpp"

namespace alembert::integrate {

InputStencil::InputStencil(Drive drive, const Eigen::Ref<const Eigen::MatrixXd>& input, double step)
    : drive_(drive), input_(input) {
  if (drive == Drive::Polynomial && input.rows() > 1 && input.cols() > 0) {
    slopes_ = signal::cubic_slopes(step, input);
    slopes_ *= step;
  }
}

Eigen::Index InputStencil::size() const noexcept {
  const Eigen::Index m = input_.cols();
  return drive_ == Drive::Begin ? m : drive_ == Drive::Ends ? 2 * m : 4 * m;
}

void InputStencil::fill(Eigen::Index first, Eigen::Ref<Eigen::MatrixXd> block) const {
  const Eigen::Index m = input_.cols();
  const Eigen::Index count = block.cols();
  if (m == 0) {
    return;
  }
  block.topRows(m) = input_.middleRows(first, count).transpose();
  if (drive_ == Drive::Ends) {
    block.bottomRows(m) = input_.middleRows(first + 1, count).transpose();
  } else if (drive_ == Drive::Polynomial) {
    for (Eigen::Index column = 0; column < count; ++column) {
      for (Eigen::Index i = 0; i < m; ++i) {
        const Eigen::Index k = first + column;
        const double slope = slopes_(k, i);
        const double next = slopes_(k + 1, i);
        const double rise = input_(k + 1, i) - input_(k, i);
        block(m + i, column) = slope;
        // h² u'' = 6 Δ - 4 h u' - 2 h u'₊,   h³ u''' = 6 h u' + 6 h u'₊ - 12 Δ
        block(2 * m + i, column) = 6.0 * rise - 4.0 * slope - 2.0 * next;
        block(3 * m + i, column) = 6.0 * (slope + next) - 12.0 * rise;
      }
    }
  }
}

}  // namespace alembert::integrate
