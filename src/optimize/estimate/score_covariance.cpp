#include "alembert/optimize/score_covariance.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

ScoreCovariance::ScoreCovariance(Index parameters, Index max_lag) {
  check::at_least("ScoreCovariance", "parameters", parameters, 1);
  check::at_least("ScoreCovariance", "max_lag", max_lag, 0);
  sums_.assign(static_cast<std::size_t>(max_lag) + 1, MatrixXd::Zero(parameters, parameters));
  previous_.assign(static_cast<std::size_t>(max_lag) + 1, VectorXd::Zero(parameters));
}

void ScoreCovariance::interrupt() { in_row_ = 0; }

void ScoreCovariance::add(const VectorXd& score) {
  const Index size = sums_.front().rows();
  check::size("ScoreCovariance::add", "score", score.size(), size);
  const Index ring = static_cast<Index>(previous_.size());
  previous_[static_cast<std::size_t>(in_row_ % ring)] = score;
  for (Index lag = 0; lag < ring && lag <= in_row_; ++lag) {
    const VectorXd& other = previous_[static_cast<std::size_t>((in_row_ - lag) % ring)];
    MatrixXd& sum = sums_[static_cast<std::size_t>(lag)];
    for (Index j = 0; j < size; ++j) sum.col(j) += other(j) * score;
  }
  ++in_row_;
  ++samples_;
}

Index ScoreCovariance::automatic_lag() const {
  const Index max_lag = static_cast<Index>(sums_.size()) - 1;
  if (samples_ < 2 || max_lag == 0) return 0;
  const double N = static_cast<double>(samples_);
  const Index n = static_cast<Index>(4.0 * std::pow(N / 100.0, 2.0 / 9.0));
  // Equal weights after each score is divided by its own size, so that units do not matter.
  const VectorXd weight = sums_[0].diagonal().unaryExpr(
      [](double square) { return square > 0.0 ? 1.0 / std::sqrt(square) : 0.0; });
  double s0 = 0.0;
  double s1 = 0.0;
  double sigma_0 = 0.0;
  for (Index lag = 0; lag <= max_lag; ++lag) {
    const VectorXd product = sums_[static_cast<std::size_t>(lag)] * weight;
    const double sigma = weight.dot(product);
    if (lag == 0) sigma_0 = sigma;
    if (lag > n && std::abs(sigma) < 2.0 / std::sqrt(N) * sigma_0) break;
    s0 += (lag == 0 ? 1.0 : 2.0) * sigma;
    s1 += 2.0 * static_cast<double>(lag) * sigma;
  }
  if (!(s0 > 0.0)) return std::min(n, max_lag);
  const double lag = 1.1447 * std::cbrt(s1 / s0 * (s1 / s0) * N);
  return std::min(max_lag, static_cast<Index>(lag));
}

MatrixXd ScoreCovariance::covariance(Index lag) const {
  check::in_range("ScoreCovariance::covariance", "lag", static_cast<double>(lag), 0.0,
                  static_cast<double>(sums_.size() - 1));
  MatrixXd S = sums_[0];
  for (Index l = 1; l <= lag; ++l) {
    const double weight = 1.0 - static_cast<double>(l) / static_cast<double>(lag + 1);
    const MatrixXd& gamma = sums_[static_cast<std::size_t>(l)];
    S += weight * (gamma + gamma.transpose());
  }
  return S;
}

Index largest_useful_lag(Index samples) {
  return std::max(Index{1}, static_cast<Index>(4.0 * std::cbrt(static_cast<double>(samples))));
}

}  // namespace alembert::optimize
