#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/time_formula.hpp"
#include "alembert/signal/piecewise_polynomial.hpp"

/// A mechanism that moves as its user says: poses and readings from coordinates.
namespace alembert::model::planar {

/// How one coordinate moves with the time t in s, in rad or m: a formula, or a curve through
/// samples (signal::quintic_spline(), whose second derivative is smooth).
using CoordinateLaw = std::variant<TimeFormula, signal::PiecewisePolynomial>;

/// The coordinates of a mechanism and their derivatives: a row for each time, n columns each.
struct CoordinatePath {
  Eigen::MatrixXd z, zd, zdd;  ///< rad or m, per s, per s²
};

/// The path of coordinates that follow a law each. What a formula cannot say is NaN or infinite.
/// @param times in s.
[[nodiscard]] CoordinatePath sample_laws(const std::vector<CoordinateLaw>& laws,
                                         const Eigen::Ref<const Eigen::VectorXd>& times);

struct MoveOptions {
  /// p: how much longer each geometry parameter is than the description has it, m; empty: none is.
  Eigen::VectorXd lengths = {};
  bool poses = true;  ///< keep q, q' and q''; false saves 9 numbers a body and sample
};

/// A mechanism along a path. A position that cannot be reached ends it (NotConverged; where the
/// coordinates do not determine the motion, NotIdentifiable), and so does a coordinate that is NaN
/// or infinite (NotFinite): the rows before it are kept, and the message has its time.
struct [[nodiscard]] MechanismMotion : Outcome {
  Eigen::MatrixXd q, qd, qdd;  ///< (x, y, φ) of every body: samples x 3 bodies; empty if not kept
  /// What each sensor would read without error and offset, in SI: samples x sensors.
  Eigen::MatrixXd readings;
};

/// Moves a mechanism along a path and reads its sensors.
///
///   C(q, p) = 0,  b(q) = z,  q' = R z',  q'' = R z'' + c     at every time
///
/// It is assembled at the first row; each further position is found from the one before, on the
/// same branch. See docs/theory/mechanisms.md.
/// @param times in s, of the rows; for messages only.
/// @throws InvalidInput if sizes do not fit the mechanism or each other, or a length is not finite.
MechanismMotion move_mechanism(const Mechanism& mechanism,
                               const Eigen::Ref<const Eigen::VectorXd>& times,
                               const CoordinatePath& path, const MoveOptions& options = {});

/// The same for coordinates that follow a law each.
///
///   const MechanismMotion motion =
///       move_mechanism(crank, times, {TimeFormula("8*t + 0.15*sin(2*pi*t)")});
MechanismMotion move_mechanism(const Mechanism& mechanism,
                               const Eigen::Ref<const Eigen::VectorXd>& times,
                               const std::vector<CoordinateLaw>& laws,
                               const MoveOptions& options = {});

}  // namespace alembert::model::planar
