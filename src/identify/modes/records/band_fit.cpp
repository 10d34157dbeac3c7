#include "identify/modes/records/band_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/chi_square.hpp"
#include "identify/modes/choice/neighbours.hpp"
#include "identify/modes/projection/pole_deviation.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRecordTolerance = 1e-7;  // of the relative fall of the cost
constexpr int kTrialIterations = 12;       // of a fit without a term
constexpr double kTrialTolerance = 1e-5;

std::vector<Index> samples_of(const std::vector<signal::InputOutput>& experiments) {
  std::vector<Index> counts;
  for (const signal::InputOutput& one : experiments) counts.push_back(one.outputs.rows());
  return counts;
}

}  // namespace

BandFit::BandFit(const std::vector<signal::InputOutput>& experiments, double step,
                 const BandFitRules& rules)
    : experiments_(experiments),
      step_(step),
      rules_(rules),
      spectra_(band_spectra(experiments, step,
                            BandRows(samples_of(experiments), step, rules.from_hz, rules.to_hz),
                            rules.starts)) {}

void BandFit::run(std::vector<FrfPole> start) {
  poles_ = std::move(start);
  weights_ = VectorXd::Ones(experiments_.front().outputs.cols());
  line_weights_ = VectorXd::Ones(spectra_.band.rows());
  if (poles_.empty()) return;
  fit_terms();
  weigh();
  fit_terms();
  drop_unsupported();
  if (poles_.empty()) return;
  weigh();
  fit_terms();
  drop_unsupported();
}

void BandFit::remove(std::size_t term) {
  poles_.erase(poles_.begin() + static_cast<std::ptrdiff_t>(term));
  if (poles_.empty()) return;
  fit_terms();
  drop_unsupported();
}

// What only leakage or noise put there has no support in the records.
void BandFit::drop_unsupported() {
  do {
    for (Index worst = unsupported(); worst >= 0; worst = unsupported()) {
      poles_.erase(poles_.begin() + worst);
      if (poles_.empty()) return;
      fit_terms();
    }
  } while (drop_compensated());
}

// Two terms that share one mode both seem indispensable while the other is held. So a term with
// others near it is taken out and those are fitted again: the cost must rise by more than the bar.
// The term of least drop comes first. Returns whether one was taken out for good.
bool BandFit::drop_compensated() {
  const VectorXd drop = drop_of_modes(model_, fit_.at);
  std::vector<Index> order;
  for (std::size_t r = 0; r < poles_.size(); ++r) {
    if (has_neighbour(r, poles_)) order.push_back(static_cast<Index>(r));
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return drop(a) < drop(b); });
  const double enough = fit_.at.cost + bar() * variance_;
  for (const Index r : order) {
    std::vector<FrfPole> others = poles_;
    others.erase(others.begin() + r);
    if (!can_reach(others, enough)) continue;
    poles_ = others;
    fit_terms();
    return true;
  }
  return false;
}

// Whether a fit of these terms ends below a cost. Moves them there.
bool BandFit::can_reach(std::vector<FrfPole>& terms, double cost) {
  const ForcedSignals signals(experiments_, step_, terms, weights_, rules_.starts);
  PairedModel model = signals.model();
  model.signals = [&](const Eigen::VectorXcd& unknowns) {
    MatrixXd lines = signals.lines(unknowns, spectra_);
    lines.array().colwise() *= line_weights_.array();
    return lines;
  };
  const PairedFit trial =
      fit_paired(model, signals.unknowns(terms), kTrialIterations, kTrialTolerance, cost);
  iterations_ += trial.iterations;
  terms = signals.modes(trial.unknowns);
  return trial.at.cost <= cost;
}

// What the best of as many places as there are lines brings where there is only noise.
double BandFit::bar() const {
  return chi_square_quantile(1.0 - rules_.false_alarm / static_cast<double>(spectra_.band.lines()),
                             2.0 * static_cast<double>(model_.outputs) +
                                 2.0 * static_cast<double>(signals_->unknowns_of_mode()));
}

bool BandFit::in_band(const FrfPole& pole) const {
  return pole.frequency_hz() >= rules_.from_hz && pole.frequency_hz() <= rules_.to_hz;
}

MatrixXd BandFit::weighted_lines(const Eigen::VectorXcd& unknowns) const {
  MatrixXd lines = signals_->lines(unknowns, spectra_);
  lines.array().colwise() *= line_weights_.array();
  return lines;
}

void BandFit::fit_terms() {
  signals_.emplace(experiments_, step_, poles_, weights_, rules_.starts);
  model_ = signals_->model();
  model_.signals = [this](const Eigen::VectorXcd& unknowns) { return weighted_lines(unknowns); };
  fit_ = fit_paired(model_, signals_->unknowns(poles_), rules_.iterations, kRecordTolerance);
  poles_ = signals_->modes(fit_.unknowns);
  iterations_ += fit_.iterations;
  joint_ = weighted_lines(fit_.unknowns);
  residual_ =
      joint_.rightCols(model_.outputs) - joint_.leftCols(model_.regressors) * fit_.at.coefficients;
  const auto freedom = static_cast<double>((joint_.rows() - model_.regressors) * model_.outputs -
                                           fit_.at.gradient.size());
  variance_ = fit_.at.cost / freedom;
}

// Outputs and lines in units of their residual, so that each counts by what it knows.
void BandFit::weigh() {
  const VectorXd rms =
      (residual_.colwise().squaredNorm() / static_cast<double>(residual_.rows())).cwiseSqrt();
  const VectorXd size = rms.cwiseMax(1e-12 * rms.maxCoeff() + 1e-300);
  weights_ = weights_.cwiseQuotient(size);
  const MatrixXd alike = residual_ * size.cwiseInverse().asDiagonal();
  line_weights_ = line_weights_.cwiseQuotient(spectra_.band.smoothed_level(alike).cwiseSqrt());
}

