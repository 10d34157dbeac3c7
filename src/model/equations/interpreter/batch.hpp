#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model::equations {

/// The interpreter for many points at once: each operation runs over a block of points, so that
/// reading the program costs little. For regressions, where all points are known beforehand.
class BatchEvaluator {
 public:
  static constexpr std::size_t kPoints = 128;  ///< in a block

  /// Of f and its derivatives with respect to states and parameters. The program must outlive it.
  explicit BatchEvaluator(const Program& program);

  void set_parameters(std::span<const double> parameters);

  /// Where the arguments of a block go: kPoints numbers each.
  [[nodiscard]] double* time() { return lane(tapes_.time_slot); }
  [[nodiscard]] double* state(std::size_t k) { return lane(tapes_.state_slot + k); }
  [[nodiscard]] double* input(std::size_t k) { return lane(tapes_.input_slot + k); }

  /// Evaluates the first `count` points of the block.
  void run(std::size_t count);

  /// Results of the last run: component `row` of f and its derivatives; nullptr where they are zero
  /// everywhere.
  [[nodiscard]] const double* value(std::size_t row) const { return lane(tape_.values[row]); }
  [[nodiscard]] const double* by_state(std::size_t row, std::size_t column) const {
    return find(tape_.by_state, row, column);
  }
  [[nodiscard]] const double* by_parameter(std::size_t row, std::size_t column) const {
    return find(tape_.by_parameter, row, column);
  }

 private:
  [[nodiscard]] double* lane(std::size_t slot) { return lanes_.data() + slot * kPoints; }
  [[nodiscard]] const double* lane(std::size_t slot) const {
    return lanes_.data() + slot * kPoints;
  }
  [[nodiscard]] const double* find(const std::vector<EntrySlot>& entries, std::size_t row,
                                   std::size_t column) const;
  void spread(std::size_t slot, double value);

  const Program& program_;
  TapeSet tapes_;
  Tape tape_;
  std::vector<double> lanes_;    // slots x points
  std::vector<double> scalars_;  // for what depends on parameters only
};

}  // namespace alembert::model::equations
