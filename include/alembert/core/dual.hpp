#pragma once

#include <cmath>
#include <type_traits>

namespace alembert {

/// A number with its derivatives in W directions, a + Σ d_i ε_i with ε_i ε_j = 0: functions that
/// are templates of their scalar type yield exact Jacobians with it.
///
///   f(a + Σ d_i ε_i) = f(a) + f'(a) Σ d_i ε_i
template <typename T, int W>
struct Dual {
  T value = T(0);
  T slope[W] = {};

  Dual() = default;
  Dual(T number) : value(number) {}  // NOLINT: a constant has no slope; formulas mix both
  /// Other arithmetic types, so that 2 * x and x + 1.0 work for float too.
  template <typename Number,
            typename = std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>>>
  Dual(Number number) : value(static_cast<T>(number)) {}  // NOLINT: as above
  /// In one direction.
  Dual(T number, T derivative) requires(W == 1) : value(number), slope{derivative} {}

  /// The variable of direction i.
  static Dual variable(T number, int i) {
    Dual x(number);
    x.slope[i] = T(1);
    return x;
  }

  Dual& operator+=(const Dual& o) {
    value += o.value;
    for (int i = 0; i < W; ++i) slope[i] += o.slope[i];
    return *this;
  }
  Dual& operator-=(const Dual& o) {
    value -= o.value;
    for (int i = 0; i < W; ++i) slope[i] -= o.slope[i];
    return *this;
  }
  Dual& operator*=(const Dual& o) {
    for (int i = 0; i < W; ++i) slope[i] = slope[i] * o.value + value * o.slope[i];
    value *= o.value;
    return *this;
  }
  Dual& operator/=(const Dual& o) {
    value /= o.value;
    for (int i = 0; i < W; ++i) slope[i] = (slope[i] - value * o.slope[i]) / o.value;
    return *this;
  }

  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) { return chain(a, -a.value, T(-1)); }

  // With a constant, whose slopes need no arithmetic.
  friend Dual operator+(Dual a, T b) { return a.value += b, a; }
  friend Dual operator+(T a, Dual b) { return b.value += a, b; }
  friend Dual operator-(Dual a, T b) { return a.value -= b, a; }
  friend Dual operator-(T a, const Dual& b) { return chain(b, a - b.value, T(-1)); }
  friend Dual operator*(const Dual& a, T b) { return chain(a, a.value * b, b); }
  friend Dual operator*(T a, const Dual& b) { return chain(b, a * b.value, a); }
  friend Dual operator/(const Dual& a, T b) { return chain(a, a.value / b, T(1) / b); }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  /// A function value with its derivative df/dx: the chain rule.
  friend Dual chain(const Dual& x, T function, T derivative) {
    Dual y(function);
    for (int i = 0; i < W; ++i) y.slope[i] = derivative * x.slope[i];
    return y;
  }

  friend Dual sqrt(const Dual& x) {
    Dual root(std::sqrt(x.value));
    for (int i = 0; i < W; ++i) root.slope[i] = T(0.5) * x.slope[i] / root.value;
    return root;
  }
  friend Dual sin(const Dual& x) { return chain(x, std::sin(x.value), std::cos(x.value)); }
  friend Dual cos(const Dual& x) { return chain(x, std::cos(x.value), -std::sin(x.value)); }
  friend Dual tan(const Dual& x) {
    const T t = std::tan(x.value);
    return chain(x, t, T(1) + t * t);
  }
  friend Dual asin(const Dual& x) {
    return chain(x, std::asin(x.value), T(1) / std::sqrt(T(1) - x.value * x.value));
  }
  friend Dual acos(const Dual& x) {
    return chain(x, std::acos(x.value), T(-1) / std::sqrt(T(1) - x.value * x.value));
  }
  friend Dual atan(const Dual& x) {
    return chain(x, std::atan(x.value), T(1) / (T(1) + x.value * x.value));
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const T square = x.value * x.value + y.value * y.value;
    Dual angle(std::atan2(y.value, x.value));
    for (int i = 0; i < W; ++i) {
      angle.slope[i] = (x.value * y.slope[i] - y.value * x.slope[i]) / square;
    }
    return angle;
  }
  friend Dual exp(const Dual& x) {
    const T e = std::exp(x.value);
    return chain(x, e, e);
  }
  friend Dual log(const Dual& x) { return chain(x, std::log(x.value), T(1) / x.value); }
  friend Dual tanh(const Dual& x) {
    const T t = std::tanh(x.value);
    return chain(x, t, T(1) - t * t);
  }
  friend Dual pow(const Dual& x, T power) {
    return chain(x, std::pow(x.value, power), power * std::pow(x.value, power - T(1)));
  }
  friend Dual abs(const Dual& x) {
    return chain(x, std::abs(x.value), x.value < T(0) ? T(-1) : T(1));
  }
  friend Dual hypot(const Dual& x, const Dual& y) { return sqrt(x * x + y * y); }
};

/// The number itself, for decisions in formulas that are templates of their scalar type.
template <typename T, int W>
T value_of(const Dual<T, W>& x) {
  return x.value;
}
template <typename T, typename = std::enable_if_t<std::is_floating_point_v<T>>>
T value_of(T x) {
  return x;
}

}  // namespace alembert
