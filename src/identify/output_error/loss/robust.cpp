#include "identify/output_error/loss/robust.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "core/median.hpp"
#include "identify/output_error/equation_residuals.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// At these limits an estimate with a loss has 95 % of the efficiency of least squares where the
// noise is normal.
constexpr double kHuberLimit = 1.345;
constexpr double kBisquareLimit = 4.685;
constexpr double kMedianOfNormal = 0.6745;  // of |z|, z normal with variance 1
// Smallest scale over the size of the output.
constexpr double kLeastScale = 1e-12;
constexpr double kFarResidual = 5.0;
constexpr double kTail = 0.01;  // of the samples on either side, for the middle 98 %
constexpr double kGross = 3.0;  // widths of the middle
// A sample far outside of its record is no signal if it is missed by so many deviations of the
// others and by this part of its distance from the middle.
constexpr double kNoSignal = 20.0;
constexpr double kMissedPart = 0.5;
constexpr Index kFewestForTails = 50;

std::vector<double> measured_values(const VectorXd& values) {
  std::vector<double> found;
  for (const double value : values) {
    if (!std::isnan(value)) found.push_back(value);
  }
  return found;
}

// The value below which a part of the values lies.
double quantile(std::vector<double>& values, double part) {
  const auto place =
      static_cast<std::ptrdiff_t>(std::lround(part * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

void add_gross(const VectorXd& output, std::size_t experiment, std::size_t channel,
               std::vector<Outlier>& found) {
  std::vector<double> values = measured_values(output);
  if (static_cast<Index>(values.size()) < kFewestForTails) return;
  // At least one sample on either side is none of the middle.
  const double part = std::max(kTail, 1.5 / static_cast<double>(values.size()));
  const double low = quantile(values, part);
  const double high = quantile(values, 1.0 - part);
  const double reach = kGross * (high - low);
  // An output that stands still most of the time has no middle to compare with.
  if (!(reach > 0.0)) return;
  for (Index k = 0; k < output.size(); ++k) {
    const double y = output(k);
    if (std::isnan(y) || (y >= low - reach && y <= high + reach)) continue;
    found.push_back({.experiment = experiment,
                     .output = channel,
                     .sample = k,
                     .value = y,
                     .residual = y - 0.5 * (low + high)});
  }
}

}  // namespace

double loss_weight(Loss loss, double z) {
  const double size = std::abs(z);
  switch (loss) {
    case Loss::Huber:
      return size <= kHuberLimit ? 1.0 : kHuberLimit / size;
    case Loss::Bisquare: {
      if (size >= kBisquareLimit) return 0.0;
      const double rest = 1.0 - (z / kBisquareLimit) * (z / kBisquareLimit);
      return rest * rest;
    }
    case Loss::Squares:
      break;
  }
  return 1.0;
}

double loss_slope(Loss loss, double z) {
  const double size = std::abs(z);
  switch (loss) {
    case Loss::Huber:
      return size <= kHuberLimit ? 1.0 : 0.0;
    case Loss::Bisquare: {
      if (size >= kBisquareLimit) return 0.0;
      const double square = (z / kBisquareLimit) * (z / kBisquareLimit);
      return (1.0 - square) * (1.0 - 5.0 * square);
    }
    case Loss::Squares:
      break;
  }
  return 1.0;
}

Experiments with_weights(const Experiments& data, const VectorXd& experiment_weights) {
  Experiments result = data;
  for (std::size_t e = 0; e < result.size(); ++e) {
    Experiment& one = result[e];
    if (experiment_weights.size() > 0) {
      if (one.weight.size() == 0) one.weight.setOnes(one.output.rows(), one.output.cols());
      one.weight *= experiment_weights(static_cast<Index>(e));
    }
    if (one.weight.size() > 0) one.output = (one.weight.array() > 0.0).select(one.output, kNaN);
  }
  return result;
}

std::vector<MatrixXd> weighted_residuals(const Experiments& data, std::vector<MatrixXd> residuals) {
  for (std::size_t e = 0; e < data.size(); ++e) {
    if (data[e].weight.size() > 0) residuals[e] = residuals[e].cwiseProduct(data[e].weight).eval();
  }
  return residuals;
}

VectorXd weighted_rms(const Experiments& data, const std::vector<MatrixXd>& residuals) {
  const std::vector<MatrixXd> weighted = weighted_residuals(data, residuals);
  VectorXd rms(data.front().output.cols());
  for (Index i = 0; i < rms.size(); ++i) rms(i) = rms_of(weighted, i, false);
  return rms;
}

std::vector<Outlier> gross_samples(const Experiments& data) {
  std::vector<Outlier> found;
  for (std::size_t e = 0; e < data.size(); ++e) {
    for (Index i = 0; i < data[e].output.cols(); ++i) {
      add_gross(data[e].output.col(i), e, static_cast<std::size_t>(i), found);
    }
  }
  return found;
}

Experiments without(Experiments data, const std::vector<Outlier>& outliers) {
  for (const Outlier& one : outliers) {
    data[one.experiment].output(one.sample, static_cast<Index>(one.output)) = kNaN;
  }
  return data;
}

Experiments fitted_data(const Experiments& data, const OutputErrorOptions& options,
                        const OutputErrorResult& result) {
  if (result.sample_weights.empty()) {
    return without(with_weights(data, options.experiment_weights), result.outliers);
  }
  Experiments used = data;
  for (std::size_t e = 0; e < used.size(); ++e) used[e].weight = result.sample_weights[e];
  return used;
}

std::vector<Outlier> missed_samples(const Experiments& data, const std::vector<MatrixXd>& outputs,
                                    const std::vector<Outlier>& gross) {
  const VectorXd scales = residual_scales(without(data, gross), outputs);
  std::vector<Outlier> missed;
  for (const Outlier& one : far_samples(data, outputs, scales)) {
    const auto same = std::find_if(gross.begin(), gross.end(), [&](const Outlier& other) {
      return other.experiment == one.experiment && other.output == one.output &&
             other.sample == one.sample;
    });
    if (same == gross.end() || !(one.deviations > kNoSignal)) continue;
    if (std::abs(one.residual) > kMissedPart * std::abs(same->residual)) missed.push_back(one);
  }
  return missed;
}

VectorXd residual_scales(const Experiments& data, const std::vector<MatrixXd>& outputs) {
  VectorXd scales(data.front().output.cols());
  for (Index i = 0; i < scales.size(); ++i) {
    std::vector<double> sizes, levels;
    for (std::size_t e = 0; e < data.size(); ++e) {
      const Experiment& one = data[e];
      for (Index k = 0; k < one.samples(); ++k) {
        if (std::isnan(one.output(k, i))) continue;
        sizes.push_back(one.weight_of(k, i) * std::abs(one.output(k, i) - outputs[e](k, i)));
        levels.push_back(one.weight_of(k, i) * std::abs(one.output(k, i)));
      }
    }
    if (sizes.empty()) {
      scales(i) = 1.0;
      continue;
    }
    const double least = kLeastScale * quantile(levels, 0.9);
    scales(i) = std::max({lower_median(sizes) / kMedianOfNormal, least, 1e-300});
  }
  return scales;
}

std::vector<MatrixXd> loss_weights(const Experiments& data, const std::vector<MatrixXd>& outputs,
                                   const VectorXd& scales, Loss loss) {
  std::vector<MatrixXd> weights;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const Experiment& one = data[e];
    MatrixXd weight = MatrixXd::Ones(one.output.rows(), one.output.cols());
    for (Index i = 0; i < weight.cols(); ++i) {
      for (Index k = 0; k < weight.rows(); ++k) {
        const double residual = one.output(k, i) - outputs[e](k, i);
        if (std::isnan(residual)) continue;
        weight(k, i) = std::sqrt(loss_weight(loss, one.weight_of(k, i) * residual / scales(i)));
      }
    }
    weights.push_back(std::move(weight));
  }
  return weights;
}

std::vector<Outlier> far_samples(const Experiments& data, const std::vector<MatrixXd>& outputs,
                                 const VectorXd& scales) {
  std::vector<Outlier> found;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const Experiment& one = data[e];
    for (Index i = 0; i < one.output.cols(); ++i) {
      for (Index k = 0; k < one.samples(); ++k) {
        const double residual = one.output(k, i) - outputs[e](k, i);
        const double far = std::abs(one.weight_of(k, i) * residual) / scales(i);
        if (!(far > kFarResidual)) continue;
        found.push_back({.experiment = e,
                         .output = static_cast<std::size_t>(i),
                         .sample = k,
                         .value = one.output(k, i),
                         .residual = residual,
                         .deviations = far});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Outlier& a, const Outlier& b) { return a.deviations > b.deviations; });
  return found;
}

Experiments pseudo_observations(const Experiments& data, const std::vector<MatrixXd>& outputs,
                                const VectorXd& scales, Loss loss) {
  Experiments result = data;
  for (Index i = 0; i < scales.size(); ++i) {
    double slopes = 0.0, count = 0.0;
    for (std::size_t e = 0; e < data.size(); ++e) {
      const Experiment& one = data[e];
      for (Index k = 0; k < one.samples(); ++k) {
        const double residual = one.output(k, i) - outputs[e](k, i);
        if (std::isnan(residual)) continue;
        const double z = one.weight_of(k, i) * residual / scales(i);
        slopes += loss_slope(loss, z);
        count += 1.0;
        result[e].output(k, i) = loss_weight(loss, z) * residual;
      }
    }
    const double mean = slopes > 0.0 ? slopes / count : 1.0;
    for (std::size_t e = 0; e < data.size(); ++e) {
      result[e].output.col(i) = outputs[e].col(i) + result[e].output.col(i) / mean;
    }
  }
  return result;
}

}  // namespace alembert::identify
