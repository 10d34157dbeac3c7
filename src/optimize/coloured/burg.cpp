#include "optimize/coloured/burg.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Prediction errors of one record, forward f_t and backward b_{t-1} side by side.
struct PredictionErrors {
  VectorXd forward;
  VectorXd backward;
};

std::vector<PredictionErrors> first_errors(const std::vector<VectorXd>& records) {
  std::vector<PredictionErrors> errors;
  for (const VectorXd& record : records) {
    if (record.size() < 2) continue;
    const Index count = record.size() - 1;
    errors.push_back({.forward = record.tail(count), .backward = record.head(count)});
  }
  return errors;
}

// k = -2 Σ f b / Σ (f² + b²), over all records
double reflection(const std::vector<PredictionErrors>& errors) {
  double product = 0.0;
  double squares = 0.0;
  for (const PredictionErrors& error : errors) {
    product += error.forward.dot(error.backward);
    squares += error.forward.squaredNorm() + error.backward.squaredNorm();
  }
  return squares > 0.0 ? -2.0 * product / squares : 0.0;
}

// f ← f + k b,  b ← b + k f, and one sample less
void advance_errors(double k, PredictionErrors& error) {
  const VectorXd forward = error.forward + k * error.backward;
  const VectorXd backward = error.backward + k * error.forward;
  const Index count = std::max(Index{0}, forward.size() - 1);
  error.forward = forward.tail(count);
  error.backward = backward.head(count);
}

// a ← (a, 0) + k (0, reversed a)
VectorXd longer(const VectorXd& a, double k) {
  VectorXd result = VectorXd::Zero(a.size() + 1);
  result.head(a.size()) = a;
  result.tail(a.size()) += k * a.reverse();
  return result;
}

}  // namespace

VectorXd AutoregressiveNoise::spectrum(const VectorXd& frequency) const {
  VectorXd result(frequency.size());
  for (Index i = 0; i < frequency.size(); ++i) {
    std::complex<double> sum = 0.0;
    for (Index l = 0; l < coefficients.size(); ++l) {
      sum += coefficients(l) * std::polar(1.0, -frequency(i) * static_cast<double>(l));
    }
    result(i) = variance / std::norm(sum);
  }
  return result;
}

AutoregressiveNoise burg(const std::vector<VectorXd>& records, double samples, Index max_order) {
  AutoregressiveNoise current{.coefficients = VectorXd::Ones(1)};
  for (const VectorXd& record : records) current.variance += record.squaredNorm() / samples;
  AutoregressiveNoise best = current;
  double least = samples * std::log(current.variance);
  std::vector<PredictionErrors> errors = first_errors(records);
  for (Index order = 1; order <= max_order; ++order) {
    const double k = reflection(errors);
    if (!(std::abs(k) < 1.0)) break;
    for (PredictionErrors& error : errors) advance_errors(k, error);
    current.coefficients = longer(current.coefficients, k);
    current.variance *= 1.0 - k * k;
    const double cost =
        samples * std::log(current.variance) + static_cast<double>(order) * std::log(samples);
    if (cost < least) {
      least = cost;
      best = current;
    }
  }
  return best;
}

}  // namespace alembert::optimize
