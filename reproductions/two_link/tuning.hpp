#pragma once

#include "reproductions/two_link/observers.hpp"

/// Noise levels of the observers of the two links.
namespace alembert::reproductions::two_link {

/// Densities of the output form, one for each joint, of greatest likelihood of the readings of a
/// seed; the truth is not used.
[[nodiscard]] std::vector<double> likeliest_density(const Case& one, std::uint64_t seed);

/// Variances of the input form with the smallest errors against the truth, Σ ln rms of the four
/// columns, on the readings of a seed.
[[nodiscard]] std::vector<double> truest_variances(const Case& one, std::uint64_t seed);

}  // namespace alembert::reproductions::two_link
