#pragma once

#include <Eigen/Core>

#include "alembert/integrate/one_step_map.hpp"

namespace alembert::integrate {

/// The vectors w(k) that drive a map, formed from input samples block by block.
class InputStencil {
 public:
  /// @param input N x m samples, which must outlive the object; slopes of the spline are
  ///   computed here for Drive::Polynomial.
  InputStencil(Drive drive, const Eigen::Ref<const Eigen::MatrixXd>& input, double step);

  /// Length of w.
  [[nodiscard]] Eigen::Index size() const noexcept;
  /// Fills column i of `block` (size() x count) with w(first + i).
  void fill(Eigen::Index first, Eigen::Ref<Eigen::MatrixXd> block) const;

 private:
  Drive drive_;
  Eigen::Ref<const Eigen::MatrixXd> input_;
  Eigen::MatrixXd slopes_;  // h u' at the samples
};

}  // namespace alembert::integrate
