#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "alembert/model/equations.hpp"

/// What the graph of a model says about it, for methods that need more than numbers.
namespace alembert::model {

/// How a right-hand side f depends on an input.
struct InputSlope {
  enum class Kind { Zero, Constant, Varying };

  Kind kind = Kind::Zero;
  double value = 0.0;  ///< ∂f/∂u where it is constant
};

/// How the derivative of a state depends on an input.
[[nodiscard]] InputSlope input_slope(const EquationModel& model, std::size_t state,
                                     std::size_t input);

/// Entry [j][k]: whether ∂f/∂p_j of a state contains p_k. f is linear in parameters none of whose
/// rows has one of them.
[[nodiscard]] std::vector<std::vector<bool>> parameters_in_slopes(const EquationModel& model,
                                                                  std::size_t state);

/// The operations in the right-hand sides of a model that jump: sign, floor and comparisons.
class JumpingParts {
 public:
  /// @param comparisons count too; most switch between branches that meet.
  explicit JumpingParts(const EquationModel& model, bool comparisons = true);

  [[nodiscard]] bool empty() const { return watched_.empty(); }
  /// Their values at a point; a jump lies between two points at which they differ.
  [[nodiscard]] const std::vector<double>& at(double t, const double* x, const double* u,
                                              const double* parameters);

 private:
  EquationModel model_;
  std::vector<std::uint32_t> watched_;  // nodes
  std::vector<double> nodes_, values_;
};

}  // namespace alembert::model
