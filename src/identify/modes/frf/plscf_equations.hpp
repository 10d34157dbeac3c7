#pragma once

#include <Eigen/Core>

#include "alembert/identify/modes/frf_data.hpp"

namespace alembert::identify::modes {

/// The reduced normal equations M A = 0 of pLSCF, order by order.
///
/// With d = k - j, and sums over the lines,
///
///   R[j,k] = Re Σ w² e^{idθ},   S_o[j,(k,i)] = -Re Σ w² H_oi e^{idθ},
///   T[(j,i),(k,i')] = Re Σ w² (Σ_o conj(H_oi) H_oi') e^{idθ},
///   R = L Lᵀ,  V_o = L⁻¹ S_o,  M_p = T - Σ_o V_o[0..p,:]ᵀ V_o[0..p,:].
///
/// Entries depend on d alone, so that 1 + m² + l m sequences of numbers hold everything; rows of
/// V_o are nested, so that the next order takes one more of each.
class PlscfEquations {
 public:
  /// @pre data are checked, largest_order >= 1.
  PlscfEquations(const FrfData& data, int largest_order);

  /// Goes to the next order; the first call gives order 0.
  void advance();
  [[nodiscard]] int order() const { return order_; }
  /// M of the present order, (p + 1) m square, both triangles.
  [[nodiscard]] Eigen::MatrixXd normal() const;
  /// A_1 .. A_p with A_0 = I, p m x m: M[1..p,1..p] A = -M[1..p,0].
  [[nodiscard]] Eigen::MatrixXd coefficients() const;

 private:
  int order_ = -1;
  Eigen::Index inputs_, outputs_, columns_;
  Eigen::MatrixXd eliminated_;  // V_o beside each other
  Eigen::MatrixXd normal_;      // lower triangle over all columns
};

}  // namespace alembert::identify::modes
