#include "alembert/signal/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr const char* kFilter = "filter_zero_phase";
// The slowest pole decays to 1e-4 within ln(1e4) of its time constants.
constexpr double kForgotten = 9.21;

// y = b0 x + z1,  z1' = b1 x - a1 y + z2,  z2' = b2 x - a2 y  (transposed direct form II).
struct FilterSection {
  double b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0;

  // Runs along values from the state that a constant first value would leave behind.
  void run(VectorXd& values) const {
    const double first = values(0);
    const double settled = first * (b0 + b1 + b2) / (1.0 + a1 + a2);
    double z2 = b2 * first - a2 * settled;
    double z1 = settled - b0 * first;
    for (double& x : values) {
      const double y = b0 * x + z1;
      z1 = b1 * x - a1 * y + z2;
      z2 = b2 * x - a2 * y;
      x = y;
    }
  }
};

// Sections of a Butterworth filter by the bilinear transform, K = tan(π f h): poles of the
// prototype at angles (2k + 1)π/2n have 1/Q = 2 sin((2k + 1)π/2n); of an odd order one is real.
std::vector<FilterSection> butterworth(double corner, double step, int order, bool low_pass) {
  const double K = std::tan(std::numbers::pi * corner * step);
  std::vector<FilterSection> sections;
  for (int k = 0; k < order / 2; ++k) {
    const double by_Q = 2.0 * std::sin((2.0 * k + 1.0) * std::numbers::pi / (2.0 * order));
    const double norm = 1.0 + K * by_Q + K * K;
    const double b = (low_pass ? K * K : 1.0) / norm;
    sections.push_back({.b0 = b,
                        .b1 = low_pass ? 2.0 * b : -2.0 * b,
                        .b2 = b,
                        .a1 = 2.0 * (K * K - 1.0) / norm,
                        .a2 = (1.0 - K * by_Q + K * K) / norm});
  }
  if (order % 2 == 1) {
    const double b = (low_pass ? K : 1.0) / (1.0 + K);
    sections.push_back(
        {.b0 = b, .b1 = low_pass ? b : -b, .b2 = 0.0, .a1 = (K - 1.0) / (K + 1.0), .a2 = 0.0});
  }
  return sections;
}

// How long the filter remembers: its slowest pole decays with ω sin(π/2n).
Index memory_of(double corner, double step, int order) {
  const double rate = 2.0 * std::numbers::pi * corner * std::sin(std::numbers::pi / (2.0 * order));
  return static_cast<Index>(std::min(std::ceil(kForgotten / (rate * step)), 1e9));
}

VectorXd run_both_ways(const VectorXd& values, const std::vector<FilterSection>& sections,
                       Index reach) {
  const Index N = values.size();
  VectorXd extended(N + 2 * reach);
  extended.segment(reach, N) = values;
  for (Index k = 1; k <= reach; ++k) {
    extended(reach - k) = 2.0 * values(0) - values(k);
    extended(reach + N - 1 + k) = 2.0 * values(N - 1) - values(N - 1 - k);
  }
  for (int run = 0; run < 2; ++run) {
    for (const FilterSection& section : sections) section.run(extended);
    extended.reverseInPlace();
  }
  return extended.segment(reach, N);
}

void check_corner(const char* name, double corner, double step) {
  check::non_negative(kFilter, name, corner);
  if (corner < 0.5 / step) return;
  throw InvalidInput({.function = kFilter,
                      .argument = name,
                      .rule = fmt::format("must be below half the rate, {:.6g} Hz", 0.5 / step),
                      .value = fmt::format("{:.6g}", corner)});
}

void check_filter(double step, const FilterOptions& options) {
  check::positive(kFilter, "step", step);
  check::in_range(kFilter, "order", options.order, 1, 12);
  check_corner("above", options.above, step);
  check_corner("below", options.below, step);
  if (options.above == 0.0 && options.below == 0.0) {
    throw InvalidInput({.function = kFilter, .rule = "needs a corner: above, below or both"});
  }
  if (options.below > 0.0 && options.above >= options.below) {
    throw InvalidInput({.function = kFilter,
                        .argument = "above",
                        .rule = fmt::format("must be less than below = {:.6g}", options.below),
                        .value = fmt::format("{:.6g}", options.above)});
  }
}

// Missing values on the line between their neighbours; those at the ends as the nearest one.
VectorXd without_missing(VectorXd values) {
  Index last = -1;
  for (Index k = 0; k < values.size(); ++k) {
    if (std::isnan(values(k))) continue;
    for (Index j = last + 1; j < k; ++j) {
      const double part = static_cast<double>(j - last) / static_cast<double>(k - last);
      values(j) = last < 0 ? values(k) : values(last) + part * (values(k) - values(last));
    }
    last = k;
  }
  if (last >= 0) values.tail(values.size() - 1 - last).setConstant(values(last));
  return values;
}

}  // namespace

MatrixXd filter_zero_phase(const Eigen::Ref<const MatrixXd>& values, double step,
                           const FilterOptions& options) {
  check_filter(step, options);
  check::at_least(kFilter, "number of samples", values.rows(), 2);
  check::all_finite(kFilter, "values", values);
  std::vector<FilterSection> sections;
  Index reach = 0;
  for (const bool low_pass : {false, true}) {
    const double corner = low_pass ? options.below : options.above;
    if (corner == 0.0) continue;
    const std::vector<FilterSection> some = butterworth(corner, step, options.order, low_pass);
    sections.insert(sections.end(), some.begin(), some.end());
    reach = std::max(reach, memory_of(corner, step, options.order));
  }
  reach = std::min(reach, values.rows() - 1);
  MatrixXd result(values.rows(), values.cols());
  for (Index c = 0; c < values.cols(); ++c) {
    result.col(c) = run_both_ways(values.col(c), sections, reach);
  }
  return result;
}

Record filter_zero_phase(const Record& record, const FilterOptions& options) {
  const std::optional<double> step = record.time().common_step();
  if (!step) {
    throw InvalidInput(
        {.function = kFilter, .rule = "needs even times; resample the record first"});
  }
  MatrixXd samples = record.samples();
  for (Index c = 0; c < samples.cols(); ++c) {
    const VectorXd values = samples.col(c);
    if (values.array().isNaN().all()) continue;
    const VectorXd filtered = filter_zero_phase(without_missing(values), *step, options);
    samples.col(c) = values.array().isNaN().select(kNaN, filtered);
  }
  return {record.time(), record.channels(), std::move(samples), record.title()};
}

}  // namespace alembert::signal
