#include "alembert/identify/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFewestJudged = 20.0;     // whose whiteness is judged
constexpr double kFalseAlarmRate = 0.001;  // of the test of whiteness, all outputs together

// Sums and counts of products e(t) e(t + lag) over all experiments, pairs with a NaN left out.
struct LagSums {
  VectorXd sum, count;
};

void add_products(const Eigen::Ref<const VectorXd>& e, LagSums& sums) {
  for (Index lag = 0; lag < std::min(sums.sum.size(), e.size()); ++lag) {
    const Index pairs = e.size() - lag;
    const Eigen::ArrayXd products = e.head(pairs).array() * e.tail(pairs).array();
    for (const double product : products) {
      if (std::isnan(product)) continue;
      sums.sum(lag) += product;
      sums.count(lag) += 1.0;
    }
  }
}

// 100 (1 - |y - ŷ|/|y - mean y|) over the measured samples of all experiments.
double fit_percent(const Experiments& data, Index output, double residual_sum) {
  double sum = 0.0;
  double count = 0.0;
  for (const Experiment& experiment : data) {
    for (const double y : experiment.output.col(output)) {
      if (std::isnan(y)) continue;
      sum += y;
      count += 1.0;
    }
  }
  double spread = 0.0;
  for (const Experiment& experiment : data) {
    for (const double y : experiment.output.col(output)) {
      if (!std::isnan(y)) spread += (y - sum / count) * (y - sum / count);
    }
  }
  return 100.0 * (1.0 - std::sqrt(residual_sum / spread));
}

double sum_of_squares(const VectorXd& values) {
  double sum = 0.0;
  for (const double value : values) {
    if (!std::isnan(value)) sum += value * value;
  }
  return sum;
}

VectorXd weighted(const Experiment& one, const VectorXd& residual, Index output) {
  if (one.weight.size() == 0) return residual;
  return residual.cwiseProduct(one.weight.col(output));
}

struct LjungBox {
  double statistic = 0.0;
  double freedom = 0.0;
};

// Q = N (N + 2) Σ_k ρ_k²/(N - k), with the number of complete pairs in the place of N - k: a sensor
// with a rate of its own has pairs at some lags only. More than N/4 lags would lean on few pairs.
LjungBox ljung_box(const VectorXd& correlation, const VectorXd& count) {
  LjungBox result;
  double sum = 0.0;
  for (Index k = 1; k < correlation.size() && 4.0 * (result.freedom + 1.0) <= count(0); ++k) {
    if (!(count(k) > 0.0)) continue;
    sum += correlation(k) * correlation(k) / count(k);
    result.freedom += 1.0;
  }
  result.statistic = count(0) * (count(0) + 2.0) * sum;
  return result;
}

// Samples with weights count with these in the correlation, so that the loudest do not hide the
// colour of the others; fit and rms are those of the residuals as they are.
ResidualVerdict verdict_of(const Experiments& data, const std::vector<MatrixXd>& residuals,
                           Index output, Index lags) {
  LagSums sums{VectorXd::Zero(lags + 1), VectorXd::Zero(lags + 1)};
  double squares = 0.0;
  for (std::size_t e = 0; e < data.size(); ++e) {
    const VectorXd& residual = residuals[e].col(output);
    squares += sum_of_squares(residual);
    add_products(weighted(data[e], residual, output), sums);
  }
  ResidualVerdict verdict;
  verdict.rms = std::sqrt(squares / std::max(1.0, sums.count(0)));
  verdict.fit = fit_percent(data, output, squares);
  verdict.correlation = VectorXd::Zero(lags + 1);
  verdict.whiteness_p = 1.0;
  if (sums.count(0) < kFewestJudged) verdict.whiteness = verdict.whiteness_p = kNaN;
  if (!(sums.sum(0) > 0.0)) return verdict;
  verdict.correlation = sums.sum / sums.sum(0);
  const LjungBox test = ljung_box(verdict.correlation, sums.count);
  const auto there = sums.count.tail(lags).array() > 0.0;
  verdict.correlation.tail(lags) = there.select(verdict.correlation.tail(lags), kNaN);
  if (sums.count(0) < kFewestJudged) return verdict;
  if (!std::isfinite(test.statistic)) {  // residuals whose squares leave the range of numbers
    verdict.whiteness_p = 0.0;
    return verdict;
  }
  if (test.freedom == 0.0) return verdict;
  verdict.whiteness = test.statistic / chi_square_quantile(0.95, test.freedom);
  verdict.whiteness_p = 1.0 - chi_square_probability(test.statistic, test.freedom);
  return verdict;
}

}  // namespace

Matrices entry_deviations(const Eigen::Ref<const MatrixXd>& matrix_covariance) {
  check::shape("entry_deviations", "matrix_covariance", matrix_covariance, matrix_covariance.rows(),
               matrix_covariance.rows());
  const VectorXd deviations = matrix_covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  return unstacked(deviations);
}

std::vector<ResidualVerdict> residual_verdicts(const Experiments& data,
                                               const std::vector<MatrixXd>& residuals, Index lags) {
  check_experiments("residual_verdicts", data);
  check::at_least("residual_verdicts", "lags", lags, 1);
  check::size("residual_verdicts", "residuals", static_cast<long long>(residuals.size()),
              static_cast<long long>(data.size()));
  for (std::size_t e = 0; e < data.size(); ++e) {
    check::shape("residual_verdicts", "residuals", residuals[e], data[e].output.rows(),
                 data[e].output.cols());
  }
  std::vector<ResidualVerdict> verdicts;
  for (Index output = 0; output < data.front().output.cols(); ++output) {
    verdicts.push_back(verdict_of(data, residuals, output, lags));
  }
  return verdicts;
}

std::string_view to_string(Whiteness whiteness) { return name_of(whiteness); }

std::vector<std::size_t> coloured_outputs(const std::vector<ResidualVerdict>& outputs) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].whiteness_p < kFalseAlarmRate / static_cast<double>(outputs.size())) {
      places.push_back(i);
    }
  }
  return places;
}

Whiteness whiteness_of(const std::vector<ResidualVerdict>& outputs) {
  if (!coloured_outputs(outputs).empty()) return Whiteness::Coloured;
  const bool judged = std::none_of(outputs.begin(), outputs.end(), [](const ResidualVerdict& one) {
    return std::isnan(one.whiteness_p);
  });
  return judged ? Whiteness::White : Whiteness::Unknown;
}

std::vector<CorrelatedPair> correlated_pairs(const Parametrisation& unknowns,
                                             const Eigen::Ref<const MatrixXd>& covariance,
                                             double threshold) {
  const Index size = unknowns.size();
  check::shape("correlated_pairs", "covariance", covariance, size, size);
  check::in_range("correlated_pairs", "threshold", threshold, 0.0, 1.0);
  std::vector<CorrelatedPair> pairs;
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < j; ++i) {
      const double correlation = covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
      if (std::abs(correlation) > threshold) {
        pairs.push_back({unknowns.names[static_cast<std::size_t>(i)],
                         unknowns.names[static_cast<std::size_t>(j)], correlation});
      }
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const CorrelatedPair& a, const CorrelatedPair& b) {
                     return std::abs(a.correlation) > std::abs(b.correlation);
                   });
  return pairs;
}

}  // namespace alembert::identify
