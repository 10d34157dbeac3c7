#include "alembert/integrate/detail/scaled_system.hpp"

#include <string>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::integrate {

ScaledSystem scaled_system(std::string_view function, const model::SecondOrder& system,
                           double step) {
  check::positive(function, "step", step);
  const model::StateSpace form = model::state_space(system);
  const Eigen::Index n = system.degrees_of_freedom();
  ScaledSystem scaled{form.A, step * (step * form.B)};
  scaled.A.bottomLeftCorner(n, n) = step * (step * form.A.bottomLeftCorner(n, n));
  scaled.A.bottomRightCorner(n, n) *= step;
  if (!scaled.A.allFinite() || !scaled.B.allFinite()) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "step",
                        .rule = "must keep step² M⁻¹K and step² M⁻¹L finite",
                        .value = "an overflow"});
  }
  return scaled;
}

void set_input(OneStepMap& map, signal::BetweenSamples hold, const Eigen::MatrixXd& G) {
  const Eigen::Index m = G.cols() / hold_coefficients(hold);
  map.G = G;
  map.drive = hold == signal::BetweenSamples::Held     ? Drive::Begin
              : hold == signal::BetweenSamples::Linear ? Drive::Ends
                                                       : Drive::Polynomial;
  if (hold == signal::BetweenSamples::Linear) {
    // h u' = u(k+1) - u(k)
    map.G.leftCols(m) -= G.rightCols(m);
  }
}

}  // namespace alembert::integrate
