#include "alembert/identify/modes/record_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "identify/modes/projection/pole_deviation.hpp"
#include "identify/modes/records/forced_signals.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using modes::ForcedSignals;
using modes::PairedModel;

constexpr double kMostNumbers = 6e7;  // of the matrix of signals: 0.5 GB
constexpr double kFurthest = 0.02;    // that a refined frequency may be from that of the FRFs
constexpr double kTolerance = 1e-7;   // of the relative fall of the cost
constexpr double kHighest = 0.8;      // of half the sampling rate

bool is_complete(const std::vector<signal::InputOutput>& experiments) {
  return std::all_of(experiments.begin(), experiments.end(), [](const signal::InputOutput& one) {
    return one.inputs.allFinite() && one.outputs.allFinite();
  });
}

class Refinement {
 public:
  Refinement(const std::vector<signal::InputOutput>& experiments, double step,
             const RecordModesOptions& options, RecordModes& found)
      : experiments_(experiments), step_(step), options_(options), found_(found) {}

  void run() {
    poles_ = found_.frf.fit.modes;
    // A term above half the sampling rate has no place in sampled records.
    std::erase_if(poles_, [&](const FrfPole& one) { return one.frequency_hz() * step_ >= 0.5; });
    weights_ = VectorXd::Ones(experiments_.front().outputs.cols());
    fit_terms();
    weigh_outputs();
    fit_terms();
    // What only leakage put there has no support in the records.
    for (Index worst = unsupported(); worst >= 0; worst = unsupported()) {
      poles_.erase(poles_.begin() + worst);
      if (poles_.empty()) return;
      fit_terms();
    }
    take();
  }

 private:
  void fit_terms() {
    signals_.emplace(experiments_, step_, poles_, weights_);
    model_ = signals_->model();
    fit_ = modes::fit_paired(model_, signals_->unknowns(poles_), options_.modes.fit.iterations,
                             kTolerance);
    poles_ = signals_->modes(fit_.unknowns);
    found_.iterations += fit_.iterations;
    joint_ = signals_->signals(fit_.unknowns);
    residual_ = joint_.rightCols(model_.outputs) -
                joint_.leftCols(model_.regressors) * fit_.at.coefficients;
    const auto freedom = static_cast<double>((joint_.rows() - model_.regressors) * model_.outputs -
                                             fit_.at.gradient.size());
    variance_ = fit_.at.cost / freedom;
  }

  // Outputs in units of their residual, so that each counts by what it knows.
  void weigh_outputs() {
    const VectorXd rms =
        (residual_.colwise().squaredNorm() / static_cast<double>(residual_.rows())).cwiseSqrt();
    weights_ = weights_.cwiseQuotient(rms.cwiseMax(1e-12 * rms.maxCoeff() + 1e-300));
  }

  // The term that fails its tests by most; -1 if all pass. The tests are those of the FRFs.
  [[nodiscard]] Index unsupported() const {
    const MatrixXd covariance = variance_ * modes::inverse_normal(fit_.at);
    const VectorXd drop = modes::drop_of_modes(model_, fit_.at) / variance_;
    const auto inputs = static_cast<double>(experiments_.front().inputs.cols());
    const double bar = chi_square_quantile(
        1.0 - options_.modes.false_alarm / static_cast<double>(found_.frf.data.lines()),
        2.0 * static_cast<double>(model_.outputs) + 2.0 * inputs);
    Index worst = -1;
    double most = 1.0;
    for (Index r = 0; r < model_.modes; ++r) {
      const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
      const Index place = 2 * r * signals_->unknowns_of_mode();
      const modes::PoleDeviation own =
          modes::pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
      const double frequency =
          own.frequency_hz / (options_.modes.largest_frequency_share * pole.frequency_hz());
      const double damping =
          own.damping_ratio / (options_.modes.largest_damping_share * pole.damping_ratio());
      const double doubt = std::max({bar / drop(r), frequency, damping});
      if (doubt <= most) continue;
      most = doubt;
      worst = r;
    }
    return worst;
  }

  [[nodiscard]] bool in_band(const FrfPole& pole) const {
    const VectorXd& f = found_.frf.data.frequencies_hz;
    return pole.frequency_hz() >= f(0) && pole.frequency_hz() <= f(f.size() - 1);
  }

  // Whether the FRFs have a term within 2 % and what their lines resolve.
  [[nodiscard]] bool is_near_start(const FrfPole& pole) const {
    const std::vector<FrfPole>& start = found_.frf.fit.modes;
    const double line = 2.0 * std::numbers::pi * found_.measured.averaging.resolution_hz;
    return std::any_of(start.begin(), start.end(), [&](const FrfPole& one) {
      return std::abs(one.pole - pole.pole) < kFurthest * std::abs(one.pole) + line;
    });
  }

