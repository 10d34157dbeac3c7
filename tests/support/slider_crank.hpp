#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <span>
#include <type_traits>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/dual.hpp"

/// A slider-crank mechanism in closed form, with an encoder on the crank and an accelerometer on
/// the slider: the reference model of the filters.
///
/// The slider moves along y; crank angle θ from x. s = L₁ sin θ + r, r = √(L₂² - L₁² cos² θ), and
/// the accelerometer reads a = s'(θ) α + s''(θ) ω².
namespace alembert::test::slider_crank {

inline constexpr double kCrank = 0.14;                  // L₁, m
inline constexpr double kRod = 0.56;                    // L₂, m
inline constexpr double kStep = 1e-3;                   // s
inline constexpr double kAngleDeviation = 0.003;        // rad
inline constexpr double kAccelerationDeviation = 0.03;  // m/s²

/// s' and s'' of the crank angle, and r.
template <typename T>
struct Slopes {
  T first, second, r;
};

template <typename T>
Slopes<T> slopes(const T& angle) {
  using Number = decltype(estimate::value_of(angle));
  using std::cos, std::sin, std::sqrt;
  constexpr Number l1 = static_cast<Number>(kCrank);
  constexpr Number l2 = static_cast<Number>(kRod);
  const T s = sin(angle);
  const T c = cos(angle);
  const T a = l1 * c;
  const T r = sqrt(l2 * l2 - a * a);
  const T b = l1 * s;
  // r' = L₁² sin θ cos θ / r,  r'' = (L₁² (cos² θ - sin² θ) - r'²) / r
  const T inverse = Number(1) / r;
  const T slope = a * b * inverse;
  return {a + slope, (a * a - b * b - slope * slope) * inverse - b, r};
}

/// |θ - θ_rod - kπ| <= half_width: near a dead centre. |sin(θ - θ_rod)| = |s'| r / (L₁ L₂).
inline bool near_dead_centre(double angle, double half_width) {
  const Slopes<double> at = slopes(angle);
  return std::abs(at.first) * at.r <= kCrank * kRod * std::sin(half_width);
}

/// The output form: state (θ, ω, α) or with the jerk, outputs encoder and accelerometer, a motion
/// model of white noise in the next derivative.
template <typename Real, int N>
struct OutputForm {
  using Scalar = Real;
  struct Input {};
  static constexpr int kStates = N;
  static constexpr int kOutputs = 2;
  bool output_is_angle(int i) const { return i == 0; }

  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    const Real h = static_cast<Real>(kStep);
    for (int i = 0; i < N; ++i) {
      // Taylor's series, by Horner's rule
      T sum = x[N - 1];
      for (int j = N - 1; j > i; --j) {
        sum = x[static_cast<std::size_t>(j - 1)] + (h / static_cast<Real>(j - i)) * sum;
      }
      next[static_cast<std::size_t>(i)] = sum;
    }
  }

  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    const Slopes<T> at = slopes(x[0]);
    y[0] = x[0];
    y[1] = at.first * x[2] + at.second * x[1] * x[1];
  }

  /// Covariance of white noise of this intensity in the N-th derivative over a step.
  static Eigen::Matrix<Real, N, N> noise(double intensity) {
    Eigen::Matrix<Real, N, N> q;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        const int a = N - 1 - i;
        const int b = N - 1 - j;
        q(i, j) = static_cast<Real>(intensity * std::pow(kStep, a + b + 1) /
                                    (std::tgamma(a + 1) * std::tgamma(b + 1) * (a + b + 1)));
      }
    }
    return q;
  }
};

