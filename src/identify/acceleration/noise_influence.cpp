#include "identify/acceleration/noise_influence.hpp"

#include <cmath>

#include "alembert/signal/smoothing.hpp"
#include "identify/acceleration/small_normal.hpp"

namespace alembert::identify {

NoiseInfluence::NoiseInfluence(const WindowRegression& regression)
    : signals_(regression.signals()), results_(regression.free_parameters()) {
  for (std::size_t c = 0; c < results_; ++c) columns_.push_back(c);
  if (regression.offset_column() >= 0) {
    columns_.push_back(static_cast<std::size_t>(regression.offset_column()));
    ++results_;
  }
  const std::vector<double> zeros(signals_.A.size(), 0.0);
  weights_.assign(results_, {zeros, zeros, zeros});
}

bool NoiseInfluence::add(WindowRegression& regression, const Stretch& stretch,
                         const WindowState& state) {
  const std::size_t count = regression.columns();
  optimize::NormalEquations sums;
  sums.reset(static_cast<Eigen::Index>(count));
  regression.add(stretch, state, sums);
  std::vector<std::vector<double>> rows(results_);
  for (std::size_t k = 0; k < results_; ++k) {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(count));
    unit(static_cast<Eigen::Index>(columns_[k])) = 1.0;
    if (solve_normal(sums.matrix, unit, count, count, 0.0, rows[k]) < kSmallestPivot) return false;
  }
  regression.visit(stretch, state, [&](const WindowRegression::Block& block) {
    for (std::size_t k = 0; k < results_; ++k) {
      Weights& weights = weights_[k];
      for (std::size_t i = 0; i < block.count; ++i) {
        double w = 0.0;
        for (std::size_t c = 0; c < count; ++c) w += rows[k][c] * (*block.columns)[c][i];
        weights.direct[block.row + i] += w;
        weights.by_v[block.row + i] += w * block.by_v[i];
        weights.by_x[block.row + i] += w * block.by_x[i];
      }
    }
  });
  ++stretches_;
  return true;
}

// c = w - h Σ' w f_v - h Σ w f_x (t - t_k) over later rows, with half of the present row in Σ'; h
// is the step of the record, of which the rows may be every n-th sample.
Eigen::VectorXd NoiseInfluence::influence(const Weights& weights) const {
  const double fine = signals_.record_step;
  const auto between = static_cast<std::size_t>(std::lround(signals_.step / fine));
  const double by_v = signals_.velocity_measured ? 0.0 : fine;
  const double by_x = signals_.displacement_measured ? 0.0 : by_v;
  const std::size_t rows = weights.direct.size();
  Eigen::VectorXd c((rows - 1) * between + 1);
  double sum_v = 0.0;  // Σ over later rows of w f_v
  double sum_x = 0.0;  // ... of w f_x
  double lag_x = 0.0;  // ... of w f_x (t - t_k), seen from the present sample
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = i + 1 < rows ? between - 1 : 0; k > 0; --k) {
      lag_x += fine * sum_x;
      c(static_cast<Eigen::Index>(i * between + k)) = -by_v * sum_v - by_x * lag_x;
    }
    if (i + 1 < rows) lag_x += fine * sum_x;
    c(static_cast<Eigen::Index>(i * between)) =
        weights.direct[i] - by_v * (sum_v + 0.5 * weights.by_v[i]) - by_x * lag_x;
    sum_v += weights.by_v[i];
    sum_x += weights.by_x[i];
  }
  return c;
}

std::vector<double> NoiseInfluence::deviations(double noise) const {
  std::vector<double> result(results_, 0.0);
  for (std::size_t k = 0; k < results_ && stretches_ > 0; ++k) {
    Eigen::VectorXd c = influence(weights_[k]);
    if (signals_.smoothed) {
      // Smoothing maps e to H e with a symmetric H, and so the weights to H c.
      Eigen::VectorXd times(c.size());
      for (Eigen::Index i = 0; i < c.size(); ++i) {
        times(i) = static_cast<double>(i) * signals_.record_step;
      }
      c = signal::smooth(times, c, {.lambda = signals_.lambda}).fitted;
    }
    result[k] = noise * c.norm() / static_cast<double>(stretches_);
  }
  return result;
}

}  // namespace alembert::identify
