#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "alembert/model/equations.hpp"

namespace alembert::model {

/// The right-hand sides f(t, x, u, p) of a model with their derivatives at many points at once:
/// each operation runs over a block of points, so that reading the program costs little. For
/// regressions, where all points are known beforehand.
class EquationBatch {
 public:
  static constexpr std::size_t kPoints = 128;  ///< in a block

  explicit EquationBatch(const EquationModel& model);

  /// @param parameters as many as the model has.
  void set_parameters(std::span<const double> parameters);

  /// Where the arguments of a block go: kPoints numbers each.
  [[nodiscard]] double* time();
  [[nodiscard]] double* state(std::size_t k);
  [[nodiscard]] double* input(std::size_t k);

  /// Evaluates the first `count` points of the block.
  void run(std::size_t count);

  /// Results of the last run, kPoints numbers each: component `row` of f and its derivatives with
  /// respect to states and parameters; nullptr where they are zero everywhere.
  [[nodiscard]] const double* value(std::size_t row) const;
  [[nodiscard]] const double* by_state(std::size_t row, std::size_t column) const;
  [[nodiscard]] const double* by_parameter(std::size_t row, std::size_t column) const;

 private:
  struct Code;

  [[nodiscard]] double* lane(std::size_t slot) { return lanes_.data() + slot * kPoints; }
  [[nodiscard]] const double* lane(std::size_t slot) const {
    return lanes_.data() + slot * kPoints;
  }
  void spread(std::size_t slot, double value);

  EquationModel model_;
  std::shared_ptr<const Code> code_;  // shared: immutable, copies use the same
  std::vector<double> lanes_;         // slots x points
  std::vector<double> scalars_;       // for what depends on parameters only
};

}  // namespace alembert::model
