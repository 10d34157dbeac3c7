#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/model/flexible/description.hpp"
#include "alembert/model/planar/mechanism.hpp"

namespace alembert::model::flexible {

struct FlexibleLayout;
class FlexibleSensors;

/// Where a flexible mechanism is and how it moves, with the memory that finds it: a copy of
/// FlexibleMechanism::start(), owned by the caller.
struct FlexibleState {
  planar::MechanismState rigid;  ///< the equivalent rigid-link system at q
  Eigen::VectorXd u, ud, udd;    ///< displacements of the nodes, zeroed ones last, n
  Eigen::VectorXd v;             ///< b' = S q' + u'
  Eigen::VectorXd acceleration;  ///< b''
  Eigen::MatrixXd S;             ///< ∂r/∂q, n x nq
  Eigen::VectorXd Sdot_qd;       ///< S' q'
  Eigen::MatrixXd S0_inverse;    ///< of the rows of the zeroed displacements
  Eigen::MatrixXd M;     ///< mass of the nodes with the terms in q'', then its factors; upper part
  Eigen::VectorXd load;  ///< what acts on the nodes
  Eigen::VectorXd damping;     ///< C u'
  Eigen::VectorXd stiffening;  ///< forces of geometric stiffening
  Eigen::VectorXd memory;      ///< of the solver
};

/// Matrices of the nodes at a position: [MultibodyThesis, eqs. (4.16), (4.17), (4.19)].
struct FlexibleMatrices {
  Eigen::MatrixXd M, K, MG;  ///< n x n, zeroed displacements last
};

/// A planar mechanism with flexible links: an equivalent rigid-link system r(q), which is a
/// planar::Mechanism, and elastic displacements u of the nodes.
///
///   b = r(q) + u,   db = S dq + du,   as many displacements are zero as there are coordinates q
///
/// State x = (u, q, u', q') without the zeroed displacements. Both forms of the equations are
/// solved for b'', whose matrix is sparse (docs/theory/flexible.md). The object is constant; the
/// methods that take a state allocate nothing.
class FlexibleMechanism {
 public:
  /// @param start coordinates at which the mechanism is assembled and the zeroed displacements are
  ///   chosen.
  /// @throws InvalidInput that names the body, point or joint: a section that is not positive, a
  ///   joint or body of a kind that is not possible, displacements that cannot be fixed.
  FlexibleMechanism(FlexibleDescription description,
                    const Eigen::Ref<const Eigen::VectorXd>& start);

  [[nodiscard]] const FlexibleDescription& description() const noexcept { return description_; }
  /// The equivalent rigid-link system, without forces and sensors.
  [[nodiscard]] const planar::Mechanism& rigid() const noexcept { return *rigid_; }
  [[nodiscard]] int coordinates() const noexcept { return rigid_->coordinates(); }  ///< nq
  [[nodiscard]] int elastic() const noexcept;  ///< displacements that are not zeroed
  [[nodiscard]] int unknowns() const noexcept { return elastic() + coordinates(); }  ///< n
  [[nodiscard]] int forces() const noexcept;
  /// Names of the displacements, zeroed ones last: "x(EF.F)", "angle(AB.A)".
  [[nodiscard]] const std::vector<std::string>& displacements() const noexcept;
  /// Names of the zeroed displacements.
  [[nodiscard]] std::vector<std::string> zeroed() const;
  /// The displacement "x(body.point)", "y(body.point)" or "angle(body.point)"; -1 where it is
  /// fixed.
  /// @throws InvalidInput for an unknown name.
  [[nodiscard]] int displacement(const std::string& name) const;
  /// Condition number of S at the zeroed displacements where the mechanism was assembled, lengths
  /// over the size of the mechanism.
  [[nodiscard]] double zeroed_condition() const noexcept { return zeroed_condition_; }

  /// Assembled at the start, at rest, not deformed.
  [[nodiscard]] const FlexibleState& start() const noexcept { return *start_; }

  /// Whether a state is one of this mechanism. Functions of a state that is not return false or
  /// NaN, or throw InvalidInput.
  [[nodiscard]] bool fits(const FlexibleState& state) const noexcept;

  /// Goes to x = (u, q, u', q'), 2 n numbers; false where the rigid-link system cannot be there.
  bool move(std::span<const double> x, FlexibleState& state) const noexcept;
  /// x'' = (u'', q'') at a state that was moved to, n numbers; in state.udd and state.rigid.zdd
  /// too.
  /// @param forces in the order of the description; empty: zero.
  /// @return false if the mass matrix is not positive definite, or for wrong sizes.
  bool accelerate(std::span<const double> forces, FlexibleState& state,
                  std::span<double> xdd) const noexcept;

  /// Rate of the point or angle on which a force acts: times the force it is power.
  [[nodiscard]] double force_rate(int force, const FlexibleState& state) const noexcept;
  /// Power that damping and dampers take, W, after accelerate().
  [[nodiscard]] double dissipated_power(const FlexibleState& state) const noexcept;

  /// Energies of a state that was moved to, J: of the form of the equations.
  [[nodiscard]] double kinetic_energy(const FlexibleState& state) const;
  [[nodiscard]] double elastic_energy(const FlexibleState& state) const;
  /// Of gravity and springs.
  [[nodiscard]] double potential_energy(const FlexibleState& state) const;

  /// M, K and MG at a state that was moved to.
  [[nodiscard]] FlexibleMatrices matrices(const FlexibleState& state) const;
  /// Mass of (u, q): [I S]ᵀ M [I S], with the terms of the complete form where they are asked for.
  [[nodiscard]] Eigen::MatrixXd mass(const FlexibleState& state) const;
  /// Generalised forces on (u, q) at rest, the elastic ones included.
  [[nodiscard]] Eigen::VectorXd static_forces(std::span<const double> forces,
                                              FlexibleState& state) const;
  /// Column of the generalised forces on (u, q) per force.
  [[nodiscard]] Eigen::MatrixXd force_matrix(const FlexibleState& state) const;

  /// Position of "body.point" with its displacement. @throws InvalidInput for an unknown name.
  [[nodiscard]] Eigen::Vector2d position_of(const std::string& point,
                                            const FlexibleState& state) const;
  /// Points along the axis of a flexible body, its deflection enlarged: rows (x, y).
  /// @param scale 1 as it is. @param pieces straight pieces that each element is drawn by, >= 1.
  /// @throws InvalidInput for an unknown name.
  [[nodiscard]] Eigen::MatrixX2d shape_of(const std::string& body, const FlexibleState& state,
                                          double scale = 1.0, int pieces = 4) const;
  /// Displacement (x, y, angle) of "body.point" against the rigid-link system, in the frame of the
  /// body. @throws InvalidInput for an unknown name.
  [[nodiscard]] Eigen::Vector3d deflection_of(const std::string& point,
                                              const FlexibleState& state) const;

 private:
  friend class FlexibleSensors;

  FlexibleDescription description_;
  std::shared_ptr<const planar::Mechanism> rigid_;  // constant, so copies may share it
  std::shared_ptr<const FlexibleLayout> layout_;    // likewise
  std::shared_ptr<const FlexibleState> start_;      // likewise
  double zeroed_condition_ = 1.0;
};

}  // namespace alembert::model::flexible
