#pragma once

#include <limits>
#include <optional>
#include <string>

namespace alembert::optimize {

/// What is known of a parameter beforehand; adds the residual (θ - mean)/deviation. It has its
/// meaning only beside residuals that are divided by the standard deviation of their noise.
struct Prior {
  double mean = 0.0;
  double deviation = 1.0;  ///< > 0, unit of the parameter
};

/// θ = factor · θ_other.
struct Tie {
  std::string other;    ///< name of a parameter that is not tied itself
  double factor = 1.0;  ///< not zero
};

/// One entry of the parameter vector θ.
struct Parameter {
  std::string name;
  double guess = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  /// Size of a change that matters: solvers see θ/scale, or ln(θ)/scale if logarithmic. 0 takes
  /// |guess|; for a guess of zero a tenth of the range, else the size of the finite bound, else 1;
  /// and 1 if logarithmic.
  double scale = 0.0;
  bool logarithmic = false;  ///< searched as ln θ; needs a positive guess
  bool fixed = false;        ///< stays at its guess
  std::optional<Tie> tie = {};
  std::optional<Prior> prior = {};
};

/// How messages name a parameter, "parameter 'k'": the item of an InvalidInput that is about
/// it.
[[nodiscard]] std::string item_of(const std::string& parameter);

}  // namespace alembert::optimize
