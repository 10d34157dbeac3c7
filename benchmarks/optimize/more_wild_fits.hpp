#pragma once

#include <Eigen/Core>

/// Those functions of More and Wild that fit a formula to measured numbers [More1981].
namespace alembert::test {

/// Whether the function, by its number in the published list, is one of them: Bard (8), Kowalik and
/// Osborne (9), Meyer (10), Osborne 1 (17), Osborne 2 (18).
[[nodiscard]] bool fits_measurements(int function);

/// Residual i, counted from 0.
[[nodiscard]] double measurement_misfit(int function, Eigen::Index i, const Eigen::VectorXd& x);

}  // namespace alembert::test
