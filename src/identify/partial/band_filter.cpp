#include "identify/partial/band_filter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/signal/spline.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd low_pass(Index decimation) {
  const Index half = 3 * decimation;
  const double cut = 0.45 / static_cast<double>(decimation);  // of the Nyquist frequency
  VectorXd taps(2 * half + 1);
  for (Index k = -half; k <= half; ++k) {
    const double x = std::numbers::pi * static_cast<double>(k);
    const double sinc = k == 0 ? cut : std::sin(cut * x) / x;
    taps(k + half) = sinc * (0.54 + 0.46 * std::cos(x / static_cast<double>(half)));
  }
  return taps / taps.sum();
}

MatrixXd convolved(const MatrixXd& records, const VectorXd& taps) {
  const Index kept = records.rows() - taps.size() + 1;
  MatrixXd result(kept, records.cols());
  for (Index c = 0; c < records.cols(); ++c) {
    // The taps are symmetric: convolution is correlation.
    const Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>> windows(
        records.col(c).data(), taps.size(), kept, Eigen::OuterStride<>(1));
    result.col(c).noalias() = windows.transpose() * taps;
  }
  return result;
}

// Straight lines across gaps, constants beyond the ends.
MatrixXd without_gaps(MatrixXd output) {
  for (Index c = 0; c < output.cols(); ++c) {
    Index known = -1;
    for (Index k = 0; k < output.rows(); ++k) {
      if (std::isnan(output(k, c))) continue;
      const double value = output(k, c);
      for (Index g = known + 1; g < k; ++g) {
        const double share = static_cast<double>(g - known) / static_cast<double>(k - known);
        output(g, c) = known < 0 ? value : (1.0 - share) * output(known, c) + share * value;
      }
      known = k;
    }
    if (known < 0) {
      output.col(c).setZero();
    } else {
      output.col(c).tail(output.rows() - 1 - known).setConstant(output(known, c));
    }
  }
  return output;
}

// Derivative of the given order of the spline through the columns, at the samples.
MatrixXd differentiated(const MatrixXd& values, double step, int order) {
  if (order == 0) return values;
  const MatrixXd slopes = signal::cubic_slopes(step, values);
  if (order == 1) return slopes;
  const Index last = values.rows() - 1;
  MatrixXd result(values.rows(), values.cols());
  const MatrixXd rise = (values.bottomRows(last) - values.topRows(last)) / step;
  result.topRows(last) =
      (6.0 * rise - 4.0 * slopes.topRows(last) - 2.0 * slopes.bottomRows(last)) / step;
  // At the last sample from the left: u'' = (2u'₋ + 4u' - 6Δ/h)/h.
  result.row(last) =
      (2.0 * slopes.row(last - 1) + 4.0 * slopes.row(last) - 6.0 * rise.row(last - 1)) / step;
  return result;
}

MatrixXd centred_on_samples(const MatrixXd& input, signal::BetweenSamples hold) {
  if (hold != signal::BetweenSamples::Held) return input;
  MatrixXd result = input;
  const Index rest = input.rows() - 1;
  result.bottomRows(rest) = 0.5 * (input.bottomRows(rest) + input.topRows(rest));
  return result;
}

}  // namespace

Experiments band_filtered(const Experiments& data, Index decimation, model::Motion motion,
                          signal::BetweenSamples hold) {
  const VectorXd taps = low_pass(decimation);
  const int order = motion == model::Motion::Displacement ? 0
                    : motion == model::Motion::Velocity   ? 1
                                                          : 2;
  Experiments result;
  for (const Experiment& experiment : data) {
    if (experiment.samples() < 4 * taps.size()) {
      throw InvalidInput(
          {.function = "identify_partially_sensed",
           .item = "every experiment",
           .rule = fmt::format("must have at least {} samples for a decimation of {}",
                               4 * taps.size(), decimation),
           .value = fmt::format("{}", experiment.samples())});
    }
    Experiment one;
    one.step = experiment.step;
    one.output = convolved(without_gaps(experiment.output), taps);
    one.input = differentiated(convolved(centred_on_samples(experiment.input, hold), taps),
                               experiment.step, order);
    result.push_back(std::move(one));
  }
  return result;
}

Experiments every_nth(const Experiments& data, Index decimation) {
  Experiments result;
  for (const Experiment& experiment : data) {
    const Index kept = (experiment.samples() - 1) / decimation + 1;
    const auto rows = Eigen::seqN(0, kept, decimation);
    result.push_back({experiment.input(rows, Eigen::all), experiment.output(rows, Eigen::all),
                      experiment.step * static_cast<double>(decimation)});
  }
  return result;
}

}  // namespace alembert::identify
