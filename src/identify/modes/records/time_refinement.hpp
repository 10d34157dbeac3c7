#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/identify/modes/mode_set.hpp"
#include "identify/modes/records/forced_signals.hpp"

namespace alembert::identify::modes {

/// How a fit of records is judged.
struct RefinementRules {
  int iterations = 40;            ///< of each fit
  double false_alarm = 0.01;      ///< see FrfModesOptions
  double places = 1.0;            ///< frequencies at which noise may look like a mode
  double frequency_share = 0.01;  ///< largest sd_f over f
  double damping_share = 0.5;     ///< largest sd_zeta over zeta
  int blocks = 30;                ///< of the records, for the deviations
  StartStates starts = StartStates::Free;
};

/// Modes fitted to records sample by sample: all terms together, those without support taken out.
class TimeRefinement {
 public:
  /// @pre experiments are complete, of equal columns, and outlive this.
  TimeRefinement(const std::vector<signal::InputOutput>& experiments, double step,
                 const RefinementRules& rules)
      : experiments_(experiments), step_(step), rules_(rules) {}

  /// Fits from given terms; outputs are then weighed by their residuals and fitted again.
  void run(std::vector<FrfPole> start);
  /// Takes a term out and fits the rest again.
  void remove(std::size_t term);

  [[nodiscard]] const std::vector<FrfPole>& poles() const { return poles_; }
  /// The terms as modes, with deviations from blocks.
  [[nodiscard]] std::vector<Mode> modes() const;
  [[nodiscard]] std::vector<OutputFit> output_fits() const;
  /// What is left of each sample, in the units of the outputs.
  [[nodiscard]] Eigen::MatrixXd residual() const;
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] const PairedFit& fit() const { return fit_; }

 private:
  void fit_terms();
  void drop_unsupported();
  void weigh_outputs();
  [[nodiscard]] Eigen::Index unsupported() const;
  [[nodiscard]] Mode mode_of(Eigen::Index r, const Eigen::MatrixXd& covariance,
                             const Eigen::MatrixXd& spread) const;

  const std::vector<signal::InputOutput>& experiments_;
  double step_;
  RefinementRules rules_;
  std::vector<FrfPole> poles_;
  Eigen::VectorXd weights_;
  std::optional<ForcedSignals> signals_;
  PairedModel model_;
  PairedFit fit_;
  Eigen::MatrixXd joint_, residual_;
  double variance_ = 0.0;
  int iterations_ = 0;
};

}  // namespace alembert::identify::modes
