#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/estimate/judge.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostForCorrelation = 4096;
constexpr double kWindow = 5.0;  // lags, in correlation times
constexpr double kNormal975 = 1.959963984540054;

MatrixXd every(const Eigen::Ref<const MatrixXd>& columns, Index stride) {
  MatrixXd taken(columns.rows(), (columns.cols() + stride - 1) / stride);
  for (Index k = 0; k < taken.cols(); ++k) taken.col(k) = columns.col(k * stride);
  return taken;
}

// tr(R_l R_lᵀ)
double squared_correlation(const MatrixXd& w, Index lag) {
  const Index count = w.cols() - lag;
  double sum = 0.0;
  for (Index i = 0; i < w.rows(); ++i) {
    for (Index j = 0; j < w.rows(); ++j) {
      double products = 0.0;
      for (Index k = 0; k < count; ++k) products += w(i, k) * w(j, k + lag);
      const double R = products / static_cast<double>(count);
      sum += R * R;
    }
  }
  return sum;
}

// 1 + 2 Σ_l (1 − l/N) tr(R_l R_lᵀ) / tr(R_0 R_0ᵀ)
double correlation_time(const MatrixXd& w) {
  const auto samples = static_cast<double>(w.cols());
  const double power = squared_correlation(w, 0);
  double time = 1.0;
  for (Index lag = 1; lag <= w.cols() / 2 && power > 0.0; ++lag) {
    const auto l = static_cast<double>(lag);
    time += 2.0 * (1.0 - l / samples) * squared_correlation(w, lag) / power;
    if (l >= kWindow * time) break;
  }
  return time;
}

struct ComparedState {
  Index state, column;
};

std::vector<ComparedState> compared_states(const std::vector<StateColumn>& states,
                                           const KnownMotion& truth) {
  std::vector<ComparedState> compared;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto found = std::find(truth.columns.begin(), truth.columns.end(), states[i].column);
    if (found == truth.columns.end()) continue;
    compared.push_back({static_cast<Index>(i), static_cast<Index>(found - truth.columns.begin())});
  }
  return compared;
}

// The samples from `first` on at which the compared states and their truth are known.
std::vector<Index> known_samples(const KinematicEstimate& estimate,
                                 const std::vector<ComparedState>& compared,
                                 const KnownMotion& truth, Index first) {
  std::vector<Index> samples;
  for (Index k = first; k < truth.values.rows(); ++k) {
    const bool known = std::all_of(compared.begin(), compared.end(), [&](const ComparedState& one) {
      return std::isfinite(truth.values(k, one.column)) &&
             std::isfinite(estimate.mean(k, one.state));
    });
    if (known) samples.push_back(k);
  }
  return samples;
}

StateError state_error(const KinematicEstimate& estimate, const ComparedState& compared,
                       const KnownMotion& truth, const std::vector<Index>& samples) {
  const auto count = static_cast<double>(samples.size());
  const bool smoothed = estimate.smoothed_mean.rows() == estimate.mean.rows();
  StateError error{.state = static_cast<int>(compared.state)};
  MatrixXd normalised(1, static_cast<Index>(samples.size()));
  double smoothed_squares = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Index k = samples[i];
    const double true_value = truth.values(k, compared.column);
    const double e = estimate.mean(k, compared.state) - true_value;
    const double deviation = estimate.deviation(k, compared.state);
    error.bias += e / count;
    error.rms += e * e / count;
    error.reported += deviation * deviation / count;
    error.covered += (std::abs(e) <= kNormal975 * deviation ? 1.0 : 0.0) / count;
    normalised(0, static_cast<Index>(i)) = e / deviation;
    if (!smoothed) continue;
    const double s = estimate.smoothed_mean(k, compared.state) - true_value;
    smoothed_squares += s * s / count;
  }
  error.rms = std::sqrt(error.rms);
  error.reported = std::sqrt(error.reported);
  error.smoothed_rms = smoothed ? std::sqrt(smoothed_squares) : kNaN;
  error.nees = judge_correlated_squares(normalised);
  return error;
}