/// The output form of three states with its derivatives by hand.
struct OutputFormByHand : OutputForm<double, 3> {
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::Matrix3d& F) const {
    process(u, x, next);
    F << 1.0, kStep, 0.5 * kStep * kStep, 0.0, 1.0, kStep, 0.0, 0.0, 1.0;
  }

  void output_jacobian(const Input&, std::span<const double> x, std::span<double> y,
                       Eigen::Matrix<double, 2, 3>& H) const {
    const Slopes<double> at = slopes(x[0]);
    const double a = kCrank * std::cos(x[0]);
    const double b = kCrank * std::sin(x[0]);
    // r r' = a b, and with a' = -b, b' = a: r''' = (-4 a b - 3 r' r'')/r
    const double third = (-4.0 * a * b - 3.0 * (at.first - a) * (at.second + b)) / at.r - a;
    y[0] = x[0];
    y[1] = at.first * x[2] + at.second * x[1] * x[1];
    H << 1.0, 0.0, 0.0, at.second * x[2] + third * x[1] * x[1], 2.0 * at.second * x[1], at.first;
  }
};

/// The input form: the accelerometer drives the model, ω⁺ = ω + h f, α⁺ = f with
/// f = (u - s'' ω²)/s'; near dead centres a random walk of α. Output: the encoder.
struct InputForm {
  using Scalar = double;
  struct Input {
    double acceleration = 0.0;
    bool frozen = false;  ///< near a dead centre
  };
  static constexpr int kStates = 3;
  static constexpr int kOutputs = 1;
  bool output_is_angle(int) const { return true; }

  template <typename T>
  void process(const Input& u, std::span<const T> x, std::span<T> next) const {
    T acceleration = x[2];
    if (!u.frozen) {
      const Slopes<T> at = slopes(x[0]);
      acceleration = (u.acceleration - at.second * x[1] * x[1]) / at.first;
    }
    next[0] = x[0] + kStep * x[1];
    next[1] = x[1] + kStep * acceleration;
    next[2] = acceleration;
  }

  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

/// The motion θ = 12.56 t + (1.256/4π) sin 4πt with derivatives, and what the sensors read.
struct Sample {
  Eigen::Vector4d truth;  ///< θ, ω, α, jerk
  double encoder = 0.0;   ///< wrapped to one turn
  double acceleration = 0.0;
};

inline std::vector<Sample> record(double seconds, std::uint64_t seed) {
  RandomStream random(seed);
  const auto count = static_cast<std::size_t>(std::lround(seconds / kStep));
  std::vector<Sample> samples(count);
  const double f = 4.0 * std::numbers::pi;
  for (std::size_t k = 0; k < count; ++k) {
    const double t = kStep * static_cast<double>(k);
    const double s = std::sin(f * t);
    const double c = std::cos(f * t);
    Sample& sample = samples[k];
    sample.truth << 12.56 * t + 1.256 / f * s, 12.56 + 1.256 * c, -1.256 * f * s,
        -1.256 * f * f * c;
    const Slopes<double> at = slopes(sample.truth(0));
    sample.encoder =
        std::remainder(sample.truth(0) + kAngleDeviation * random.normal(), 2.0 * std::numbers::pi);
    sample.acceleration = at.first * sample.truth(2) +
                          at.second * sample.truth(1) * sample.truth(1) +
                          kAccelerationDeviation * random.normal();
  }
  return samples;
}

/// Root mean square errors of speed and acceleration, averages of NEES and NIS, all after 0.5 s.
class Score {
 public:
  void add(double t, double speed_error, double acceleration_error, double nees, double nis) {
    if (t < 0.5) return;
    speed_ += speed_error * speed_error;
    acceleration_ += acceleration_error * acceleration_error;
    nees_ += nees;
    nis_ += nis;
    ++count_;
  }
  [[nodiscard]] double speed() const { return std::sqrt(speed_ / count_); }
  [[nodiscard]] double acceleration() const { return std::sqrt(acceleration_ / count_); }
  [[nodiscard]] double nees() const { return nees_ / count_; }
  [[nodiscard]] double nis() const { return nis_ / count_; }

 private:
  double speed_ = 0.0, acceleration_ = 0.0, nees_ = 0.0, nis_ = 0.0;
  int count_ = 0;
};

}  // namespace alembert::test::slider_crank
