#include "alembert/optimize/sampling.hpp"

#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/core/random.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;

constexpr int kBits = 32;

// Primitive polynomial x^s + a_1 x^(s-1) + ... + 1 over GF(2), its inner coefficients as the bits
// of `inner`, and the first s direction numbers; coordinates 2 to 21 of [JoeKuo2008].
struct SobolDirection {
  int degree;
  std::uint32_t inner;
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<SobolDirection, 20> kDirections = {{{1, 0, {1}},
                                                         {2, 1, {1, 3}},
                                                         {3, 1, {1, 3, 1}},
                                                         {3, 2, {1, 1, 1}},
                                                         {4, 1, {1, 1, 3, 3}},
                                                         {4, 4, {1, 3, 5, 13}},
                                                         {5, 2, {1, 1, 5, 5, 17}},
                                                         {5, 4, {1, 1, 5, 5, 5}},
                                                         {5, 7, {1, 1, 7, 11, 19}},
                                                         {5, 11, {1, 1, 5, 1, 1}},
                                                         {5, 13, {1, 1, 1, 3, 11}},
                                                         {5, 14, {1, 3, 5, 5, 31}},
                                                         {6, 1, {1, 3, 3, 9, 7, 49}},
                                                         {6, 13, {1, 1, 1, 15, 21, 21}},
                                                         {6, 16, {1, 3, 1, 13, 27, 49}},
                                                         {6, 19, {1, 1, 1, 15, 7, 5}},
                                                         {6, 22, {1, 3, 1, 15, 13, 25}},
                                                         {6, 25, {1, 1, 5, 5, 19, 61}},
                                                         {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                         {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};

// v_k = m_k 2^(32-k), m_k by the recurrence of the polynomial.
std::array<std::uint32_t, kBits> direction_numbers(Index coordinate) {
  std::array<std::uint32_t, kBits> v{};
  if (coordinate == 0) {
    for (int k = 0; k < kBits; ++k) v[static_cast<std::size_t>(k)] = 1U << (kBits - 1 - k);
    return v;
  }
  const SobolDirection& direction = kDirections[static_cast<std::size_t>(coordinate - 1)];
  const std::size_t s = static_cast<std::size_t>(direction.degree);
  for (std::size_t k = 0; k < v.size(); ++k) {
    if (k < s) {
      v[k] = direction.first[k] << (kBits - 1 - static_cast<int>(k));
      continue;
    }
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (std::size_t i = 1; i < s; ++i) {
      if ((direction.inner >> (s - 1 - i)) & 1U) v[k] ^= v[k - i];
    }
  }
  return v;
}

}  // namespace

Eigen::MatrixXd latin_hypercube(Index count, Index dimension, std::uint64_t seed) {
  check::at_least("latin_hypercube", "count", count, 1);
  check::at_least("latin_hypercube", "dimension", dimension, 1);
  Eigen::MatrixXd points(count, dimension);
  std::vector<Index> order(static_cast<std::size_t>(count));
  for (Index j = 0; j < dimension; ++j) {
    RandomStream random(seed, static_cast<std::uint64_t>(j));
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    for (Index i = 0; i < count; ++i) {
      points(i, j) = (static_cast<double>(order[static_cast<std::size_t>(i)]) + random.uniform()) /
                     static_cast<double>(count);
    }
  }
  return points;
}

Eigen::MatrixXd sobol(Index count, Index dimension, std::uint64_t seed) {
  check::at_least("sobol", "count", count, 1);
  check::in_range("sobol", "dimension", static_cast<double>(dimension), 1.0,
                  static_cast<double>(kMaxSobolDimension));
  Eigen::MatrixXd points(count, dimension);
  for (Index j = 0; j < dimension; ++j) {
    const auto v = direction_numbers(j);
    std::uint32_t x = seed == 0 ? 0U : RandomStream(seed, static_cast<std::uint64_t>(j)).bits();
    for (Index i = 0; i < count; ++i) {
      // The middle of the cell of width 2^-32.
      points(i, j) = (static_cast<double>(x) + 0.5) * 0x1p-32;
      // From one Gray code to the next one digit changes: the lowest zero of i.
      const int digit = std::countr_one(static_cast<std::uint64_t>(i));
      if (digit < kBits) x ^= v[static_cast<std::size_t>(digit)];
    }
  }
  return points;
}

}  // namespace alembert::optimize
