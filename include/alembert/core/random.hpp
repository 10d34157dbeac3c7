#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace alembert {

/// A stream of random numbers that is a pure function of (seed, stream, position).
///
/// Counter-based generator Philox4x32-10 [Salmon2011] of the Random123 library: run i of a
/// study draws from stream i, so that results depend neither on the number of threads or
/// machines nor on the standard library's distributions.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) noexcept;

  /// The next 32 random bits.
  std::uint32_t bits() noexcept;
  /// Uniform in the open interval (0, 1), 52 random bits.
  double uniform() noexcept;
  /// Uniform in (lower, upper).
  double uniform(double lower, double upper) noexcept;
  /// Uniform integer in [0, bound), without modulo bias. bound must be positive.
  std::uint32_t below(std::uint32_t bound) noexcept;
  /// Standard normal, by inversion: Φ⁻¹(uniform()).
  double normal() noexcept;
  /// A vector of standard normal numbers.
  Eigen::VectorXd normal_vector(Eigen::Index size);

  /// An independent stream derived from this one's seed and stream (not from its position).
  [[nodiscard]] RandomStream child(std::uint64_t index) const noexcept;

 private:
  void refill() noexcept;

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t block_ = 0;
  std::array<std::uint32_t, 4> buffer_{};
  int used_ = 4;
};

/// Inverse of the standard normal distribution function, Φ⁻¹(p), 0 < p < 1.
/// Rational approximations of algorithm AS 241, PPND16 [Wichura1988], about 1e-16 relative.
/// Returns ±infinity at 1 and 0 and NaN outside [0, 1].
[[nodiscard]] double normal_quantile(double p) noexcept;

}  // namespace alembert
