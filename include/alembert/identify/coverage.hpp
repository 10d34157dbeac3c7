#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::identify {

/// Which coordinates are sensed and actuated, and what that allows.
struct Coverage {
  std::vector<Eigen::Index> sensed, actuated, collocated, uncovered;  ///< 0-based, ascending
  bool identifiable = false;  ///< every coordinate sensed or actuated, one of them both
  std::string advice;         ///< in words, empty if identifiable; coordinates by name
};
/// The structural rule for free symmetric M, D, K.
/// @param names of the coordinates; empty gives q1, q2, ...
[[nodiscard]] Coverage coverage(const Eigen::Ref<const Eigen::MatrixXd>& L,
                                const model::OutputMap& outputs,
                                const std::vector<std::string>& names = {});

}  // namespace alembert::identify
