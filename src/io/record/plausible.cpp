#include "io/record/plausible.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "alembert/core/text.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io {
namespace {

// log2 of 1e60 and of 1e200.
constexpr int kFar = 200;
constexpr int kApart = 664;
constexpr std::uint64_t kExponents = 0x7ff;

// Whether all numbers but 0, infinity and NaN lie within kFar powers of two: then none is odd.
// Exponents alone are looked at, without branches, because every sample of every file comes here.
bool lie_close(const double* values, Eigen::Index count) {
  std::uint64_t largest = 0;
  std::uint64_t smallest = kExponents;
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto bits = std::bit_cast<std::uint64_t>(values[k]);
    const std::uint64_t exponent = (bits >> 52U) & kExponents;
    const bool counts = exponent != kExponents && (bits << 1U) != 0;
    largest = std::max(largest, counts ? exponent : 0);
    smallest = std::min(smallest, counts ? exponent : kExponents);
  }
  // Numbers below 2^-1022 share the exponent 0 and may lie 52 powers of two further down.
  return largest < smallest + kFar - 52;
}

bool counts(double value) { return std::isfinite(value) && value != 0.0; }

bool far_apart(double a, double b) {
  const int one = std::ilogb(a);
  const int other = std::ilogb(b);
  const int distance = std::abs(one - other);
  return distance >= kApart || (distance >= kFar && std::max(one, other) >= kFar);
}

bool is_tiny_beside(double value, double neighbour) {
  return std::ilogb(neighbour) - std::ilogb(value) >= kFar;
}

// Of two that do not fit, the one further from 1.
bool is_odder(double value, double than) {
  return std::abs(std::ilogb(value)) >= std::abs(std::ilogb(than));
}

}  // namespace

std::optional<Oddity> first_oddity(const double* values, Eigen::Index count) {
  if (lie_close(values, count)) return std::nullopt;
  Eigen::Index last = -1;
  Eigen::Index before = -1;  // the one before the last
  for (Eigen::Index k = 0; k < count; ++k) {
    if (!counts(values[k])) continue;
    if (last >= 0 && far_apart(values[last], values[k])) {
      const bool here = is_odder(values[k], values[last]);
      return Oddity{here ? k : last, values[here ? k : last], values[here ? last : k]};
    }
    if (before >= 0 && is_tiny_beside(values[last], values[before]) &&
        is_tiny_beside(values[last], values[k])) {
      return Oddity{last, values[last], values[k]};
    }
    before = last;
    last = k;
  }
  return std::nullopt;
}

std::string describe(const Oddity& oddity) {
  return fmt::format("sample {} is {} next to {}: no measurement (damaged file?)",
                     oddity.sample + 1, shortest(oddity.value), shortest(oddity.other));
}

void require_plausible(const Place& place, const signal::Record& record) {
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    if (const auto odd = first_oddity(record.samples().col(c).data(), record.size())) {
      const std::string& name = record.channels()[static_cast<std::size_t>(c)].name;
      throw DataError(place, fmt::format("channel {}: {}", excerpt(name), describe(*odd)));
    }
  }
  if (record.time().is_uniform()) {
    const double step = record.time().step();
    if (record.size() > 1 && std::abs(std::ilogb(step)) >= kFar) {
      throw DataError(
          place, fmt::format("a step of {} s: no measurement (damaged file?)", shortest(step)));
    }
    return;
  }
  const Eigen::VectorXd times = record.time().times();
  if (const auto odd = first_oddity(times.data(), times.size())) {
    throw DataError(place, fmt::format("the times: {}", describe(*odd)));
  }
}

void require_plausible(const Place& place, const Eigen::MatrixXd& matrix) {
  for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
    if (const auto odd = first_oddity(matrix.col(c).data(), matrix.rows())) {
      throw DataError(place, fmt::format("column {}: {}", c + 1, describe(*odd)));
    }
  }
}

}  // namespace alembert::io
