#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace alembert::document {

/// A matrix shown as a coloured grid (M, D, K, correlations), values on hover.
struct MatrixView {
  std::string id;
  std::string title;
  Eigen::MatrixXd values;
  std::vector<std::string> row_names, column_names;  ///< empty: 1, 2, ...
  std::string unit = {};
  std::string caption = {};
};

}  // namespace alembert::document
