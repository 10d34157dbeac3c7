#pragma once

#include <Eigen/Core>
#include <cstdint>

/// Points that fill the unit cube more evenly than random ones, for the starts of a search.
namespace alembert::optimize {

/// One random point in each of `count` equal slices of every coordinate.
/// @return count x dimension, entries in (0, 1). @throws InvalidInput unless both are positive.
[[nodiscard]] Eigen::MatrixXd latin_hypercube(Eigen::Index count, Eigen::Index dimension,
                                              std::uint64_t seed);

inline constexpr Eigen::Index kMaxSobolDimension = 21;

/// The first `count` points of Sobol's sequence with the direction numbers of [JoeKuo2008], shifted
/// digit by digit at random (seed 0: not shifted). Of each 2ᵏ points in a row from a multiple
/// of 2ᵏ, each of 2ᵏ equal slices of every coordinate holds one.
/// @return count x dimension, entries in (0, 1).
/// @throws InvalidInput unless count is positive and dimension in [1, kMaxSobolDimension].
[[nodiscard]] Eigen::MatrixXd sobol(Eigen::Index count, Eigen::Index dimension, std::uint64_t seed);

}  // namespace alembert::optimize
