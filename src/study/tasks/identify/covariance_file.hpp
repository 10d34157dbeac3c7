#pragma once

#include "alembert/study/identify.hpp"

namespace alembert::study {

inline constexpr const char* kCovarianceFile = "covariance.csv";

/// Whether the covariance of the unknowns of M, D, K is too large for result.json.
[[nodiscard]] inline bool has_covariance_file(const IdentifyResult& result) {
  constexpr Eigen::Index kLargestInside = 200;
  return result.refinement.covariance.rows() > kLargestInside;
}

}  // namespace alembert::study
