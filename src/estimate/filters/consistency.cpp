#include "alembert/estimate/consistency.hpp"

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::estimate {

namespace {

void check_probability(const char* function, double probability) {
  check::positive(function, "probability", probability);
  check::positive(function, "1 - probability", 1.0 - probability);
}

/// Sum of products at a lag and how many there are; steps without a value drop out.
struct LaggedSum {
  double products = 0.0;
  double count = 0.0;
};

LaggedSum lagged_sum(const Eigen::Ref<const Eigen::MatrixXd>& whitened, Eigen::Index lag) {
  LaggedSum sum;
  for (Eigen::Index k = lag; k < whitened.cols(); ++k) {
    for (Eigen::Index i = 0; i < whitened.rows(); ++i) {
      const double product = whitened(i, k) * whitened(i, k - lag);
      if (std::isnan(product)) continue;
      sum.products += product;
      sum.count += 1.0;
    }
  }
  return sum;
}

}  // namespace

SquaresReport judge_squares(std::span<const double> squares, std::span<const int> freedom,
                            double probability) {
  check::at_least("judge_squares", "squares", static_cast<long long>(squares.size()), 1);
  check::size("judge_squares", "freedom", static_cast<long long>(freedom.size()),
              static_cast<long long>(squares.size()));
  check_probability("judge_squares", probability);
  const double count = static_cast<double>(squares.size());
  double total = 0.0;
  double sum = 0.0;
  double above = 0.0;
  int last = 0;
  double limit = 0.0;
  for (std::size_t k = 0; k < squares.size(); ++k) {
    check::non_negative("judge_squares", "squares", squares[k]);
    check::at_least("judge_squares", "freedom", freedom[k], 1);
    if (freedom[k] != last) limit = chi_square_quantile(probability, last = freedom[k]);
    total += freedom[k];
    sum += squares[k];
    if (squares[k] > limit) above += 1.0;
  }
  SquaresReport report;
  report.average = sum / count;
  report.expected = total / count;
  report.lower = chi_square_quantile(0.5 * (1.0 - probability), total) / count;
  report.upper = chi_square_quantile(0.5 * (1.0 + probability), total) / count;
  report.share_above = above / count;
  report.expected_above = 1.0 - probability;
  report.consistent = report.lower <= report.average && report.average <= report.upper;
  return report;
}

double nees(const Eigen::Ref<const Eigen::VectorXd>& error,
            const Eigen::Ref<const Eigen::MatrixXd>& covariance) {
  check::shape("nees", "covariance", covariance, error.size(), error.size());
  const Eigen::MatrixXd matrix = covariance;
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success) {
    throw InvalidInput({.function = "nees",
                        .argument = "covariance",
                        .rule = "must be positive definite",
                        .value = "one that is not"});
  }
  const Eigen::VectorXd right = error;
  return right.dot(factor.solve(right));
}

SensorReport judge_sensor(std::span<const double> normalised, int length, double probability) {
  check::at_least("judge_sensor", "length", length, 2);
  const auto window = static_cast<std::size_t>(length);
  check::at_least("judge_sensor", "normalised", static_cast<long long>(normalised.size()),
                  2LL * length);
  check_probability("judge_sensor", probability);
  const double count = static_cast<double>(normalised.size());
  double squares = 0.0;
  double running = 0.0;
  double squared_sums = 0.0;
  for (std::size_t k = 0; k < normalised.size(); ++k) {
    squares += normalised[k] * normalised[k];
    running += normalised[k];
    if (k >= window) running -= normalised[k - window];
    if (k + 1 >= window) squared_sums += running * running;
  }
  const double z = normal_quantile(probability);
  SensorReport report;
  report.size = std::sqrt(squares / count);
  report.size_limit = std::sqrt(1.0 + z * std::sqrt(2.0 / count));
  report.slow = std::sqrt(squared_sums / ((count - length + 1.0) * length));
  report.slow_limit = std::sqrt(1.0 + z * std::sqrt(4.0 * length / (3.0 * count)));
  return report;
}

WhitenessReport judge_whiteness(const Eigen::Ref<const Eigen::MatrixXd>& whitened, int lags,
                                double probability) {
  check::at_least("judge_whiteness", "lags", lags, 1);
  check::at_least("judge_whiteness", "columns of whitened", whitened.cols(), lags + 1);
  check_probability("judge_whiteness", probability);
  const LaggedSum power = lagged_sum(whitened, 0);
  check::positive("judge_whiteness", "power of whitened", power.products);
  const double variance = power.products / power.count;
  WhitenessReport report;
  report.bound = normal_quantile(0.5 * (1.0 + probability)) / std::sqrt(power.count);
  for (int lag = 1; lag <= lags; ++lag) {
    const LaggedSum sum = lagged_sum(whitened, lag);
    // ρ_l = (Σ e_k e_{k-l} / N_l) / (Σ e² / N); its variance is 1/N_l.
    const double rho = sum.count > 0.0 ? sum.products / (sum.count * variance) : 0.0;
    report.autocorrelation.push_back(rho);
    report.portmanteau += sum.count * rho * rho;
  }
  report.limit = chi_square_quantile(probability, lags);
  report.white = report.portmanteau <= report.limit;
  return report;
}

}  // namespace alembert::estimate
