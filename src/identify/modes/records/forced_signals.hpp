#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/modes/plscf.hpp"
#include "identify/modes/projection/pole_projection.hpp"

/// Responses to measured forces as a paired model, one row per sample. Unknowns of a mode: its
/// pole, its participations but the one held at 1, its start state in each experiment.
namespace alembert::identify::modes {

/// What a mode does at the first sample of an experiment.
enum class StartStates {
  Free,   ///< unknown
  AtRest  ///< nothing: the inputs account for all motion
};

struct BandSpectra;

class ForcedSignals {
 public:
  /// @param weights of the outputs. @pre experiments are complete, of equal columns.
  ForcedSignals(const std::vector<signal::InputOutput>& experiments, double step,
                const std::vector<FrfPole>& start, const Eigen::VectorXd& weights,
                StartStates starts = StartStates::Free);

  [[nodiscard]] PairedModel model() const;
  [[nodiscard]] Eigen::VectorXcd unknowns(const std::vector<FrfPole>& poles) const;
  [[nodiscard]] std::vector<FrfPole> modes(const Eigen::VectorXcd& unknowns) const;
  /// One row per sample.
  [[nodiscard]] Eigen::MatrixXd signals(const Eigen::VectorXcd& unknowns) const;
  /// The lines of signals() in a band, from closed forms. With W = exp(iω step) and n samples
  ///   f(k+1) = z f(k) + u(k)   has the transform   F = (U - W (f(n) - f(0)))/(W - z).
  [[nodiscard]] Eigen::MatrixXd lines(const Eigen::VectorXcd& unknowns,
                                      const BandSpectra& spectra) const;
  [[nodiscard]] Eigen::Index rows() const { return rows_; }
  [[nodiscard]] Eigen::Index regressors() const {
    return 2 * count_ + (2 * reach() + 1) * inputs_ + edges() * experiments_count_;
  }
  [[nodiscard]] Eigen::Index unknowns_of_mode() const {
    return inputs_ + (starts_ == StartStates::Free ? experiments_count_ : 0);
  }

 private:
  /// Neighbours on either side of a sample of the forces whose direct effect is free.
  [[nodiscard]] Eigen::Index reach() const { return starts_ == StartStates::Free ? 2 : 0; }
  /// Samples at either end of an experiment that are free: what begins or ends there beyond the
  /// band reaches into it as they do.
  [[nodiscard]] Eigen::Index edges() const { return starts_ == StartStates::Free ? 4 : 3; }
  void add_edges(Eigen::Index e, Eigen::Index row, Eigen::Index samples,
                 Eigen::MatrixXd& all) const;
  void add_direct(const Eigen::MatrixXd& inputs, Eigen::Index row, Eigen::MatrixXd& all) const;
  void add_experiment(const signal::InputOutput& experiment, Eigen::Index e, Eigen::Index row,
                      const Eigen::VectorXcd& unknowns, Eigen::MatrixXd& all) const;
  void add_mode(const signal::InputOutput& experiment, Eigen::Index e, Eigen::Index row,
                Eigen::Index r, const Eigen::VectorXcd& own, Eigen::MatrixXd& all) const;

  struct LinePlace {
    Eigen::Index experiment, row, mode;
  };
  void add_mode_lines(const BandSpectra& spectra, const LinePlace& place,
                      const Eigen::VectorXcd& own, Eigen::MatrixXd& all) const;

  const std::vector<signal::InputOutput>& experiments_;
  double step_;
  Eigen::VectorXd weights_;
  Eigen::Index count_, inputs_, outputs_, experiments_count_, rows_ = 0, longest_ = 0;
  std::vector<Eigen::Index> held_;
  StartStates starts_;
};

}  // namespace alembert::identify::modes
