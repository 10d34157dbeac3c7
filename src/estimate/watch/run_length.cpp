#include "alembert/estimate/watch/run_length.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLongest = 1e13;  // beyond, rounding of 1 − ∫ decides
constexpr double kLargestLimit = 300.0;
// Mean overshoot of both ends of a random walk, of which the cumulative sum is one.
constexpr double kOvershoot = 1.166;

double normal_density(double x) {
  return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
}

double normal_probability(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

struct GaussRule {
  VectorXd nodes, weights;  // on [0, h]
};

// Roots of the Legendre polynomial P_n by Newton's method, w = 2/((1 − x²) P_n'²).
GaussRule gauss_rule(Index n, double h) {
  GaussRule rule{VectorXd(n), VectorXd(n)};
  const auto order = static_cast<double>(n);
  for (Index i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (order + 0.5));
    double slope = 1.0;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double before = 1.0;
      double value = x;
      for (Index k = 2; k <= n; ++k) {
        const auto j = static_cast<double>(k);
        const double next = ((2.0 * j - 1.0) * x * value - (j - 1.0) * before) / j;
        before = value;
        value = next;
      }
      slope = order * (x * value - before) / (x * x - 1.0);
      x -= value / slope;
    }
    rule.nodes(i) = 0.5 * h * (1.0 - x);
    rule.weights(i) = h / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

// The run length is exp(2kb)/(2k²) for large b = h + 1.166, by which the search begins.
double first_limit(double k, double run_length) {
  return std::log1p(2.0 * k * k * run_length) / (2.0 * k) - kOvershoot;
}

}  // namespace

double cusum_run_length(double reference, double limit, double shift, double start) {
  const char* const name = "cusum_run_length";
  check::non_negative(name, "reference", reference);
  check::positive(name, "limit", limit);
  check::in_range(name, "limit", limit, 0.0, kLargestLimit);
  check::finite(name, "shift", shift);
  check::in_range(name, "start", start, 0.0, limit);
  // The kernel is a bell of width 1: four nodes for each of it.
  const auto nodes = static_cast<Index>(24.0 + std::ceil(4.0 * limit));
  const GaussRule rule = gauss_rule(nodes, limit);
  const double drift = reference - shift;
  // The first unknown is L(0), then L at the nodes.
  MatrixXd A = MatrixXd::Identity(nodes + 1, nodes + 1);
  const auto fill = [&](Index row, double s) {
    A(row, 0) -= normal_probability(drift - s);
    for (Index j = 0; j < nodes; ++j) {
      A(row, j + 1) -= rule.weights(j) * normal_density(rule.nodes(j) - s + drift);
    }
  };
  fill(0, 0.0);
  for (Index i = 0; i < nodes; ++i) fill(i + 1, rule.nodes(i));
  const VectorXd L = A.partialPivLu().solve(VectorXd::Ones(nodes + 1));
  double length = 1.0 + L(0) * normal_probability(drift - start);
  for (Index j = 0; j < nodes; ++j) {
    length += rule.weights(j) * normal_density(rule.nodes(j) - start + drift) * L(j + 1);
  }
  const bool told = length >= 1.0 && length <= kLongest && L.allFinite();
  return told ? length : std::numeric_limits<double>::infinity();
}

double two_sided_cusum_run_length(double reference, double limit, double shift) {
  const double up = cusum_run_length(reference, limit, shift);
  const double down = shift == 0.0 ? up : cusum_run_length(reference, limit, -shift);
  return 1.0 / (1.0 / up + 1.0 / down);
}

double cusum_limit(double reference, double run_length) {
  const char* const name = "cusum_limit";
  check::in_range(name, "reference", reference, 0.05, 5.0);
  check::in_range(name, "run_length", run_length, 10.0, 1e12);
  constexpr double kLowest = 1e-3;
  constexpr double kEnough = 1e-10;
  const double wanted = std::log(2.0 * run_length);  // of one of both sums
  const auto excess = [&](double h) { return std::log(cusum_run_length(reference, h)) - wanted; };
  // ln L grows evenly with h, so that secants need few steps.
  double h = std::max(first_limit(reference, 2.0 * run_length), 0.1);
  double error = excess(h);
  double last = std::max(kLowest, h - error / (2.0 * reference));
  double last_error = excess(last);
  for (int k = 0; k < 30 && std::abs(last_error) > kEnough && last_error != error; ++k) {
    const double next = last - last_error * (last - h) / (last_error - error);
    h = last;
    error = last_error;
    last = std::clamp(next, kLowest, kLargestLimit);
    if (last == h) break;
    last_error = excess(last);
  }
  return last;
}

double threshold_limit(double run_length) {
  check::in_range("threshold_limit", "run_length", run_length, 10.0, 1e15);
  return -normal_quantile(0.5 / run_length);
}

}  // namespace alembert::estimate
