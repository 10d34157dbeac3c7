#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace alembert {

/// Sizes as BLAS and LAPACK count them.
inline int blas_size(Eigen::Index size) { return static_cast<int>(size); }
/// The distance between columns, which is never below 1.
inline int leading(Eigen::Index stride) {
  return static_cast<int>(std::max<Eigen::Index>(1, stride));
}

}  // namespace alembert
