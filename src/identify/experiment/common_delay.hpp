#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/experiment/added_columns.hpp"

namespace alembert::identify {

/// z(k) = -(ŷ(k+1) - ŷ(k-1))/2, one-sided at the ends: what a delay of one sample does to ŷ, for
/// small delays.
[[nodiscard]] Eigen::VectorXd central_column(const Eigen::VectorXd& predicted);

/// Whether the parameters take a common delay of some channels up, as the start of a free motion
/// does: what they leave of its slope is less than half of the error of the quotient of second
/// order.
class CommonDelay {
 public:
  /// @param predicted ŷ of each block; both are kept by reference.
  CommonDelay(const ColouredBlocks& blocks, const std::vector<Eigen::VectorXd>& predicted);

  [[nodiscard]] bool taken_up(const std::vector<int>& channels) const;

 private:
  const ColouredBlocks& blocks_;
  const std::vector<Eigen::VectorXd>& predicted_;
  LeftByParameters left_by_parameters_;
};

}  // namespace alembert::identify
