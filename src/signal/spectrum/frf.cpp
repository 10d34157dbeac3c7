#include "alembert/signal/frf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/units.hpp"
#include "core/algebra/decompositions.hpp"
#include "signal/spectrum/input_output_spectra.hpp"
#include "signal/spectrum/segments.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Standard deviation of a phase that may be anything, π/√3.
constexpr double kUniformPhase = std::numbers::pi * std::numbers::inv_sqrt3;
// An input below 1e-12 of its largest amplitude is rounding, not excitation.
constexpr double kNotExcited = 1e-24;

void check_sigma(std::string_view argument, const Eigen::VectorXd& sigma, Eigen::Index channels) {
  check::size("estimate_frf", argument, sigma.size(), channels);
  for (const double value : sigma) {
    check::positive("estimate_frf", argument, value);
  }
}

void check_experiments(const std::vector<InputOutput>& experiments, double step) {
  check::at_least("estimate_frf", "number of experiments",
                  static_cast<long long>(experiments.size()), 1);
  const Eigen::Index p = experiments.front().inputs.cols();
  const Eigen::Index q = experiments.front().outputs.cols();
  for (const InputOutput& e : experiments) {
    check_samples("estimate_frf", e.inputs, step);
    check_samples("estimate_frf", e.outputs, step);
    check::size("estimate_frf", "number of inputs", e.inputs.cols(), p);
    check::size("estimate_frf", "number of outputs", e.outputs.cols(), q);
    check::size("estimate_frf", "samples of outputs", e.outputs.rows(), e.inputs.rows());
  }
}

void check_options(const FrfOptions& options, Eigen::Index p, Eigen::Index q) {
  check::at_least("estimate_frf", "period_samples", options.period_samples, 0);
  check::in_range("estimate_frf", "largest_condition", options.largest_condition, 1.0, 1e15);
  if (options.estimator == FrfEstimator::H2 && p > 1 && p != q) {
    throw InvalidInput({.function = "estimate_frf",
                        .argument = "number of outputs",
                        .rule = "must equal the number of inputs for H2 with several inputs",
                        .value = fmt::format("{} outputs and {} inputs", q, p)});
  }
  if (options.input_sigma.size() > 0 || options.output_sigma.size() > 0) {
    check_sigma("input_sigma", options.input_sigma, p);
    check_sigma("output_sigma", options.output_sigma, q);
  }
}

// Power below which each input counts as not excited.
Eigen::VectorXd excitation_floor(const std::vector<LineSpectra>& lines) {
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(lines.front().Suu.rows());
  for (const LineSpectra& line : lines) {
    largest = largest.cwiseMax(line.Suu.diagonal().real());
  }
  return kNotExcited * largest;
}

Eigen::VectorXd scales(const Eigen::VectorXd& sigma, const Eigen::VectorXd& power) {
  if (sigma.size() > 0) {
    return sigma;
  }
  return (power.array() > 0.0).select(power.array().sqrt(), 1.0);
}

Eigen::MatrixXcd response(const LineSpectra& line, const FrfOptions& options) {
  switch (options.estimator) {
    case FrfEstimator::H1:
      break;
    case FrfEstimator::H2:
      if (line.Suu.rows() > 1) {
        return frf_h2(line.Syy_all, line.Syu);
      }
      return frf_h2(line.Syy, line.Syu.col(0));
    case FrfEstimator::Hv:
      return frf_hv(line.Suu, line.Syu, line.Syy,
                    scales(options.input_sigma, line.Suu.diagonal().real()),
                    scales(options.output_sigma, line.Syy));
  }
  return frf_h1(line.Suu, line.Syu);
}

// Random part of the outputs, n/(n-p) (1 - γ²) Syy; NaN unless n > p.
Eigen::VectorXd unexplained(const LineSpectra& line, double n) {
  const auto p = static_cast<double>(line.Suu.rows());
  if (n <= p) {
    return Eigen::VectorXd::Constant(line.Syy.size(), kNaN);
  }
  const Eigen::VectorXd coherence = multiple_coherence(line.Suu, line.Syu, line.Syy);
  return n / (n - p) * (1.0 - coherence.array()) * line.Syy.array();
}

