#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/refine.hpp"
#include "identify/refine/step_rule.hpp"

namespace alembert::identify {

/// predict() for many systems on the same records, all states free and weights fixed.
///
/// In the modes of the system each sample costs O(n m) instead of O(n²) with large factors, and
/// the least squares for the start states need the moments of e^{λt} only. Nearly defective
/// systems go to predict() itself.
class QuickPrediction {
 public:
  struct Result {
    std::vector<Eigen::MatrixXd> predictions;  ///< N x p each
    Eigen::VectorXd noise;                     ///< rms of the error of each output
  };

  /// The experiments must outlive the object. @param weights 1/σ of each output.
  QuickPrediction(const Experiments& data, model::OutputMap outputs, signal::BetweenSamples hold,
                  Eigen::VectorXd weights);

  [[nodiscard]] Result operator()(const model::SecondOrder& system) const;

 private:
  const Experiments& data_;
  model::OutputMap outputs_;
  RefineOptions options_;
  StepRule rule_;
  std::vector<Eigen::MatrixXd> drives_;  // w(k) as rows, N - 1 of them
};

}  // namespace alembert::identify
