#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "support/matrices_near.hpp"
#include "unit/reduce/backward_error.hpp"
#include "unit/reduce/random_structures.hpp"

namespace alembert::test {

// The end of a band in the widest gap among modes 12 to 60: how many modes lie below, and the
// frequency.
inline std::pair<Eigen::Index, double> widest_gap(const reduce::StructureModes& all) {
  const auto ratio = [&](Eigen::Index i) {
    return all.frequency_hz(i) / std::max(1e-3, all.frequency_hz(i - 1));
  };
  Eigen::Index at = 12;
  for (Eigen::Index i = 12; i < std::min<Eigen::Index>(all.count() - 1, 60); ++i) {
    if (ratio(i) > ratio(at)) at = i;
  }
  return {at, 0.5 * (all.frequency_hz(at - 1) + all.frequency_hz(at))};
}

inline double largest_ratio(const model::Structure& s) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const double mass = s.M.coeff(i, i);
    if (mass > 0.0) largest = std::max(largest, s.K.coeff(i, i) / mass);
  }
  return largest;
}

// Clusters, repeated frequencies, free bodies, massless coordinates: the number found is that of
// the inertia, which is that of LAPACK on the dense matrices.
inline void expect_none_missing(std::uint64_t seed) {
  const RandomStructure random = random_structure(seed);
  const model::Structure& s = random.structure;
  SCOPED_TRACE(fmt::format("seed {}: {} rows, {} copies, massless {}", seed, s.size(),
                           random.copies, random.massless));
  const reduce::StructureModes dense =
      reduce::modes_in_band(s.K, s.M, 0.0, 1e9, {.dense_below = 100'000});
  ASSERT_GT(dense.count(), 12);
  const auto [count, to] = widest_gap(dense);
  reduce::ModesOptions options{.dense_below = 0};
  options.block = seed % 2 == 0 ? 4 : 8;
  options.per_shift = 20;
  // Shifts lie inside the band, or below 0 by 1e-7 of the largest K_ii/M_ii.
  const double reach = std::pow(2.0 * std::numbers::pi * to, 2) + 1e-7 * largest_ratio(s);
  const reduce::StructureModes modes = reduce::modes_in_band(s.K, s.M, 0.0, to, options);
  EXPECT_TRUE(modes.ok()) << modes.message;
  EXPECT_EQ(modes.counted, count);
  ASSERT_EQ(modes.count(), count);
  // Both compute ω² to about 1e-13 of the largest one, of some 1e12 rad²/s².
  EXPECT_TRUE(matrices_near(modes.eigenvalue, dense.eigenvalue.head(count), {.rel = 1e-6}));
  EXPECT_LT(residual_over_limit(s, modes, reach, options.tolerance), 1.0);
  const reduce::StructureModes low = reduce::lowest_modes(s.K, s.M, count, options);
  EXPECT_TRUE(low.proven()) << low.message;
  EXPECT_EQ(low.count(), count);
  EXPECT_LT(residual_over_limit(s, low, reach, options.tolerance), 1.0);
}

}  // namespace alembert::test