// Variance of h u - y for each row h of H, from the covariance of (u, y):
// h Cuu hᴴ - 2 Re(Cyu hᴴ) + Cyy.
Eigen::VectorXd residual_variance(const LineSpectra& C, const Eigen::MatrixXcd& H) {
  const Eigen::MatrixXcd product = H * C.Suu - 2.0 * C.Syu;
  const Eigen::VectorXd cross = product.cwiseProduct(H.conjugate()).rowwise().sum().real();
  return (cross + C.Syy).cwiseMax(0.0);
}

// Fills in one line; returns whether its input spectral matrix is regular.
class LineEstimator {
 public:
  LineEstimator(const AveragedSpectra& spectra, const FrfOptions& options)
      : spectra_(spectra), options_(options), floor_(excitation_floor(spectra.signal)) {}

  bool operator()(std::size_t k, FrfResult& result) const {
    const LineSpectra& line = spectra_.signal[k];
    const LineSpectra& total = spectra_.total.empty() ? line : spectra_.total[k];
    const auto row = static_cast<Eigen::Index>(k);
    result.ordinary_coherence[k] = ordinary_coherence(total.Suu, total.Syu, total.Syy);
    result.multiple_coherence.row(row) =
        multiple_coherence(total.Suu, total.Syu, total.Syy).transpose();
    const bool excited = (line.Suu.diagonal().real().array() > floor_.array()).all();
    const double condition = excited ? input_condition(line.Suu) : kInfinity;
    result.input_condition(row) = condition;
    if (!(condition <= options_.largest_condition)) {
      return false;
    }
    result.response[k] = response(line, options_);
    result.magnitude_deviation[k] = deviation(k, result.response[k]);
    result.phase_deviation[k] =
        result.magnitude_deviation[k]
            .cwiseQuotient(result.response[k].cwiseAbs())
            .unaryExpr([](double ratio) { return std::clamp(ratio, 0.0, kUniformPhase); });
    return !result.response[k].hasNaN();
  }

 private:
  // √var |H|
  Eigen::MatrixXd deviation(std::size_t k, const Eigen::MatrixXcd& H) const {
    const LineSpectra& line = spectra_.signal[k];
    Eigen::VectorXd variance;
    if (spectra_.total.empty()) {
      variance = unexplained(line, spectra_.averaging.effective) / spectra_.averaging.effective;
    } else if (spectra_.noise.empty()) {
      variance = Eigen::VectorXd::Constant(H.rows(), kNaN);
    } else {
      variance = residual_variance(spectra_.noise[k], H) / spectra_.experiments;
    }
    const Eigen::VectorXd inverse = line.Suu.inverse().diagonal().real();
    Eigen::MatrixXd result = (share_along(k) * variance * inverse.transpose()).cwiseSqrt();
    const bool relative = spectra_.total.empty() && line.Suu.rows() == 1;
    if (!relative || options_.estimator == FrfEstimator::H1) {
      return result;
    }
    return result.array() * H.array().abs() / frf_h1(line.Suu, line.Syu).array().abs();
  }

  // Share of the complex error along H: half, but all of it where transforms are real.
  double share_along(std::size_t k) const {
    const double frequency = spectra_.frequencies_hz(static_cast<Eigen::Index>(k));
    const double highest = 0.5 / spectra_.step;
    return frequency == 0.0 || frequency > (1.0 - 1e-9) * highest ? 1.0 : 0.5;
  }

  const AveragedSpectra& spectra_;
  const FrfOptions& options_;
  Eigen::VectorXd floor_;
};

FrfResult empty_result(const AveragedSpectra& spectra) {
  const Eigen::Index q = spectra.signal.front().Syu.rows();
  const Eigen::Index p = spectra.signal.front().Syu.cols();
  const std::size_t lines = spectra.signal.size();
  FrfResult result;
  result.frequencies_hz = spectra.frequencies_hz;
  result.averaging = spectra.averaging;
  const std::complex<double> unknown(kNaN, kNaN);
  result.response.assign(lines, Eigen::MatrixXcd::Constant(q, p, unknown));
  result.ordinary_coherence.assign(lines, Eigen::MatrixXd::Constant(q, p, kNaN));
  result.magnitude_deviation = result.phase_deviation = result.ordinary_coherence;
  result.multiple_coherence.resize(static_cast<Eigen::Index>(lines), q);
  result.input_condition.resize(static_cast<Eigen::Index>(lines));
  return result;
}

