#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/not_a_number.hpp"
#include "identify/weak_form/weak_equations.hpp"
#include "identify/weak_form/weak_setting.hpp"

namespace alembert::identify {

/// A model of the system and how it predicts the data.
struct WeakIterate {
  Eigen::VectorXd theta;
  double cost = kNaN;  ///< rms of the output error, each output by its rms
  std::vector<Eigen::MatrixXd> predictions;
};

/// One window: least squares, then instruments from the simulated model.
class WeakWindow {
 public:
  /// @param total adds a second start by total least squares.
  WeakWindow(const WeakSetting& setting, double window, bool total);

  /// At most `count` instrument iterations; ends earlier when the unknowns have settled.
  void iterate(int count);

  [[nodiscard]] const Outcome& outcome() const { return outcome_; }
  [[nodiscard]] const WeakIterate& best() const { return best_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double window() const {
    return 2.0 * static_cast<double>(kernels_.half) * setting_.data.front().step;
  }

 private:
  // Columns of the normal matrix brought to unit diagonal.
  void scale_columns(const WeakSystem& system);
  Outcome solved_with(const std::vector<Eigen::MatrixXd>& instruments);
  void try_total_least_squares();
  // Simulates the current model and keeps it if none was better.
  void accept(const Outcome& outcome);

  const WeakSetting& setting_;
  WeakKernels kernels_;
  std::vector<WeakRows> rows_;
  Eigen::VectorXd d_;        // scale of the unknowns
  Eigen::VectorXd weights_;  // of the equations
  WeakIterate current_, best_;
  Outcome outcome_;
  int iterations_ = 0;
  bool settled_ = false;
};

}  // namespace alembert::identify
