#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "alembert/model/detail/equation_point.hpp"
#include "alembert/model/equations.hpp"

namespace alembert::model::equations {

struct FrozenModel;

/// A model whose kinks are held on one side, so that it is smooth, with memory of its own.
///
/// Every min, max, abs, sign, comparison and floor of the right-hand sides that depends on time,
/// states or inputs has a switch function, whose sign (or, for floor, the whole number) becomes one
/// more input. The outputs of point() are the switch functions.
class HeldKinks {
 public:
  explicit HeldKinks(const EquationModel& model);

  void set_parameters(std::span<const double> parameters);
  [[nodiscard]] std::size_t switches() const;
  /// Of each switch: the input is the whole number, not a sign.
  [[nodiscard]] const std::vector<bool>& is_floor() const;
  [[nodiscard]] EquationPoint point();

 private:
  std::shared_ptr<const FrozenModel> frozen_;  // shared: immutable, copies use the same
  std::vector<double> registers_;
};

}  // namespace alembert::model::equations
