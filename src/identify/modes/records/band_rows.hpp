#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/fft.hpp"

namespace alembert::identify::modes {

/// The largest number up to `samples` without prime factors above 7: transforms of that length are
/// fast.
[[nodiscard]] Eigen::Index smooth_length(Eigen::Index samples);

/// Records as lines of their Fourier transforms in a band. A linear model that holds sample by
/// sample holds line by line, if regressors and outputs are transformed alike: there is no leakage,
/// and what lies outside the band is left out. Of noise that is stationary each line is independent
/// of the others.
class BandRows {
 public:
  /// Lines above 0 and below half the sampling rate within [from_hz, to_hz].
  /// @param samples of each record.
  BandRows(const std::vector<Eigen::Index>& samples, double step, double from_hz, double to_hz);

  [[nodiscard]] Eigen::Index rows() const { return rows_; }
  [[nodiscard]] Eigen::Index lines() const { return rows_ / 2; }

  /// Real parts of the lines of a record, then their imaginary parts, record after record, scaled
  /// by √(2/n): white noise keeps its deviation. @param samples all records, one below the other.
  [[nodiscard]] Eigen::MatrixXd of(const Eigen::MatrixXd& samples) const;

  /// For every row the mean of |residual|² over the lines around its own, in the mean of
  /// logarithms: a level of noise that a few large lines do not move.
  [[nodiscard]] Eigen::VectorXd smoothed_level(const Eigen::MatrixXd& residual) const;

  /// The lines of one record: numbers first .. first + lines - 1 of its transform.
  struct Part {
    Eigen::Index samples, first, lines;
  };
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  Eigen::Index rows_ = 0;
};

}  // namespace alembert::identify::modes
