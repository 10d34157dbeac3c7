#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::benchmark {

/// What one run found about the parameters whose truth is known.
struct CoverageRun {
  bool ok = false;
  Eigen::VectorXd error;      ///< estimate less truth
  Eigen::VectorXd deviation;  ///< that is shown
  Eigen::VectorXd margin;     ///< half of the 95 % interval
  Eigen::VectorXd white;      ///< deviation if the residuals were white
  optimize::Knowledge knowledge = optimize::Knowledge::Known;
};

/// A task on a simulated record.
struct CoverageProblem {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> noises;  ///< a row of the table for each
  /// Makes a record with noise and identifies it. Depends on nothing but its arguments.
  std::function<CoverageRun(const std::string& noise, std::uint64_t run)> identify;
};

[[nodiscard]] std::vector<CoverageProblem> coverage_problems();

}  // namespace alembert::benchmark
