#include "alembert/estimate/consistency.hpp"

#include <algorithm>
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

// When there are as many, neighbours become one: at least half of them are left.
constexpr std::size_t kMostBlocks = 64;

// A mean of squares with mean 1 and this variance is near χ²_ν/ν with ν = 2/variance: its tail is
// longer than the normal one where the squares are few.
double excess_limit(double probability, double variance) {
  const double freedom = 2.0 / variance;
  return std::sqrt(chi_square_quantile(probability, freedom) / freedom);
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

SensorMonitor::SensorMonitor(int length)
    : length_(static_cast<std::size_t>(std::max(2, length))),
      last_(length_, 0.0),
      products_(length_ + 1, 0.0),
      block_length_(static_cast<long>(length_)) {
  check::at_least("judge_sensor", "length", length, 2);
  blocks_.reserve(kMostBlocks + 1);
}

void SensorMonitor::add_to_block(double normalised) noexcept {
  if (in_block_ == 0) blocks_.push_back(0.0);
  blocks_.back() += normalised;
  if (++in_block_ < block_length_) return;
  in_block_ = 0;
  if (blocks_.size() < kMostBlocks) return;
  for (std::size_t i = 0; i < kMostBlocks / 2; ++i) {
    blocks_[i] = blocks_[2 * i] + blocks_[2 * i + 1];
  }
  blocks_.resize(kMostBlocks / 2);
  block_length_ *= 2;
}

void SensorMonitor::add(double normalised) noexcept {
  const auto at = static_cast<std::size_t>(count_) % length_;
  products_[0] += normalised * normalised;
  const auto known = std::min<std::size_t>(static_cast<std::size_t>(count_), length_);
  for (std::size_t lag = 1; lag <= known; ++lag) {
    products_[lag] += normalised * last_[(at + length_ - lag) % length_];
  }
  // The oldest of the ring leaves the sum over neighbours.
  running_ += normalised - last_[at];
  last_[at] = normalised;
  ++count_;
  if (count_ >= static_cast<long>(length_)) squared_sums_ += running_ * running_;
  add_to_block(normalised);
}

SensorReport SensorMonitor::report(double probability) const {
  const auto length = static_cast<double>(length_);
  check::at_least("judge_sensor", "normalised", count_, 2 * static_cast<long long>(length_));
  check::positive("judge_sensor", "probability", probability);
  check::positive("judge_sensor", "1 - probability", 1.0 - probability);
  const auto count = static_cast<double>(count_);
  const double power = products_[0] / count;
  SensorReport report;
  report.size = std::sqrt(power);
  report.size_limit = excess_limit(probability, 2.0 / count);
  report.slow = std::sqrt(squared_sums_ / ((count - length + 1.0) * length));
  report.slow_limit = excess_limit(probability, 4.0 * length / (3.0 * count));
  for (std::size_t lag = 1; lag <= length_ && power > 0.0; ++lag) {
    const double rho = products_[lag] / ((count - static_cast<double>(lag)) * power);
    if (lag == 1) report.previous = rho;
    if (std::abs(rho) <= std::abs(report.strongest)) continue;
    report.strongest = rho;
    report.strongest_lag = static_cast<int>(lag);
  }
  report.correlation_limit =
      normal_quantile(1.0 - 0.5 * (1.0 - probability) / length) / std::sqrt(count);
  const std::size_t complete = blocks_.size() - (in_block_ > 0 ? 1 : 0);
  double squares = 0.0;
  for (std::size_t i = 0; i < complete; ++i) squares += blocks_[i] * blocks_[i];
  const auto blocks = static_cast<double>(complete);
  report.drift = std::sqrt(squares / (blocks * static_cast<double>(block_length_)));
  report.drift_limit = excess_limit(probability, 2.0 / blocks);
  return report;
}

SensorReport judge_sensor(std::span<const double> normalised, int length, double probability) {
  SensorMonitor monitor(length);
  for (const double value : normalised) monitor.add(value);
  return monitor.report(probability);
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
