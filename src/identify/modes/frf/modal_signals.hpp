#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/modes/modal_model.hpp"
#include "identify/modes/projection/pole_projection.hpp"

/// The modal model of FRFs as a paired model. Rows: for each input its lines, the real parts, then
/// the imaginary parts. Unknowns of a mode: its pole, then its participations but the one that is
/// held at 1.
namespace alembert::identify::modes {

class ModalSignals {
 public:
  /// Holds the largest participation of each mode.
  ModalSignals(const FrfData& data, const std::vector<FrfPole>& start);

  [[nodiscard]] PairedModel model() const;
  [[nodiscard]] Eigen::VectorXcd unknowns(const std::vector<FrfPole>& poles) const;
  [[nodiscard]] std::vector<FrfPole> modes(const Eigen::VectorXcd& unknowns) const;
  /// [X S Y] of the unknowns.
  [[nodiscard]] Eigen::MatrixXd signals(const Eigen::VectorXcd& unknowns) const;
  [[nodiscard]] Eigen::Index rows() const { return 2 * data_.lines() * data_.inputs; }
  [[nodiscard]] Eigen::Index regressors() const { return 2 * count_ + 3 * data_.inputs; }
  [[nodiscard]] Eigen::Index count() const { return count_; }

 private:
  void set_pair(const Eigen::VectorXcd& first, const Eigen::VectorXcd& second,
                const Eigen::VectorXcd& participation, Eigen::Index column,
                Eigen::MatrixXd& all) const;

  const FrfData& data_;
  Eigen::Index count_;
  std::vector<Eigen::Index> held_;  // the participation of each mode that stays 1
  Eigen::VectorXd weight_;          // of each line
  Eigen::VectorXcd s_;              // iω
};

}  // namespace alembert::identify::modes