// L⁻¹ e of each sample, P = L Lᵀ of the compared states; without those where P is singular.
MatrixXd whitened_errors(const KinematicEstimate& estimate,
                         const std::vector<ComparedState>& compared, const KnownMotion& truth,
                         const std::vector<Index>& samples) {
  const auto n = static_cast<Index>(compared.size());
  MatrixXd whitened(n, static_cast<Index>(samples.size()));
  MatrixXd P(n, n);
  VectorXd e(n);
  Index count = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Index k = samples[s];
    const MatrixXd& whole = estimate.covariances[static_cast<std::size_t>(k)];
    for (Index i = 0; i < n; ++i) {
      const ComparedState& row = compared[static_cast<std::size_t>(i)];
      e(i) = estimate.mean(k, row.state) - truth.values(k, row.column);
      for (Index j = 0; j < n; ++j) {
        P(i, j) = whole(row.state, compared[static_cast<std::size_t>(j)].state);
      }
    }
    const Eigen::LLT<MatrixXd> factor(P);
    if (factor.info() != Eigen::Success) continue;
    whitened.col(count++) = factor.matrixL().solve(e);
  }
  return whitened.leftCols(count);
}

}  // namespace

CorrelatedSquares judge_correlated_squares(const Eigen::Ref<const MatrixXd>& whitened,
                                           double probability) {
  const char* const function = "judge_correlated_squares";
  check::at_least(function, "columns of whitened", whitened.cols(), 2);
  check::at_least(function, "rows of whitened", whitened.rows(), 1);
  check::all_finite(function, "whitened", whitened);
  check::positive(function, "probability", probability);
  check::positive(function, "1 - probability", 1.0 - probability);
  const auto n = static_cast<double>(whitened.rows());
  const auto samples = static_cast<double>(whitened.cols());
  const Index stride = (whitened.cols() + kMostForCorrelation - 1) / kMostForCorrelation;
  const double time = stride == 1
                          ? correlation_time(whitened)
                          : static_cast<double>(stride) * correlation_time(every(whitened, stride));
  CorrelatedSquares report;
  report.average = whitened.squaredNorm() / samples;
  report.expected = n;
  report.effective_samples = std::clamp(samples / time, 1.0, samples);
  const double freedom = n * report.effective_samples;
  report.lower = chi_square_quantile(0.5 * (1.0 - probability), freedom) / report.effective_samples;
  report.upper = chi_square_quantile(0.5 * (1.0 + probability), freedom) / report.effective_samples;
  report.consistent = report.lower <= report.average && report.average <= report.upper;
  return report;
}

std::optional<TruthReport> compare_with_truth(const KinematicEstimate& estimate,
                                              const std::vector<StateColumn>& states,
                                              const KnownMotion& truth, Index first) {
  const char* const function = "compare_with_truth";
  check::shape(function, "truth", truth.values, estimate.mean.rows(),
               static_cast<Index>(truth.columns.size()));
  check::size(function, "covariances", static_cast<long long>(estimate.covariances.size()),
              estimate.mean.rows());
  const std::vector<ComparedState> compared = compared_states(states, truth);
  const std::vector<Index> samples = known_samples(estimate, compared, truth, first);
  if (samples.size() < 2 || compared.empty()) return std::nullopt;
  TruthReport report;
  report.samples = static_cast<Index>(samples.size());
  for (const ComparedState& one : compared) {
    report.states.push_back(state_error(estimate, one, truth, samples));
  }
  const MatrixXd whitened = whitened_errors(estimate, compared, truth, samples);
  if (whitened.cols() < 2) return std::nullopt;
  report.joint = judge_correlated_squares(whitened);
  return report;
}

}  // namespace alembert::estimate
