#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "alembert/identify/modes/mode_set.hpp"
#include "identify/modes/records/forced_lines.hpp"

namespace alembert::identify::modes {

/// How a fit of records is judged.
struct BandFitRules {
  double from_hz = 0.0;  ///< band whose lines are fitted
  double to_hz = 0.0;
  int iterations = 40;            ///< of each fit
  double false_alarm = 0.01;      ///< see FrfModesOptions
  double frequency_share = 0.01;  ///< largest sd_f over f
  double damping_share = 0.5;     ///< largest sd_zeta over zeta
  StartStates starts = StartStates::Free;
  bool steady = false;  ///< terms that do not decay stay
};

/// Modes fitted to the lines of records in a band: all terms together, those without support taken
/// out. Outputs and lines are weighed by what the fit leaves of them.
class BandFit {
 public:
  /// @pre experiments are complete, of equal columns, and outlive this.
  BandFit(const std::vector<signal::InputOutput>& experiments, double step,
          const BandFitRules& rules);

  /// Fits from given terms.
  void run(std::vector<FrfPole> start);
  /// Takes a term out and fits the rest again.
  void remove(std::size_t term);

  [[nodiscard]] const std::vector<FrfPole>& poles() const { return poles_; }
  /// The terms as modes. Deviations: the larger of that of independent noise of the level that is
  /// left, and of that by the scores g_k of the lines, P = (JᵀJ)⁻¹ (Σ_k g_k g_kᵀ) (JᵀJ)⁻¹.
  [[nodiscard]] std::vector<Mode> modes() const;
  /// Within the band.
  [[nodiscard]] std::vector<OutputFit> output_fits() const;
  /// What the terms make of each sample, in the units of the outputs.
  [[nodiscard]] Eigen::MatrixXd fitted() const;
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] const PairedFit& fit() const { return fit_; }

 private:
  void fit_terms();
  void weigh();
  void drop_unsupported();
  [[nodiscard]] double bar() const;
  bool drop_compensated();
  bool can_reach(std::vector<FrfPole>& terms, double cost);
  [[nodiscard]] bool in_band(const FrfPole& pole) const;
  [[nodiscard]] Eigen::MatrixXd weighted_lines(const Eigen::VectorXcd& unknowns) const;
  [[nodiscard]] Eigen::Index unsupported() const;
  [[nodiscard]] Mode mode_of(Eigen::Index r, const Eigen::MatrixXd& covariance,
                             const Eigen::MatrixXd& scores) const;
  [[nodiscard]] std::complex<double> residue_of(Eigen::Index r, const Mode& mode) const;

  const std::vector<signal::InputOutput>& experiments_;
  double step_;
  BandFitRules rules_;
  BandSpectra spectra_;
  std::vector<FrfPole> poles_;
  Eigen::VectorXd weights_;       // of the outputs
  Eigen::VectorXd line_weights_;  // of the rows
  std::optional<ForcedSignals> signals_;
  PairedModel model_;
  PairedFit fit_;
  Eigen::MatrixXd joint_, residual_;
  double variance_ = 0.0;
  int iterations_ = 0;
};

}  // namespace alembert::identify::modes