// The term that fails its tests by most; -1 if all pass. The tests are those of the FRFs.
Index BandFit::unsupported() const {
  const MatrixXd covariance = variance_ * inverse_normal(fit_.at);
  const VectorXd drop = drop_of_modes(model_, fit_.at) / variance_;
  const double least = bar();
  Index worst = -1;
  double most = 1.0;
  for (Index r = 0; r < model_.modes; ++r) {
    const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
    double doubt = least / drop(r);
    if (in_band(pole)) {
      const Index place = 2 * r * signals_->unknowns_of_mode();
      const PoleDeviation own = pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
      doubt = std::max(doubt, own.frequency_hz / (rules_.frequency_share * pole.frequency_hz()));
      if (!rules_.steady) {
        doubt = std::max(doubt, own.damping_ratio / (rules_.damping_share * pole.damping_ratio()));
      }
    }
    // Without a covariance the term that matters least goes.
    if (!std::isfinite(doubt)) doubt = 1e100 * least / (drop(r) > 0.0 ? drop(r) : 1e-100);
    if (doubt <= most) continue;
    most = doubt;
    worst = r;
  }
  return worst;
}

std::vector<Mode> BandFit::modes() const {
  const MatrixXd covariance = variance_ * inverse_normal(fit_.at);
  // Of a decay the misfit of a frequency that moves stands on the same few lines.
  const MatrixXd scores = rules_.starts == StartStates::Free
                              ? few_line_score_covariance(model_, fit_.at, joint_)
                              : score_covariance(model_, fit_.at, joint_);
  std::vector<Mode> list;
  for (Index r = 0; r < model_.modes; ++r) list.push_back(mode_of(r, covariance, scores));
  const MatrixXd spread = coefficient_variances(model_, fit_.at, covariance / variance_);
  for (Index r = 0; r < model_.modes; ++r) {
    Mode& mode = list[static_cast<std::size_t>(r)];
    mode.shape_deviation.resize(model_.outputs);
    for (Index o = 0; o < model_.outputs; ++o) {
      const double both = spread(o, 2 * r) + spread(o, 2 * r + 1);
      mode.shape_deviation(o) = std::sqrt(0.5 * variance_ * both) / weights_(o);
    }
    mode.residue = residue_of(r, mode);
    normalise_shape(mode);
  }
  return list;
}

Mode BandFit::mode_of(Index r, const MatrixXd& covariance, const MatrixXd& scores) const {
  const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
  const Index place = 2 * r * signals_->unknowns_of_mode();
  const PoleDeviation own = pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
  const PoleDeviation seen = pole_deviation(pole.pole, scores.block<2, 2>(place, place));
  Mode mode;
  mode.pole = pole.pole;
  mode.frequency_hz = pole.frequency_hz();
  mode.damping_ratio = pole.damping_ratio();
  mode.frequency_deviation = std::max(own.frequency_hz, seen.frequency_hz);
  mode.damping_deviation = std::max(own.damping_ratio, seen.damping_ratio);
  Index driven = 0;
  pole.participation.cwiseAbs().maxCoeff(&driven);
  mode.participation = pole.participation / pole.participation(driven);
  const MatrixXd& c = fit_.at.coefficients;
  mode.shape.resize(model_.outputs);
  for (Index o = 0; o < model_.outputs; ++o) {
    mode.shape(o) = std::complex<double>(c(2 * r, o), c(2 * r + 1, o)) / weights_(o);
  }
  mode.damping_known = mode.damping_ratio > 2.0 * mode.damping_deviation;
  if (!mode.damping_known) mode.remark = "damping is below twice its own deviation";
  return mode;
}

// Re φ x has the response (φ l/(W - z) + cc)/2 with W = exp(iω step), which about its pole is
// φ l/(2 step z)/(iω - λ). The participation has 1 where it is largest; the shape is as fitted.
std::complex<double> BandFit::residue_of(Index r, const Mode& mode) const {
  if (rules_.starts != StartStates::Free) return 0.0;
  const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
  Index driven = 0, largest = 0;
  pole.participation.cwiseAbs().maxCoeff(&driven);
  mode.shape.cwiseAbs().maxCoeff(&largest);
  return mode.shape(largest) * pole.participation(driven) /
         (2.0 * step_ * std::exp(pole.pole * step_));
}

MatrixXd BandFit::fitted() const {
  const MatrixXd samples = signals_->signals(fit_.unknowns);
  const MatrixXd model = samples.leftCols(model_.regressors) * fit_.at.coefficients;
  return model * weights_.cwiseInverse().asDiagonal();
}

std::vector<OutputFit> BandFit::output_fits() const {
  std::vector<OutputFit> fits;
  Index samples = 0;
  for (const signal::InputOutput& one : experiments_) samples += one.outputs.rows();
  for (Index o = 0; o < residual_.cols(); ++o) {
    const VectorXd measured =
        joint_.col(joint_.cols() - residual_.cols() + o).cwiseQuotient(line_weights_);
    const double left = residual_.col(o).cwiseQuotient(line_weights_).norm();
    fits.push_back({.fit_percent = 100.0 * (1.0 - left / measured.norm()),
                    .residual = left / std::sqrt(static_cast<double>(samples)) / weights_(o)});
  }
  return fits;
}

}  // namespace alembert::identify::modes
