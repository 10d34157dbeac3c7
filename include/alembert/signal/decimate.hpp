#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::signal {

/// A curve with fewer points that looks the same. NaN in y breaks the line.
struct Decimated {
  Eigen::VectorXd x, y;
};

/// Indices of the samples that stay when a curve is thinned for plotting, increasing.
///
/// The samples are cut into `buckets` runs of nearly equal count. Of each run the first, the
/// smallest, the largest and the last value stay: no peak is lost, and within a bucket the drawn
/// line covers the same range of y. NaN marks a missing sample: a bucket that has any keeps one,
/// from the middle of its longest run of them, so that the line breaks there; if it would then
/// keep five samples it gives up its first value.
///
/// At most 4 buckets indices are returned; an input of at most that size stays whole.
///
/// @param buckets >= 1. One for each pixel of the plot's width shows no difference.
/// @throws InvalidInput if buckets < 1.
[[nodiscard]] std::vector<Eigen::Index> decimate_indices(const Eigen::Ref<const Eigen::VectorXd>& y,
                                                         Eigen::Index buckets);

/// The points of a curve that decimate_indices() keeps.
///
/// @param x abscissae, one for each y; usually time in s.
/// @throws InvalidInput if the sizes differ or buckets < 1.
[[nodiscard]] Decimated decimate_min_max(const Eigen::Ref<const Eigen::VectorXd>& x,
                                         const Eigen::Ref<const Eigen::VectorXd>& y,
                                         Eigen::Index buckets);

}  // namespace alembert::signal
