#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "alembert/document/known.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/study/measured_data.hpp"

/// What a failed method has left unfilled gets the size that its writers expect, full of NaN, which
/// is null in files. Each task has one function complete() for its result that is made of these.
namespace alembert::study {

/// Keeps a vector of this size; else makes one of NaN.
inline void fit_size(Eigen::VectorXd& values, Eigen::Index size) {
  if (values.size() != size) values = Eigen::VectorXd::Constant(size, document::kMissing);
}
/// Keeps a matrix of this shape; else makes one of NaN.
inline void fit_size(Eigen::MatrixXd& values, Eigen::Index rows, Eigen::Index columns) {
  if (values.rows() == rows && values.cols() == columns) return;
  values = Eigen::MatrixXd::Constant(rows, columns, document::kMissing);
}

/// Whether there is a signal of each output for each experiment.
[[nodiscard]] inline bool fits(const std::vector<Eigen::MatrixXd>& signals,
                               const MeasuredData& data) {
  if (signals.size() != data.experiments.size()) return false;
  for (std::size_t e = 0; e < signals.size(); ++e) {
    const Eigen::MatrixXd& measured = data.experiments[e].output;
    if (signals[e].rows() != measured.rows() || signals[e].cols() != measured.cols()) return false;
  }
  return true;
}

/// Whether there is a verdict on so many outputs, with as many lags each and one at least.
[[nodiscard]] inline bool fits(const std::vector<identify::ResidualVerdict>& outputs,
                               std::size_t count) {
  if (outputs.size() != count) return false;
  for (const identify::ResidualVerdict& one : outputs) {
    const Eigen::Index lags = one.correlation.size();
    if (lags < 2 || lags != outputs.front().correlation.size()) return false;
  }
  return true;
}

}  // namespace alembert::study
