#pragma once

#include <vector>

namespace alembert::model::equations {

/// What the evaluation of functions of an expression graph needs, for one thread.
struct GraphMemory {
  std::vector<std::vector<double>> prepared;   ///< of each function: what hangs on p alone
  std::vector<std::vector<double>> registers;  ///< of each function, for the interpreter
  std::vector<double> p;
};

}  // namespace alembert::model::equations
