#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/equations.hpp"

/// The functions of a model as portable C, for programs that stand alone.
namespace alembert::model {

/// The numbers of a program in C.
enum class CNumber { Double, Float };

constexpr auto enum_names(CNumber) {
  return std::to_array<EnumName<CNumber>>({{CNumber::Double, "double"}, {CNumber::Float, "float"}});
}

/// How many operations some code does; where it branches, the dearest way.
struct OperationCount {
  std::size_t sums = 0;  ///< additions, subtractions, signs, comparisons, choices
  std::size_t products = 0;
  std::size_t divisions = 0;  ///< with square roots
  std::size_t functions = 0;  ///< of the library of C: sine, exponential, power, ...
  std::size_t lookups = 0;    ///< in tables, each with a search by halves

  [[nodiscard]] std::size_t total() const {
    return sums + products + divisions + functions + lookups;
  }
  OperationCount& operator+=(const OperationCount& other);
};
/// That code so many times.
[[nodiscard]] OperationCount operator*(std::size_t times, const OperationCount& count);

struct EquationFunctionsOptions {
  CNumber number = CNumber::Double;
  bool start = true;       ///< whether start() is wanted
  bool jacobians = false;  ///< also derivatives_by_state() and outputs_by_state()
};

/// Static functions in C99 that need `math.h` and a type `real`, with x, u, p the states, inputs
/// and parameters of the model, in its order, and w what depends on parameters only:
///
///   void prepare(const real* p, real* w)
///   void start(const real* u, const real* p, const real* w, real* x)
///   void derivatives(real t, const real* x, const real* u, const real* p, const real* w, real* r)
///   void outputs(...)               the same with y in r
///   void derivatives_by_state(..., real* j)   r and the entries of ∂f/∂x that may differ from
///   void outputs_by_state(..., real* j)       zero, row by row with one column per state
struct EquationFunctions {
  std::string text;
  std::size_t prepared = 0;   ///< numbers in w
  std::size_t variables = 0;  ///< local ones of the largest function
  OperationCount of_prepare, of_start, of_derivatives, of_outputs;
  OperationCount of_derivatives_by_state, of_outputs_by_state;
};

/// The functions of a model.
[[nodiscard]] EquationFunctions equation_functions(const EquationModel& model,
                                                   const EquationFunctionsOptions& options = {});

}  // namespace alembert::model
