#include "identify/modes/records/time_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/chi_square.hpp"
#include "identify/modes/projection/pole_deviation.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRecordTolerance = 1e-7;  // of the relative fall of the cost

}  // namespace

void TimeRefinement::run(std::vector<FrfPole> start) {
  poles_ = std::move(start);
  weights_ = VectorXd::Ones(experiments_.front().outputs.cols());
  if (poles_.empty()) return;
  fit_terms();
  weigh_outputs();
  fit_terms();
  drop_unsupported();
}

void TimeRefinement::remove(std::size_t term) {
  poles_.erase(poles_.begin() + static_cast<std::ptrdiff_t>(term));
  if (poles_.empty()) return;
  fit_terms();
  drop_unsupported();
}

// What only leakage or noise put there has no support in the records.
void TimeRefinement::drop_unsupported() {
  for (Index worst = unsupported(); worst >= 0; worst = unsupported()) {
    poles_.erase(poles_.begin() + worst);
    if (poles_.empty()) return;
    fit_terms();
  }
}

void TimeRefinement::fit_terms() {
  signals_.emplace(experiments_, step_, poles_, weights_, rules_.starts);
  model_ = signals_->model();
  fit_ = fit_paired(model_, signals_->unknowns(poles_), rules_.iterations, kRecordTolerance);
  poles_ = signals_->modes(fit_.unknowns);
  iterations_ += fit_.iterations;
  joint_ = signals_->signals(fit_.unknowns);
  residual_ =
      joint_.rightCols(model_.outputs) - joint_.leftCols(model_.regressors) * fit_.at.coefficients;
  const auto freedom = static_cast<double>((joint_.rows() - model_.regressors) * model_.outputs -
                                           fit_.at.gradient.size());
  variance_ = fit_.at.cost / freedom;
}

// Outputs in units of their residual, so that each counts by what it knows.
void TimeRefinement::weigh_outputs() {
  const VectorXd rms =
      (residual_.colwise().squaredNorm() / static_cast<double>(residual_.rows())).cwiseSqrt();
  weights_ = weights_.cwiseQuotient(rms.cwiseMax(1e-12 * rms.maxCoeff() + 1e-300));
}

// The term that fails its tests by most; -1 if all pass. The tests are those of the FRFs.
Index TimeRefinement::unsupported() const {
  const MatrixXd covariance = variance_ * inverse_normal(fit_.at);
  const VectorXd drop = drop_of_modes(model_, fit_.at) / variance_;
  const auto inputs = static_cast<double>(experiments_.front().inputs.cols());
  const double bar = chi_square_quantile(1.0 - rules_.false_alarm / rules_.places,
                                         2.0 * static_cast<double>(model_.outputs) + 2.0 * inputs);
  Index worst = -1;
  double most = 1.0;
  for (Index r = 0; r < model_.modes; ++r) {
    const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
    const Index place = 2 * r * signals_->unknowns_of_mode();
    const PoleDeviation own = pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
    const double frequency = own.frequency_hz / (rules_.frequency_share * pole.frequency_hz());
    const double damping = own.damping_ratio / (rules_.damping_share * pole.damping_ratio());
    const double doubt = std::max({bar / drop(r), frequency, damping});
    if (doubt <= most) continue;
    most = doubt;
    worst = r;
  }
  return worst;
}

std::vector<Mode> TimeRefinement::modes() const {
  const int blocks = std::max(2, std::min<int>(rules_.blocks, static_cast<int>(joint_.rows())));
  const MatrixXd covariance = block_covariance(model_, fit_.at, joint_, blocks);
  const MatrixXd spread = coefficient_variances(model_, fit_.at, covariance / variance_);
  std::vector<Mode> list;
  for (Index r = 0; r < model_.modes; ++r) list.push_back(mode_of(r, covariance, spread));
  return list;
}

Mode TimeRefinement::mode_of(Index r, const MatrixXd& covariance, const MatrixXd& spread) const {
  const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
  const Index place = 2 * r * signals_->unknowns_of_mode();
  const PoleDeviation own = pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
  Mode mode;
  mode.pole = pole.pole;
  mode.frequency_hz = pole.frequency_hz();
  mode.damping_ratio = pole.damping_ratio();
  mode.frequency_deviation = own.frequency_hz;
  mode.damping_deviation = own.damping_ratio;
  Index driven = 0;
  pole.participation.cwiseAbs().maxCoeff(&driven);
  mode.participation = pole.participation / pole.participation(driven);
  const MatrixXd& c = fit_.at.coefficients;
  mode.shape.resize(model_.outputs);
  mode.shape_deviation.resize(model_.outputs);
  for (Index o = 0; o < model_.outputs; ++o) {
    mode.shape(o) = std::complex<double>(c(2 * r, o), c(2 * r + 1, o)) / weights_(o);
    const double both = spread(o, 2 * r) + spread(o, 2 * r + 1);
    mode.shape_deviation(o) = std::sqrt(0.5 * variance_ * both) / weights_(o);
  }
  normalise_shape(mode);
  mode.damping_known = mode.damping_ratio > 2.0 * mode.damping_deviation;
  if (!mode.damping_known) mode.remark = "damping is below twice its own deviation";
  return mode;
}

MatrixXd TimeRefinement::residual() const {
  return residual_ * weights_.cwiseInverse().asDiagonal();
}

std::vector<OutputFit> TimeRefinement::output_fits() const {
  std::vector<OutputFit> fits;
  const auto samples = static_cast<double>(residual_.rows());
  for (Index o = 0; o < residual_.cols(); ++o) {
    const VectorXd measured = joint_.col(joint_.cols() - residual_.cols() + o);
    const double size = (measured.array() - measured.mean()).matrix().norm();
    const double left = residual_.col(o).norm();
    fits.push_back({.fit_percent = 100.0 * (1.0 - left / size),
                    .residual = left / std::sqrt(samples) / weights_(o)});
  }
  return fits;
}

}  // namespace alembert::identify::modes
