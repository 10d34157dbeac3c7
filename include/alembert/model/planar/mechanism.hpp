#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/model/planar/description.hpp"
#include "alembert/model/planar/detail/small_lu.hpp"
#include "alembert/model/planar/jet.hpp"
#include "alembert/model/planar/reduced_dynamics.hpp"

namespace alembert::model::planar {

struct Layout;

/// The order of force and torque cells, which read beyond all derivatives of the motion.
inline constexpr int kForceOrder = 3;

/// How a step of the kinematics ended. Nothing is thrown and nothing is allocated there; text
/// comes from Mechanism::explain().
enum class StepStatus {
  Success,
  NotReached,    ///< the loops cannot be closed at these coordinates
  BranchChange,  ///< they can, but only on the other side of a singular configuration
  Singular,      ///< the coordinates do not determine the motion here
  NotFinite,     ///< a coordinate or parameter is NaN or infinite
};

/// Where a mechanism is and how it moves: memory of the solver and its results. Made by
/// Mechanism::make_state(), owned by the caller, copied freely (a copy to a state of the same
/// mechanism allocates nothing).
struct MechanismState {
  Eigen::VectorXd z, zd, zdd;  ///< independent coordinates, n
  Eigen::VectorXd q, qd, qdd;  ///< (x, y, φ) of every body, 3 per body
  Eigen::VectorXd
      forces;         ///< F in the order of the description, for force cells; set by the caller
  Eigen::VectorXd p;  ///< geometry parameters; set by the caller before a position is solved
  Eigen::MatrixXd R;  ///< q' = R z'
  Eigen::VectorXd c;  ///< q'' = R z'' + c
  int branch = 0;     ///< sign of det A here, 0 before the assembly
  bool positioned = false;  ///< q belongs to z and p

  /// ∂q/∂p, ∂q'/∂z, ∂q'/∂p, ∂q''/∂z, ∂q''/∂p: set by differentiate(). ∂q/∂z = ∂q'/∂z' =
  /// ∂q''/∂z'' = R and ∂q''/∂z' = 2 ∂q'/∂z.
  Eigen::MatrixXd q_p, qd_z, qd_p, qdd_z, qdd_p;

  std::vector<Eigen::Vector2d> points;     ///< positions of all points in their bodies, with p
  std::vector<Eigen::Vector2d> arms;       ///< the same turned into the world: A(φ) s
  std::vector<BodyMotion<double>> motion;  ///< of every body
  /// The same with its derivative by z_1 .. z_n, p_1 .. p_k, body after body for each; set by
  /// differentiate().
  std::vector<BodyMotion<Dual>> sensitivity;
  SmallLu lu;  ///< factors of A = [C_q; b_q]

