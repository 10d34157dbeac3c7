#include "alembert/core/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <limits>

#include "alembert/core/not_a_number.hpp"

namespace alembert {

namespace {

// Mixes an index into a stream number so that children of different parents do not meet:
// the finaliser of SplitMix64 [Steele2014].
std::uint64_t mixed(std::uint64_t value) noexcept {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) noexcept {
  double sum = 0.0;
  for (std::size_t i = N; i-- > 0;) {
    sum = sum * x + coefficients[i];
  }
  return sum;
}

// Numerators and denominators of PPND16 [Wichura1988], lowest power first: the centre
// |p - 1/2| <= 0.425, the shoulder r <= 5 and the tail r > 5, where r = sqrt(-log(tail area)).
constexpr std::array<double, 8> kCentreUp = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                             1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                             4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                             3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array<double, 8> kCentreDown = {1.0,
                                               4.2313330701600911252e+1,
                                               6.8718700749205790830e+2,
                                               5.3941960214247511077e+3,
                                               2.1213794301586595867e+4,
                                               3.9307895800092710610e+4,
                                               2.8729085735721942674e+4,
                                               5.2264952788528545610e+3};
constexpr std::array<double, 8> kShoulderUp = {
    1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
    3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
    2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array<double, 8> kShoulderDown = {1.0,
                                                 2.05319162663775882187e0,
                                                 1.67638483018380384940e0,
                                                 6.89767334985100004550e-1,
                                                 1.48103976427480074590e-1,
                                                 1.51986665636164571966e-2,
                                                 5.47593808499534494600e-4,
                                                 1.05075007164441684324e-9};
constexpr std::array<double, 8> kTailUp = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr std::array<double, 8> kTailDown = {1.0,
                                             5.99832206555887937690e-1,
                                             1.36929880922735805310e-1,
                                             1.48753612908506148525e-2,
                                             7.86869131145613259100e-4,
                                             1.84631831751005468180e-5,
                                             1.42151175831644588870e-7,
                                             2.04426310338993978564e-15};

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) noexcept
    : seed_(seed), stream_(stream) {}

void RandomStream::refill() noexcept {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto high = [](std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32U); };
  const r123::Philox4x32::ctr_type counter = {
      {low(block_), high(block_), low(stream_), high(stream_)}};
  const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
  const r123::Philox4x32::ctr_type numbers = r123::Philox4x32()(counter, key);
  for (std::size_t i = 0; i < 4; ++i) {
    buffer_[i] = numbers[i];
  }
  ++block_;
  used_ = 0;
}

std::uint32_t RandomStream::bits() noexcept {
  if (used_ == 4) {
    refill();
  }
  return buffer_[static_cast<std::size_t>(used_++)];
}

double RandomStream::uniform() noexcept {
  const std::uint64_t upper = bits();
  const std::uint64_t lower = bits();
  const std::uint64_t fraction = ((upper << 32U) | lower) >> 12U;
  // (k + 1/2) / 2^52, k = 0 .. 2^52 - 1: exact in a double and never 0 or 1.
  return (static_cast<double>(fraction) + 0.5) * 0x1.0p-52;
}

double RandomStream::uniform(double lower, double upper) noexcept {
  return lower + (upper - lower) * uniform();
}

std::uint32_t RandomStream::below(std::uint32_t bound) noexcept {
  // Rejects the incomplete last block of 2^32 values, so that every remainder is equally likely.
  const std::uint32_t rejected = (0U - bound) % bound;
  std::uint32_t value = bits();
  while (value < rejected) {
    value = bits();
  }
  return value % bound;
}

double RandomStream::normal() noexcept { return normal_quantile(uniform()); }

Eigen::VectorXd RandomStream::normal_vector(Eigen::Index size) {
  Eigen::VectorXd values(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    values(i) = normal();
  }
  return values;
}

RandomStream RandomStream::child(std::uint64_t index) const noexcept {
  return RandomStream(seed_, mixed(mixed(stream_) ^ index));
}

double normal_quantile(double p) noexcept {
  if (!(p >= 0.0 && p <= 1.0)) {
    return kNaN;
  }
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kCentreUp, r) / polynomial(kCentreDown, r);
  }
  const double tail = q < 0.0 ? p : 1.0 - p;
  if (tail == 0.0) {
    return std::copysign(std::numeric_limits<double>::infinity(), q);
  }
  const double r = std::sqrt(-std::log(tail));
  const double value = r <= 5.0
                           ? polynomial(kShoulderUp, r - 1.6) / polynomial(kShoulderDown, r - 1.6)
                           : polynomial(kTailUp, r - 5.0) / polynomial(kTailDown, r - 5.0);
  return std::copysign(value, q);
}

}  // namespace alembert