void describe_singular_lines(FrfResult& result) {
  if (result.singular_lines.empty()) {
    return;
  }
  result.warning = fmt::format(
      "input spectral matrix is singular at {} of {} lines, the first at {:.6g} Hz: inputs are "
      "correlated or not excited there; use inputs that differ, more experiments or more averages",
      result.singular_lines.size(), result.frequencies_hz.size(),
      result.frequencies_hz(result.singular_lines.front()));
  if (static_cast<Eigen::Index>(result.singular_lines.size()) == result.frequencies_hz.size()) {
    result.status = Status::Indefinite;
    result.message = result.warning;
  }
}

double common_step(const Records& records) {
  check::at_least("estimate_frf", "number of records", static_cast<long long>(records.size()), 1);
  double first = 0.0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::optional<double> step = records[i].time().common_step();
    if (!step) {
      throw InvalidInput(
          {.function = "estimate_frf",
           .argument = "records",
           .rule =
               fmt::format("must have a constant step, record {} has none; resample it", i + 1)});
    }
    if (i == 0) {
      first = *step;
    }
    if (std::abs(*step - first) > 1e-3 * first) {
      throw InvalidInput({.function = "estimate_frf",
                          .argument = "records",
                          .rule = "must have one step",
                          .value = fmt::format("{} s and {} s", first, *step)});
    }
  }
  return first;
}

// Channels of record i in the units that they have in the first record.
Eigen::MatrixXd samples_in_first_units(const Records& records, std::size_t i,
                                       const std::vector<std::string>& names) {
  Record chosen = records[i].select(names);
  const std::vector<Channel> channels = chosen.channels();
  Eigen::MatrixXd samples = std::move(chosen).release_samples();
  for (std::size_t c = 0; i > 0 && c < names.size(); ++c) {
    const Record& first = records.front();
    const Eigen::Index place = first.find(names[c]).value();
    const std::string& wanted = first.channels()[static_cast<std::size_t>(place)].unit;
    const UnitRelation relation = compare_units(channels[c].unit, wanted);
    if (relation == UnitRelation::Incompatible) {
      throw InvalidInput(
          {.function = "estimate_frf",
           .argument = "units",
           .rule = fmt::format(
               "must agree, channel '{}' is in '{}' in record {} and in '{}' in record 1", names[c],
               channels[c].unit, i + 1, wanted)});
    }
    if (relation == UnitRelation::Convertible) {
      const Conversion convert = conversion(channels[c].unit, wanted);
      samples.col(static_cast<Eigen::Index>(c)) =
          samples.col(static_cast<Eigen::Index>(c)).unaryExpr(convert);
    }
  }
  return samples;
}

}  // namespace

FrfResult estimate_frf(const std::vector<InputOutput>& experiments, double step,
                       const FrfOptions& options) {
  check_experiments(experiments, step);
  check_options(options, experiments.front().inputs.cols(), experiments.front().outputs.cols());
  const AveragedSpectra spectra = options.period_samples > 0
                                      ? average_periods(experiments, step, options)
                                      : average_segments(experiments, step, options);
  FrfResult result = empty_result(spectra);
  const LineEstimator estimate(spectra, options);
  for (std::size_t k = 0; k < spectra.signal.size(); ++k) {
    if (!estimate(k, result)) {
      result.singular_lines.push_back(static_cast<Eigen::Index>(k));
    }
  }
  describe_singular_lines(result);
  return result;
}

FrfResult estimate_frf(const Records& records, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, const FrfOptions& options) {
  const double step = common_step(records);
  std::vector<InputOutput> experiments;
  for (std::size_t i = 0; i < records.size(); ++i) {
    experiments.push_back(
        {samples_in_first_units(records, i, inputs), samples_in_first_units(records, i, outputs)});
  }
  return estimate_frf(experiments, step, options);
}

}  // namespace alembert::signal
