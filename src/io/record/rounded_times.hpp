#pragma once

#include <Eigen/Core>
#include <optional>

namespace alembert::io {

/// The step of a uniform axis whose times a program has rounded to d decimals, u = 10⁻ᵈ s:
///
///   |t(k) - (a + k h)| <= u/2 for some start a and step h, all t(k) multiples of u.
///
/// Of the steps h that fit, the one is taken that has the fewest digits as step or as rate 1/h.
/// nullopt where no step fits, where u is above h/8 (too coarse to tell rounded from uneven
/// times; 6 decimals reach 125 kHz), and below 16 samples (nearly anything fits).
/// @param times finite and strictly increasing.
[[nodiscard]] std::optional<double> step_of_rounded_times(const Eigen::VectorXd& times);

}  // namespace alembert::io
