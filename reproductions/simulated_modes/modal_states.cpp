#include "reproductions/simulated_modes/modal_states.hpp"

#include <complex>

namespace alembert::reproductions::simulated_modes {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

// x(k+1) = z x(k) + a f(k) + b f(k+1), z = exp(λ step), a + b = (z - 1)/λ,
// b = ((z - 1)/(λ step) - 1)/λ.
MatrixXcd modal_states(const VectorXcd& poles, const VectorXd& force, double step) {
  MatrixXcd states(force.size(), poles.size());
  for (Index r = 0; r < poles.size(); ++r) {
    const Complex z = std::exp(poles(r) * step);
    const Complex both = (z - 1.0) / poles(r);
    const Complex b = (both / step - 1.0) / poles(r);
    Complex x = 0.0;
    states(0, r) = x;
    for (Index k = 1; k < force.size(); ++k) {
      x = z * x + (both - b) * force(k - 1) + b * force(k);
      states(k, r) = x;
    }
  }
  return states;
}

Complex acceleration_factor(Complex pole) { return pole * pole / Complex(0.0, pole.imag()); }

MatrixXd accelerations(const KnownStructure& structure, const MatrixXcd& states,
                       const MatrixXd& loads) {
  MatrixXd modal = loads;
  for (Index r = 0; r < states.cols(); ++r) {
    modal.col(r) += (acceleration_factor(structure.poles(r)) * states.col(r)).real();
  }
  return modal * structure.shapes.transpose();
}

}  // namespace alembert::reproductions::simulated_modes
