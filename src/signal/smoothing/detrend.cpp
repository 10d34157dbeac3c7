#include "alembert/signal/detrend.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "signal/smoothing/trend.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using ConstVector = Eigen::Ref<const VectorXd>;

// Adds the projection of the residual on p(0) .. p(degree) to the trend and takes it off the
// residual. x runs over [-1, 1].
void project(const VectorXd& x, const ConstVector& weights, int degree, VectorXd& residual,
             VectorXd& trend) {
  VectorXd before = VectorXd::Zero(x.size());
  VectorXd p = VectorXd::Ones(x.size());
  double norm_before = 1.0;
  for (int k = 0; k <= degree; ++k) {
    const double norm = weights.dot(p.cwiseAbs2());
    const double amount = weights.cwiseProduct(p).dot(residual) / norm;
    residual -= amount * p;
    trend += amount * p;
    // a(k) = <x p, p> / <p, p>,  b(k) = <p(k), p(k)> / <p(k-1), p(k-1)>
    const double a = weights.dot(x.cwiseProduct(p.cwiseAbs2())) / norm;
    const double b = k == 0 ? 0.0 : norm / norm_before;
    VectorXd next = (x.array() - a).matrix().cwiseProduct(p) - b * before;
    before = std::move(p);
    p = std::move(next);
    norm_before = norm;
  }
}

VectorXd presence(std::string_view function, const ConstVector& values, int degree) {
  check::at_least(function, "degree", degree, 0);
  VectorXd present(values.size());
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isinf(values[k])) {
      throw InvalidInput({.function = std::string(function),
                          .argument = "values",
                          .rule = "must be finite or NaN",
                          .value = fmt::format("{} at sample {}", values[k], k + 1)});
    }
    present[k] = std::isnan(values[k]) ? 0.0 : 1.0;
  }
  const auto count = static_cast<Index>(present.sum());
  if (degree >= count) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "degree",
                        .rule = "must be below the number of values that are not missing",
                        .value = fmt::format("{} with {}", degree, count)});
  }
  return present;
}

void check_axis(std::string_view function, const ConstVector& times, const ConstVector& values) {
  check::size(function, "number of values", values.size(), times.size());
  check_increasing(function, "times", times);
}

}  // namespace

VectorXd weighted_trend(const ConstVector& times, const ConstVector& values,
                        const ConstVector& weights, int degree) {
  const Index n = times.size();
  const double middle = 0.5 * (times[0] + times[n - 1]);
  const double half = n > 1 ? 0.5 * (times[n - 1] - times[0]) : 1.0;
  const VectorXd x = (times.array() - middle) / half;
  VectorXd residual = (weights.array() > 0.0).select(values, 0.0);
  VectorXd trend = VectorXd::Zero(n);
  project(x, weights, degree, residual, trend);
  return trend;
}

VectorXd polynomial_trend(const ConstVector& times, const ConstVector& values, int degree) {
  check_axis("polynomial_trend", times, values);
  return weighted_trend(times, values, presence("polynomial_trend", values, degree), degree);
}

VectorXd polynomial_trend(const ConstVector& values, int degree) {
  const VectorXd present = presence("polynomial_trend", values, degree);
  return weighted_trend(VectorXd::LinSpaced(values.size(), -1.0, 1.0), values, present, degree);
}

VectorXd detrended(const ConstVector& times, const ConstVector& values, int degree) {
  check_axis("detrended", times, values);
  return values - weighted_trend(times, values, presence("detrended", values, degree), degree);
}

VectorXd detrended(const ConstVector& values, int degree) {
  const VectorXd present = presence("detrended", values, degree);
  return values -
         weighted_trend(VectorXd::LinSpaced(values.size(), -1.0, 1.0), values, present, degree);
}

Record detrended(Record record, int degree) {
  check::at_least("detrended", "degree", degree, 0);
  TimeAxis time = record.time();
  std::vector<Channel> channels = record.channels();
  std::string title = record.title();
  Eigen::MatrixXd samples = std::move(record).release_samples();
  const VectorXd times = time.times();
  for (Index c = 0; c < samples.cols(); ++c) {
    if (samples.col(c).array().isNaN().all()) {
      continue;
    }
    const std::string where =
        fmt::format("detrended: channel '{}'", channels[static_cast<std::size_t>(c)].name);
    const VectorXd present = presence(where, samples.col(c), degree);
    samples.col(c) -= weighted_trend(times, samples.col(c), present, degree);
  }
  return {std::move(time), std::move(channels), std::move(samples), std::move(title)};
}

}  // namespace alembert::signal
