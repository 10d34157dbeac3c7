#include "signal/spectrum/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/detrend.hpp"

namespace alembert::signal {
namespace {

constexpr double kDefaultSegments = 8.0;

// For each sample whether any channel misses it.
std::vector<bool> missing_samples(const Eigen::Ref<const Eigen::MatrixXd>& samples) {
  std::vector<bool> missing(static_cast<std::size_t>(samples.rows()), false);
  for (Eigen::Index c = 0; c < samples.cols(); ++c) {
    for (Eigen::Index k = 0; k < samples.rows(); ++k) {
      if (std::isnan(samples(k, c))) {
        missing[static_cast<std::size_t>(k)] = true;
      }
    }
  }
  return missing;
}

}  // namespace

Segmentation segmentation(std::string_view function, Eigen::Index samples,
                          const WelchOptions& options) {
  check::in_range(function, "overlap", options.overlap, 0.0, 0.95);
  check::at_least(function, "trend_degree", options.trend_degree, -1);
  check::at_least(function, "number of samples", samples, 2);
  Segmentation cut;
  cut.length = options.segment_samples;
  if (cut.length == 0) {
    const double fit =
        static_cast<double>(samples) / (1.0 + (kDefaultSegments - 1.0) * (1.0 - options.overlap));
    cut.length = std::max(static_cast<Eigen::Index>(fit), Eigen::Index{2});
  }
  const Eigen::Index longest = std::min(samples, kLongestTransform);
  if (cut.length < 2 || cut.length > longest) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "segment_samples",
                        .rule = fmt::format("must be in [2, {}]", longest),
                        .value = fmt::format("{}", options.segment_samples)});
  }
  if (options.trend_degree >= cut.length) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "trend_degree",
                        .rule = fmt::format("must be below segment_samples = {}", cut.length),
                        .value = fmt::format("{}", options.trend_degree)});
  }
  // Rounded down, so that the default length fits its eight segments; 1e-9 is for decimals.
  const double hop = std::floor((1.0 - options.overlap) * static_cast<double>(cut.length) + 1e-9);
  cut.hop = std::max(static_cast<Eigen::Index>(hop), Eigen::Index{1});
  cut.window = window(cut.length, options.window);
  cut.trend_degree = options.trend_degree;
  return cut;
}

void check_samples(std::string_view function, const Eigen::Ref<const Eigen::MatrixXd>& samples,
                   double step) {
  check::positive(function, "step", step);
  check::at_least(function, "number of channels", samples.cols(), 1);
  for (Eigen::Index c = 0; c < samples.cols(); ++c) {
    for (Eigen::Index k = 0; k < samples.rows(); ++k) {
      if (!std::isinf(samples(k, c))) {
        continue;
      }
      throw InvalidInput(
          {.function = std::string(function),
           .argument = "samples",
           .rule = "must be finite or NaN",
           .value = fmt::format("{} at sample {} of channel {}", samples(k, c), k + 1, c + 1)});
    }
  }
}

std::vector<Eigen::Index> segment_starts(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                         const Segmentation& cut) {
  const std::vector<bool> missing = missing_samples(samples);
  std::vector<Eigen::Index> starts;
  Eigen::Index start = 0;  // of the next segment
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    if (missing[static_cast<std::size_t>(k)]) {
      start = k + 1;
    } else if (k - start + 1 == cut.length) {
      starts.push_back(start);
      start += cut.hop;
    }
  }
  return starts;
}

double correlation_sum(const std::vector<Eigen::Index>& starts, const Segmentation& cut) {
  std::vector<double> correlation;  // at shifts hop, 2 hop, ..
  for (Eigen::Index shift = cut.hop; shift < cut.length; shift += cut.hop) {
    correlation.push_back(overlap_correlation(cut.window, shift));
  }
  auto sum = static_cast<double>(starts.size());
  for (std::size_t a = 0; a < starts.size(); ++a) {
    for (std::size_t j = 1; j <= correlation.size() && a + j < starts.size(); ++j) {
      // Segments in different stretches are further apart than their length.
      if (starts[a + j] - starts[a] < cut.length) {
        sum += 2.0 * correlation[j - 1];
      }
    }
  }
  return sum;
}

Eigen::VectorXd density_scale(const Segmentation& cut, double step) {
  Eigen::VectorXd scale =
      Eigen::VectorXd::Constant(cut.lines(), 2.0 * step / cut.window.squaredNorm());
  scale(0) *= 0.5;
  if (cut.length % 2 == 0) {
    scale(cut.length / 2) *= 0.5;
  }
  return scale;
}

double resolution_hz(const Segmentation& cut, double step) {
  return noise_bandwidth(cut.window) / (static_cast<double>(cut.length) * step);
}

const Eigen::MatrixXcd& SegmentTransform::operator()(
    const Eigen::Ref<const Eigen::MatrixXd>& samples, Eigen::Index start) {
  spectra_.resize(samples.cols(), cut_.lines());
  for (Eigen::Index c = 0; c < samples.cols(); ++c) {
    Eigen::VectorXd segment = samples.col(c).segment(start, cut_.length);
    if (cut_.trend_degree >= 0) {
      segment = detrended(segment, cut_.trend_degree);
    }
    spectra_.row(c) = plan_.forward_real(segment.cwiseProduct(cut_.window)).transpose();
  }
  return spectra_;
}

}  // namespace alembert::signal