  void take() {
    const int blocks = std::max(2, std::min<int>(options_.blocks, static_cast<int>(joint_.rows())));
    const MatrixXd covariance = modes::block_covariance(model_, fit_.at, joint_, blocks);
    const MatrixXd spread = modes::coefficient_variances(model_, fit_.at, covariance / variance_);
    std::vector<Mode> refined;
    for (Index r = 0; r < model_.modes; ++r) {
      const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
      if (!in_band(pole) || !is_wanted(pole.frequency_hz(), options_.modes.windows)) continue;
      if (!is_near_start(pole)) return refuse(pole);
      refined.push_back(mode_of(r, covariance, spread));
    }
    std::sort(refined.begin(), refined.end(),
              [](const Mode& a, const Mode& b) { return a.frequency_hz < b.frequency_hz; });
    found_.modes = std::move(refined);
    found_.refined = true;
    fill_outputs();
    if (!fit_.ok()) found_.warnings.push_back("refinement on the records: " + fit_.message);
  }

  void refuse(const FrfPole& pole) {
    found_.warnings.push_back(fmt::format(
        "the fit of the records moved a mode to {:.5g} Hz, more than {:.0f} % and a line from any "
        "of the FRFs; "
        "the modes are those of the FRFs, whose window raises light damping",
        pole.frequency_hz(), 100.0 * kFurthest));
  }

  [[nodiscard]] Mode mode_of(Index r, const MatrixXd& covariance, const MatrixXd& spread) const {
    const FrfPole& pole = poles_[static_cast<std::size_t>(r)];
    const Index place = 2 * r * signals_->unknowns_of_mode();
    const modes::PoleDeviation own =
        modes::pole_deviation(pole.pole, covariance.block<2, 2>(place, place));
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

  void fill_outputs() {
    const auto samples = static_cast<double>(residual_.rows());
    for (Index o = 0; o < residual_.cols(); ++o) {
      const VectorXd measured = joint_.col(joint_.cols() - residual_.cols() + o);
      const double size = (measured.array() - measured.mean()).matrix().norm();
      const double left = residual_.col(o).norm();
      found_.outputs.push_back({.fit_percent = 100.0 * (1.0 - left / size),
                                .residual = left / std::sqrt(samples) / weights_(o)});
    }
  }

  const std::vector<signal::InputOutput>& experiments_;
  double step_;
  const RecordModesOptions& options_;
  RecordModes& found_;
  std::vector<FrfPole> poles_;
  VectorXd weights_;
  std::optional<ForcedSignals> signals_;
  PairedModel model_;
  modes::PairedFit fit_;
  MatrixXd joint_, residual_;
  double variance_ = 0.0;
};

void refine(const std::vector<signal::InputOutput>& experiments, double step,
            const RecordModesOptions& options, RecordModes& found) {
  Index rows = 0;
  for (const signal::InputOutput& one : experiments) rows += one.outputs.rows();
  const auto modes = static_cast<Index>(found.frf.fit.modes.size());
  const Index inputs = experiments.front().inputs.cols();
  const Index columns = 2 * modes * (1 + inputs + static_cast<Index>(experiments.size()));
  if (!is_complete(experiments)) {
    found.warnings.push_back("samples are missing: the modes are those of the FRFs");
  } else if (static_cast<double>(rows) * static_cast<double>(columns) > kMostNumbers) {
    found.warnings.push_back(
        "the records are too long to be fitted sample by sample: the modes "
        "are those of the FRFs");
  } else {
    Refinement(experiments, step, options, found).run();
  }
}

void judge_modes(RecordModes& found) {
  Evidence evidence;
  evidence.add(found);
  for (const std::string& warning : found.warnings) evidence.add(TrustLevel::Caution, warning);
  for (const Mode& mode : found.modes) {
    if (mode.damping_known) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("the damping of the mode at {:.5g} Hz is not known: {}",
                             mode.frequency_hz, mode.remark),
                 "measure longer, or with more force near that frequency");
  }
  if (!found.measured.warning.empty()) {
    evidence.add(TrustLevel::Caution, found.measured.warning,
                 "take the band where all forces excite the structure");
  }
  found.verdict = evidence.verdict();
}

}  // namespace

RecordModes identify_record_modes(const std::vector<signal::InputOutput>& experiments, double step,
                                  const RecordModesOptions& options) {
  check::positive("identify_record_modes", "step", step);
  check::at_least("identify_record_modes", "blocks", options.blocks, 2);
  RecordModes found;
  found.measured = signal::estimate_frf(experiments, step, options.frf);
  const double to = options.to_hz.value_or(kHighest * 0.5 / step);
  found.frf = identify_frf_modes(frf_data(found.measured, options.from_hz.value_or(0.0), to),
                                 options.modes);
  found.status = found.frf.status;
  found.message = found.frf.message;
  found.modes = found.frf.modes;
  if (options.refine && !found.modes.empty()) refine(experiments, step, options, found);
  judge_modes(found);
  return found;
}

}  // namespace alembert::identify
