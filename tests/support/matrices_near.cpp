#include "support/matrices_near.hpp"

#include <fmt/core.h>

namespace alembert::test {

testing::AssertionResult matrices_near(const Eigen::Ref<const Eigen::MatrixXd>& actual,
                                       const Eigen::Ref<const Eigen::MatrixXd>& expected,
                                       const Tolerance& tolerance) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    return testing::AssertionFailure()
           << fmt::format("size {} x {}, expected {} x {}", actual.rows(), actual.cols(),
                          expected.rows(), expected.cols());
  }
  if (expected.size() == 0) {
    return testing::AssertionSuccess();
  }
  const double bound = tolerance.abs + tolerance.rel * expected.cwiseAbs().maxCoeff();
  Eigen::Index row = 0;
  Eigen::Index column = 0;
  const Eigen::MatrixXd difference = (actual - expected).cwiseAbs();
  const double worst = difference.maxCoeff<Eigen::PropagateNaN>(&row, &column);
  if (worst <= bound) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << fmt::format("entry ({}, {}): {:.17g}, expected {:.17g}, difference {:.3g} above {:.3g}",
                        row, column, actual(row, column), expected(row, column), worst, bound);
}

}  // namespace alembert::test
