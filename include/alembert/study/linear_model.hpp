#pragma once

#include <string>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::study {

/// The table [model] with matrices: M q'' + D q' + K q = L u, with names and units for everything.
struct LinearModel {
  model::SecondOrder system;
  std::vector<std::string> coordinates;         ///< n names, q1, q2, ... by default
  std::vector<std::string> inputs;              ///< m names, u1, u2, ... by default
  std::vector<std::string> displacement_units;  ///< n labels
  std::vector<std::string> velocity_units;      ///< n labels
  std::vector<std::string> acceleration_units;  ///< n labels
  std::vector<std::string> force_units;         ///< m labels
};

}  // namespace alembert::study
