#pragma once

#include <Eigen/Core>

namespace alembert::optimize {

/// The granular mesh of a mesh-adaptive direct search: frame size Δ_i = a_i 10^(b_i) with a_i in
/// {1, 2, 5} and mesh size δ_i = 10^(b_i - |b_i - b0_i|), one pair for each variable, so that the
/// mesh gets finer faster than the frame and adapts to badly scaled variables [Audet2019].
class MadsMesh {
 public:
  /// The first frame; each Δ_i is rounded to a_i 10^(b_i), its exponent truncated toward zero.
  explicit MadsMesh(const Eigen::VectorXd& frame);

  [[nodiscard]] double frame(Eigen::Index i) const;
  [[nodiscard]] double mesh(Eigen::Index i) const;
  /// ρ_i = Δ_i/δ_i.
  [[nodiscard]] double ratio(Eigen::Index i) const { return frame(i) / mesh(i); }
  [[nodiscard]] double largest_frame() const;

  /// After an iteration without success: each Δ_i goes 10 -> 5 -> 2 -> 1.
  void refine();
  /// After a success along d: Δ_i goes 1 -> 2 -> 5 -> 10 where d_i is above a tenth of the frame,
  /// or where Δ_i has been left far behind the others.
  void enlarge(const Eigen::VectorXd& d);
  /// The direction v as a step on the mesh that reaches to the frame:
  /// d_i = round(ρ_i v_i/|v|_inf) δ_i.
  [[nodiscard]] Eigen::VectorXd scaled(const Eigen::VectorXd& v) const;
  /// The mesh point nearest to x, seen from the centre.
  [[nodiscard]] Eigen::VectorXd snapped(const Eigen::VectorXd& x,
                                        const Eigen::VectorXd& centre) const;

 private:
  Eigen::VectorXi mantissa_, exponent_, first_exponent_;
};

}  // namespace alembert::optimize
