#pragma once

#include <Eigen/Core>

namespace alembert::signal {

/// Weighted least-squares polynomial at all times; values with weight 0 count nothing, whatever
/// they are. The caller has checked: times increase, more than `degree` weights are positive.
[[nodiscard]] Eigen::VectorXd weighted_trend(const Eigen::Ref<const Eigen::VectorXd>& times,
                                             const Eigen::Ref<const Eigen::VectorXd>& values,
                                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                                             int degree);

}  // namespace alembert::signal
