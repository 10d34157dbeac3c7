#pragma once

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "alembert/signal/fft.hpp"
#include "alembert/signal/spectrum.hpp"

namespace alembert::signal {

// How one record is cut: what WelchOptions mean for a number of samples.
struct Segmentation {
  Eigen::Index length = 0;  // N
  Eigen::Index hop = 0;     // from one start to the next
  Eigen::VectorXd window;
  int trend_degree = -1;

  [[nodiscard]] Eigen::Index lines() const { return length / 2 + 1; }
};

// Checks the options against a record of `samples`; errors name the public function.
Segmentation segmentation(std::string_view function, Eigen::Index samples,
                          const WelchOptions& options);

// Checks the public arguments that all spectra share.
void check_samples(std::string_view function, const Eigen::Ref<const Eigen::MatrixXd>& samples,
                   double step);

// First samples of the segments that fit between missing samples (NaN in any column).
std::vector<Eigen::Index> segment_starts(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                         const Segmentation& cut);

// Sum over all pairs of segments of their overlap correlation ρ.
double correlation_sum(const std::vector<Eigen::Index>& starts, const Segmentation& cut);

// c step / Σw² (density) for each line.
Eigen::VectorXd density_scale(const Segmentation& cut, double step);

// Equivalent noise bandwidth in Hz.
double resolution_hz(const Segmentation& cut, double step);

// The transforms of segments, with workspace.
class SegmentTransform {
 public:
  explicit SegmentTransform(const Segmentation& cut) : cut_(cut), plan_(cut.length) {}

  // Transforms of all columns of the segment that begins at `start`: channels x lines.
  const Eigen::MatrixXcd& operator()(const Eigen::Ref<const Eigen::MatrixXd>& samples,
                                     Eigen::Index start);

 private:
  const Segmentation& cut_;
  FftPlan plan_;
  Eigen::MatrixXcd spectra_;
};

}  // namespace alembert::signal