  // Memory of the solver.
  Eigen::VectorXd right_side, trial, start;
  Eigen::VectorXd p_placed;  // parameters of the points
  Eigen::VectorXd p_asked;   // parameters that the last position was asked for with
  std::vector<Eigen::Vector2d> points_before;
};

/// Value of a sensor and its derivatives by coordinates, rates, accelerations and parameters.
struct SensorReading {
  double value = 0.0;
  Eigen::VectorXd by_z, by_zd, by_zdd, by_p;
};

/// What is wrong with a mechanism.
enum class FindingKind {
  RedundantConstraint,    ///< a joint forbids what others forbid already
  WrongDegreesOfFreedom,  ///< more or fewer coordinates than the mechanism has freedoms
  ImpossibleAssembly,     ///< the joints cannot be closed
  SingularConfiguration,  ///< the coordinates do not determine the motion at this position
};

/// One fault, and the joints, bodies or coordinates that have to do with it.
struct Finding {
  FindingKind kind = FindingKind::ImpossibleAssembly;
  std::vector<std::string> names;
  std::string message;
};

/// Outcome of an assembly; the message is that of the first finding.
struct [[nodiscard]] Assembly : Outcome {
  std::vector<Finding> findings;
  double largest_gap = 0.0;    ///< of a joint, m or rad
  int constraints = 0;         ///< rows
  int independent = 0;         ///< rank of C_q
  int degrees_of_freedom = 0;  ///< unknowns − rank
};

/// Another way to close the joints at the same coordinates.
struct OtherAssembly {
  Eigen::VectorXd q;  ///< (x, y, φ) of every body, angles within half a turn of those taken
  std::string words;  ///< how it differs, "coupler.B below the line from coupler.A to rocker.C"
};

/// The ways to close the joints of a mechanism at the same coordinates.
struct Assemblies {
  std::string taken;                  ///< the one taken, in words; "" if there is no other
  std::vector<OtherAssembly> others;  ///< in the order of their first difference in q
  int starts = 0;                     ///< poses from which they were sought
};

/// A rigid planar mechanism in reference-point coordinates q = (x, y, φ) of every body.
///
///   C(q, p) = 0,  b(q) = z      positions, by Newton
///   A q'  = (0, z')             A = [C_q; b_q], so q' = R z'
///   A q'' = (γ, z'' + β)        γ = −C_q' q', β = −b_q' q', so q'' = R z'' + c
///
/// See docs/theory/mechanisms.md. The object is constant; the methods that take a state are safe to
/// call from several threads with a state each.
class Mechanism {
 public:
  /// @throws InvalidInput for names that are missing or twice there, a negative mass, an axis of
  ///   length zero, no coordinates, or a number that is not finite; the message names the body,
  ///   joint, sensor or coordinate. A body without joint is found by assemble(), as freedoms
  ///   without coordinates.
  explicit Mechanism(MechanismDescription description);

  [[nodiscard]] const MechanismDescription& description() const noexcept { return description_; }
  [[nodiscard]] int unknowns() const noexcept;                             ///< 3 per moving body
  [[nodiscard]] int constraints() const noexcept;                          ///< rows of C
  [[nodiscard]] int coordinates() const noexcept { return coordinates_; }  ///< n
  [[nodiscard]] int parameters() const noexcept { return parameters_; }
  [[nodiscard]] int sensors() const noexcept { return sensors_; }
  /// Names of the moving bodies, in the order of q.
  [[nodiscard]] const std::vector<std::string>& bodies() const noexcept;
  /// Root mean square distance of the joint points from the origins of their bodies, m; 1 if zero.
  [[nodiscard]] double size() const noexcept;
  /// Position of a sensor by name. @throws InvalidInput if there is none.
  [[nodiscard]] int sensor_index(const std::string& name) const;

  /// Memory for a mechanism at its nominal geometry, not assembled.
  [[nodiscard]] MechanismState make_state() const;

  /// Closes all joints at z from the rough poses of the description (else from z itself and from
  /// many random poses, the same in every run), and examines the mechanism there.
  Assembly assemble(const Eigen::Ref<const Eigen::VectorXd>& z, MechanismState& state) const;

  /// The other ways to close the joints at the coordinates of an assembled state: damped Newton
  /// from mirrored and from random poses, the same in every run. What no start leads to is not
  /// found; bodies that differ by less than 1e-4 of the size of the mechanism are the same.
  [[nodiscard]] Assemblies assemblies(const MechanismState& state) const;

  /// Position at z and state.p from the present position of the state, on the same branch. On
  /// failure the state stays where it was, with the parameters that it had there.
  StepStatus solve_position(std::span<const double> z, MechanismState& state) const noexcept;
  /// Velocities and c of a solved position.
  void solve_velocity(std::span<const double> zd, MechanismState& state) const noexcept;
  /// Accelerations of a solved velocity.
  void solve_acceleration(std::span<const double> zdd, MechanismState& state) const noexcept;
  /// Derivatives of a solved acceleration by z and p.
  void differentiate(MechanismState& state) const noexcept;

