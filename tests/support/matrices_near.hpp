#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>

namespace alembert::test {

inline constexpr double kEps = std::numeric_limits<double>::epsilon();

/// |actual - expected| <= abs + rel * max|expected|, entry by entry.
struct Tolerance {
  double rel = 0.0;
  double abs = 0.0;
};

/// Compares matrices; on failure names the worst entry, both values and the difference.
testing::AssertionResult matrices_near(const Eigen::Ref<const Eigen::MatrixXd>& actual,
                                       const Eigen::Ref<const Eigen::MatrixXd>& expected,
                                       const Tolerance& tolerance);

}  // namespace alembert::test
