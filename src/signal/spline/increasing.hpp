#pragma once

#include <Eigen/Core>
#include <string_view>

namespace alembert::signal {

/// Checks that times are finite and strictly increasing.
/// @throws InvalidInput `function: argument must ..., got value at sample k` (1-based).
void check_increasing(std::string_view function, std::string_view argument,
                      const Eigen::Ref<const Eigen::VectorXd>& times);

}  // namespace alembert::signal
