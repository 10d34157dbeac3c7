#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::optimize {

/// Bands of bins k = 0 .. N-1 of the cosine transform: one bin each up to k = 66, then
/// min(0.03 k, N/256) bins.
class CosineBands {
 public:
  /// @param longest N of the longest block; the bins of shorter ones go to the nearest frequency.
  explicit CosineBands(Eigen::Index longest);

  [[nodiscard]] Eigen::Index count() const { return middle_.size(); }
  [[nodiscard]] Eigen::Index longest() const { return static_cast<Eigen::Index>(band_.size()); }
  /// Middle of each band, in bins of the longest block.
  [[nodiscard]] const Eigen::VectorXd& middle() const { return middle_; }
  /// Middle of each band in rad per sample.
  [[nodiscard]] Eigen::VectorXd frequency() const;
  /// Band of each bin of a block of this length.
  [[nodiscard]] std::vector<Eigen::Index> of_bins(Eigen::Index length) const;
  /// Triangular weights K(b, b') = max(0, 1 - |k_b - k_b'|/max(least, share k_b)).
  [[nodiscard]] Eigen::MatrixXd triangle(double least, double share) const;

 private:
  std::vector<Eigen::Index> band_;  // of each bin of the longest block
  Eigen::VectorXd middle_;
};

}  // namespace alembert::optimize