  /// Value of a sensor, without offset.
  [[nodiscard]] double sensor_value(int sensor, const MechanismState& state) const noexcept;
  /// S of a sensor: ∂h/∂z, ∂h'/∂z' or ∂h''/∂z'' by its kind. Needs a position.
  void sensor_sensitivity(int sensor, const MechanismState& state,
                          std::span<double> S) const noexcept;
  /// Value and derivatives; needs differentiate(). The vectors of the reading have their sizes.
  void read_sensor(int sensor, const MechanismState& state, SensorReading& reading) const noexcept;
  /// A reading with vectors of the right sizes.
  [[nodiscard]] SensorReading make_reading() const;
  /// Highest derivative in time that a sensor reads: 0, 1 or 2; kForceOrder for a force cell.
  [[nodiscard]] int sensor_order(int sensor) const noexcept;
  /// The force that a force or torque cell reads, by its place in the description; else -1.
  [[nodiscard]] int force_read_by(int sensor) const noexcept;

  /// M, bias, B1 and B2; needs a velocity. dynamics has been made by make_dynamics().
  void reduced_dynamics(const MechanismState& state, ReducedDynamics& dynamics) const noexcept;
  [[nodiscard]] ReducedDynamics make_dynamics() const;
  /// z'' = M⁻¹(B F − bias), and with it the accelerations of the state, which has a velocity.
  /// @param forces F in the order of the description; empty: zero.
  /// @return false if M is singular: explain_masses() says why.
  bool forward_dynamics(std::span<const double> forces, MechanismState& state,
                        ReducedDynamics& dynamics) const noexcept;
  /// τ = M z'' + bias − B F: what must act on the coordinates besides. Needs an acceleration.
  void inverse_dynamics(std::span<const double> forces, const MechanismState& state,
                        ReducedDynamics& dynamics) const noexcept;
  /// τ with its derivatives by z, z' and p; needs differentiate().
  void differentiate_dynamics(std::span<const double> forces, const MechanismState& state,
                              ReducedDynamics& dynamics) const noexcept;
  /// What the joints do at an acceleration that inverse_dynamics() or forward_dynamics() belongs
  /// to. Where the coordinates are driven (τ ≠ 0), the drives are not counted among the joints.
  [[nodiscard]] std::vector<JointReaction> joint_reactions(std::span<const double> forces,
                                                           const MechanismState& state,
                                                           ReducedDynamics& dynamics) const;
  /// Why forward_dynamics() is not possible at a position: the bodies without mass or inertia that
  /// move freely; "" where it is possible.
  [[nodiscard]] std::string explain_masses(const MechanismState& state) const;

  [[nodiscard]] double kinetic_energy(const MechanismState& state) const noexcept;
  /// Of gravity and of springs with their preload.
  [[nodiscard]] double potential_energy(const MechanismState& state) const noexcept;
  /// Power that dampers and friction take, W, >= 0.
  [[nodiscard]] double dissipated_power(const MechanismState& state) const noexcept;
  /// Rate of the coordinate along which a force acts, m/s or rad/s: times the force it is power.
  [[nodiscard]] double force_rate(int force, const MechanismState& state) const noexcept;

  /// C(q, p) and b(q) − z of the state, constraints first.
  [[nodiscard]] Eigen::VectorXd residual(const MechanismState& state) const;
  /// C_q and b_q, constraints first.
  [[nodiscard]] Eigen::MatrixXd jacobian(const MechanismState& state) const;
  /// (d/dt)(C_q) q' and (d/dt)(b_q) q'.
  [[nodiscard]] Eigen::VectorXd jacobian_rate(const MechanismState& state) const;
  /// World position of "body.point" or "body". @throws InvalidInput for an unknown name.
  [[nodiscard]] Eigen::Vector2d position_of(const std::string& point,
                                            const MechanismState& state) const;

  /// A sentence on a step that failed at z, with the joint or body that is to blame.
  [[nodiscard]] std::string explain(StepStatus status, const Eigen::Ref<const Eigen::VectorXd>& z,
                                    const MechanismState& state) const;

 private:
  // Factors, branch and R of a position that closes; not positioned where A is singular.
  void start_following(MechanismState& state) const noexcept;

  MechanismDescription description_;
  std::shared_ptr<const Layout> layout_;  // constant, so copies of the mechanism may share it
  int coordinates_ = 0;
  int parameters_ = 0;
  int sensors_ = 0;
};

}  // namespace alembert::model::planar
