#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/linear.hpp"

/// What summary() of a linear identification and the command-line tool say in the same words.
namespace alembert::identify {

/// "8 displacements", "2 displacements and 1 acceleration"
[[nodiscard]] std::string sensor_words(const model::OutputMap& outputs);

/// Shares of M, D and K in per cent: "M 0.2 %  D 3.1 %  K 0.1 %"
[[nodiscard]] std::string percent_words(const Eigen::Vector3d& shares);

/// Definiteness, and after a refinement the condition and the expected errors.
[[nodiscard]] std::string result_words(const LinearIdentification& fit);

/// A standard deviation; "-" where there is none.
[[nodiscard]] std::string deviation_words(double deviation);

/// "fit 98.1 to 99.0 %, residuals white"
/// @param where after the fit: " on 300 held-back samples".
[[nodiscard]] std::string fit_range_words(const std::vector<ResidualVerdict>& outputs,
                                          const std::string& where = "");

/// A remark with its channel before it.
[[nodiscard]] std::string remark_words(const DataRemark& remark);

}  // namespace alembert::identify
