#include "signal/spectrum/input_output_spectra.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "signal/spectrum/segments.hpp"

namespace alembert::signal {
namespace {

Eigen::MatrixXd joined(const InputOutput& experiment) {
  Eigen::MatrixXd samples(experiment.inputs.rows(),
                          experiment.inputs.cols() + experiment.outputs.cols());
  samples << experiment.inputs, experiment.outputs;
  return samples;
}

std::vector<LineSpectra> empty_lines(Eigen::Index lines, const InputOutput& experiment,
                                     const FrfOptions& options) {
  const bool all = options.estimator == FrfEstimator::H2 && experiment.inputs.cols() > 1;
  return std::vector<LineSpectra>(
      static_cast<std::size_t>(lines),
      LineSpectra(experiment.inputs.cols(), experiment.outputs.cols(), all));
}

void add_lines(const Eigen::MatrixXcd& Z, const Eigen::VectorXd& weights,
               std::vector<LineSpectra>& lines) {
  for (Eigen::Index k = 0; k < Z.cols(); ++k) {
    lines[static_cast<std::size_t>(k)].add(Z.col(k), weights(k));
  }
}

[[noreturn]] void throw_no_segment(std::string_view what, Eigen::Index length) {
  throw InvalidInput(
      {.function = "estimate_frf",
       .argument = "experiments",
       .rule = fmt::format("must have a {} of {} samples without NaN in any channel", what, length),
       .value = "none"});
}

Segmentation one_period(Eigen::Index period) {
  Segmentation cut;
  cut.length = cut.hop = period;
  cut.window = Eigen::VectorXd::Ones(period);
  return cut;
}

// First samples of the settled periods that miss no sample.
std::vector<Eigen::Index> period_starts(const Eigen::MatrixXd& samples, const FrfOptions& options) {
  const Eigen::Index period = options.period_samples;
  std::vector<Eigen::Index> starts;
  for (Eigen::Index start = options.settle_periods * period; start + period <= samples.rows();
       start += period) {
    if (!samples.middleRows(start, period).hasNaN()) {
      starts.push_back(start);
    }
  }
  return starts;
}

// Keeps the chosen lines of the period.
void keep_lines(const std::vector<int>& kept, AveragedSpectra& spectra) {
  if (kept.empty()) {
    return;
  }
  const auto chosen = [&kept](const std::vector<LineSpectra>& all) {
    std::vector<LineSpectra> part;
    if (all.empty()) {
      return part;
    }
    for (const int line : kept) {
      part.push_back(all[static_cast<std::size_t>(line)]);
    }
    return part;
  };
  spectra.frequencies_hz = spectra.frequencies_hz(kept).eval();
  spectra.signal = chosen(spectra.signal);
  spectra.total = chosen(spectra.total);
  spectra.noise = chosen(spectra.noise);
}

void check_line_numbers(const std::vector<int>& lines, Eigen::Index period) {
  int before = -1;
  for (const int line : lines) {
    if (line <= before || line > period / 2) {
      throw InvalidInput({.function = "estimate_frf",
                          .argument = "lines",
                          .rule = fmt::format("must increase and be in [0, {}]", period / 2),
                          .value = fmt::format("{}", line)});
    }
    before = line;
  }
}

}  // namespace

LineSpectra::LineSpectra(Eigen::Index inputs, Eigen::Index outputs, bool all_outputs)
    : Suu(Eigen::MatrixXcd::Zero(inputs, inputs)),
      Syu(Eigen::MatrixXcd::Zero(outputs, inputs)),
      Syy(Eigen::VectorXd::Zero(outputs)) {
  if (all_outputs) {
    Syy_all = Eigen::MatrixXcd::Zero(outputs, outputs);
  }
}

void LineSpectra::add(const Eigen::Ref<const Eigen::VectorXcd>& z, double weight) {
  const Eigen::Ref<const Eigen::VectorXcd> u = z.head(Suu.rows());
  const Eigen::Ref<const Eigen::VectorXcd> y = z.tail(Syy.size());
  Suu.noalias() += weight * u * u.adjoint();
  Syu.noalias() += weight * y * u.adjoint();
  Syy += weight * y.cwiseAbs2();
  if (Syy_all.size() > 0) {
    Syy_all.noalias() += weight * y * y.adjoint();
  }
}

AveragedSpectra average_segments(const std::vector<InputOutput>& experiments, double step,
                                 const FrfOptions& options) {
  Eigen::Index shortest = experiments.front().inputs.rows();
  for (const InputOutput& e : experiments) {
    shortest = std::min(shortest, e.inputs.rows());
  }
  const Segmentation cut = segmentation("estimate_frf", shortest, options.welch);

  AveragedSpectra result;
  result.step = step;
  result.signal = empty_lines(cut.lines(), experiments.front(), options);
  SegmentTransform transform(cut);
  const Eigen::VectorXd scale = density_scale(cut, step);
  double correlation = 0.0;
  for (const InputOutput& experiment : experiments) {
    const Eigen::MatrixXd samples = joined(experiment);
    const std::vector<Eigen::Index> starts = segment_starts(samples, cut);
    for (const Eigen::Index start : starts) {
      add_lines(transform(samples, start), scale, result.signal);
    }
    result.averaging.segments += static_cast<Eigen::Index>(starts.size());
    correlation += correlation_sum(starts, cut);
  }
  if (result.averaging.segments == 0) {
    throw_no_segment("segment", cut.length);
  }
  // Sums, not means: a common factor of all densities cancels in every result.
  const auto count = static_cast<double>(result.averaging.segments);
  result.averaging.effective = count * count / correlation;
  result.averaging.resolution_hz = resolution_hz(cut, step);
  result.frequencies_hz = rfft_frequencies(cut.length, step);
  return result;
}

AveragedSpectra average_periods(const std::vector<InputOutput>& experiments, double step,
                                const FrfOptions& options) {
  const Eigen::Index period = options.period_samples;
  check::in_range("estimate_frf", "period_samples", static_cast<double>(period), 2.0,
                  static_cast<double>(kLongestTransform));
  check::at_least("estimate_frf", "settle_periods", options.settle_periods, 0);
  check_line_numbers(options.lines, period);
  const Segmentation cut = one_period(period);

  AveragedSpectra result;
  result.step = step;
  result.signal = empty_lines(cut.lines(), experiments.front(), options);
  result.total = result.noise = result.signal;
  SegmentTransform transform(cut);
  bool scatter_known = true;
  for (const InputOutput& experiment : experiments) {
    const Eigen::MatrixXd samples = joined(experiment);
    const std::vector<Eigen::Index> starts = period_starts(samples, options);
    if (starts.empty()) {
      continue;
    }
    const auto count = static_cast<double>(starts.size());
    Eigen::MatrixXcd mean = Eigen::MatrixXcd::Zero(samples.cols(), cut.lines());
    for (const Eigen::Index start : starts) {
      const Eigen::MatrixXcd& Z = transform(samples, start);
      mean += Z / count;
      add_lines(Z, Eigen::VectorXd::Ones(cut.lines()), result.total);
    }
    add_lines(mean, Eigen::VectorXd::Ones(cut.lines()), result.signal);
    // Covariance of the mean, Σ (Z - mean)(Z - mean)ᴴ / (count (count - 1)).
    scatter_known = scatter_known && count > 1.0;
    const Eigen::VectorXd weights =
        Eigen::VectorXd::Constant(cut.lines(), 1.0 / (count * std::max(count - 1.0, 1.0)));
    for (const Eigen::Index start : starts) {
      add_lines(transform(samples, start) - mean, weights, result.noise);
    }
    result.averaging.segments += static_cast<Eigen::Index>(starts.size());
    result.experiments += 1.0;
  }
  if (result.averaging.segments == 0) {
    throw_no_segment("settled period", period);
  }
  if (!scatter_known) {
    result.noise.clear();
  }
  result.averaging.effective = static_cast<double>(result.averaging.segments);
  result.averaging.resolution_hz = 1.0 / (static_cast<double>(period) * step);
  result.frequencies_hz = rfft_frequencies(period, step);
  keep_lines(options.lines, result);
  return result;
}

}  // namespace alembert::signal
