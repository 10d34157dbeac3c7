#include "alembert/signal/window.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "alembert/core/check.hpp"
#include "signal/spectrum/bessel.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {
namespace {

// Σ_i (-1)^i a_i cos(2π i z)
double cosine_sum(double z, std::initializer_list<double> coefficients) {
  double sum = 0.0;
  double sign = 1.0;
  double order = 0.0;
  for (const double a : coefficients) {
    sum += sign * a * std::cos(2.0 * kPi * order * z);
    sign = -sign;
    order += 1.0;
  }
  return sum;
}

double kaiser(double z, double beta) {
  const double s = 2.0 * z - 1.0;
  return bessel_i0(beta * std::sqrt(1.0 - s * s)) / bessel_i0(beta);
}

double tukey(double z, double taper) {
  const double from_end = std::min(z, 1.0 - z);
  if (from_end >= 0.5 * taper) {
    return 1.0;
  }
  return 0.5 - 0.5 * std::cos(2.0 * kPi * from_end / taper);
}

double window_value(double z, const WindowOptions& options) {
  switch (options.kind) {
    case WindowKind::Rectangular:
      return 1.0;
    case WindowKind::Hann:
      return cosine_sum(z, {0.5, 0.5});
    case WindowKind::Hamming:
      return cosine_sum(z, {0.54, 0.46});
    case WindowKind::BlackmanHarris:
      return cosine_sum(z, {0.35875, 0.48829, 0.14128, 0.01168});
    case WindowKind::FlatTop:
      return cosine_sum(z, {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368});
    case WindowKind::Kaiser:
      return kaiser(z, options.beta);
    case WindowKind::Tukey:
      return tukey(z, options.taper);
    case WindowKind::HalfSine:
      return std::sin(kPi * z);
    case WindowKind::Exponential:
      return std::pow(options.end_level, z);
  }
  return 1.0;
}

}  // namespace

Eigen::VectorXd window(Eigen::Index length, const WindowOptions& options) {
  check::at_least("window", "length", length, 1);
  check::in_range("window", "beta", options.beta, 0.0, 500.0);
  check::in_range("window", "taper", options.taper, 0.0, 1.0);
  check::positive("window", "end_level", options.end_level);
  check::in_range("window", "end_level", options.end_level, 0.0, 1.0);
  Eigen::VectorXd w(length);
  for (Eigen::Index k = 0; k < length; ++k) {
    w(k) = window_value(static_cast<double>(k) / static_cast<double>(length), options);
  }
  return w;
}

double coherent_gain(const Eigen::Ref<const Eigen::VectorXd>& w) {
  check::at_least("coherent_gain", "size of w", w.size(), 1);
  return w.mean();
}

double noise_bandwidth(const Eigen::Ref<const Eigen::VectorXd>& w) {
  check::at_least("noise_bandwidth", "size of w", w.size(), 1);
  return static_cast<double>(w.size()) * w.squaredNorm() / (w.sum() * w.sum());
}

double overlap_correlation(const Eigen::Ref<const Eigen::VectorXd>& w, Eigen::Index shift) {
  check::at_least("overlap_correlation", "size of w", w.size(), 1);
  check::at_least("overlap_correlation", "shift", shift, 0);
  if (shift >= w.size()) {
    return 0.0;
  }
  const Eigen::Index common = w.size() - shift;
  const double r = w.head(common).dot(w.tail(common)) / w.squaredNorm();
  return r * r;
}

}  // namespace alembert::signal
