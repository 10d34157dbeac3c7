#include <algorithm>

#include "alembert/model/flexible/mechanism.hpp"
#include "model/flexible/kinematics.hpp"
#include "model/flexible/loads.hpp"
#include "model/flexible/skyline.hpp"
#include "model/flexible/stiffening.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// An element where it is, with its displacements in its own frame.
struct ElementMotion {
  double c = 1.0, s = 0.0;  // cosine and sine of the angle of its body
  double w = 0.0;           // rate of that angle
  Vector6 u = Vector6::Zero(), ud = Vector6::Zero();
};

ElementMotion motion_of(const Element& element, const FlexibleState& state) {
  const auto& body = state.rigid.motion[static_cast<std::size_t>(element.body)];
  ElementMotion made{.c = body.cosine.position, .s = body.sine.position, .w = body.angle.velocity};
  made.u = turned(gathered(element, state.u), made.c, -made.s);
  made.ud = turned(gathered(element, state.ud), made.c, -made.s);
  return made;
}

// A symmetric 6 x 6 matrix turned into the world: blocks of a shift and a turn for each end.
Matrix6 turned_matrix(const Matrix6& m, double c, double s) {
  Matrix6 half, made;
  for (int j = 0; j < 6; ++j) half.col(j) = turned(m.col(j), c, s);
  half.transposeInPlace();
  for (int j = 0; j < 6; ++j) made.col(j) = turned(half.col(j), c, s);
  return made;
}

// Row i of the lower part of M stands as column i: see factor_skyline().
void add_mass(const Element& element, const Matrix6& m, Eigen::MatrixXd& M) {
  for (int i = 0; i < 6; ++i) {
    const NodeComponent& row = element.components[static_cast<std::size_t>(i)];
    if (row.unknown < 0) continue;
    for (int j = 0; j < 6; ++j) {
      const NodeComponent& column = element.components[static_cast<std::size_t>(j)];
      if (column.unknown < 0 || column.unknown > row.unknown) continue;
      M(column.unknown, row.unknown) += row.factor * column.factor * m(i, j);
    }
  }
}

/// The terms of the complete form that turn the rigid coordinates, [docs/theory/flexible.md].
struct RigidTerms {
  Vector6 of_acceleration = Vector6::Zero();  // h u: of b'' in the torque, of w' in the forces
  double of_rate = 0.0;                       // uᵀ Q u: of w' in the torque
  double torque = 0.0;                        // what is left of the torque
};

RigidTerms rigid_terms(const BeamMatrices& beam, const ElementMotion& at, const Vector6& v,
                       const Eigen::Vector2d& gravity) {
  RigidTerms made;
  const Vector6 Qu = beam.centrifugal * at.u;
  const Vector6 turned_u = quarter_turn(at.u);
  made.of_acceleration = beam.h * at.u;
  made.of_rate = at.u.dot(Qu);
  // τ = b''ᵀh u + w' uᵀQ u + vᵀh u' + 2 w uᵀQ u' − w² uᵀQ Ĵu + (Ĵv)ᵀm v − (Ĵu)ᵀk u − gᵀ∫ρ(JN−NĴ) u
  made.torque = v.dot(beam.h * at.ud) + 2.0 * at.w * Qu.dot(at.ud) -
                at.w * at.w * Qu.dot(turned_u) + quarter_turn(v).dot(beam.m * v) -
                turned_u.dot(beam.k * at.u) - gravity.dot(beam.lever * at.u);
  return made;
}

// M and the load grow by what w' = L b0'' + d and the torque τ on the rigid coordinates say, with
// L = R_φ S0⁻¹ and d = c_φ − L (S' q')_0.
void add_rigid_terms(const Element& element, const RigidTerms& terms, const ElementMotion& at,
                     FlexibleState& state) {
  const Index nq = state.S.cols();
  const Index first = state.S.rows() - nq;
  const Index row = 3 * element.body + 2;
  const Vector6 hu = turned(terms.of_acceleration, at.c, at.s);
  double d = state.rigid.c(row);
  for (Index j = 0; j < nq; ++j) {
    double L = 0.0;
    for (Index k = 0; k < nq; ++k) L += state.rigid.R(row, k) * state.S0_inverse(k, j);
    d -= L * state.Sdot_qd(first + j);
    state.memory(j) = L;
  }
  for (int i = 0; i < 6; ++i) {
    const NodeComponent& part = element.components[static_cast<std::size_t>(i)];
    if (part.unknown < 0) continue;
    const double h = part.factor * hu(i);
    for (Index j = 0; j < nq; ++j) {
      const Index zero = first + j;
      // Both h u Lᵀ and its transpose meet on and above the diagonal of the zeroed block.
      state.M(std::min<Index>(part.unknown, zero), std::max<Index>(part.unknown, zero)) +=
          (part.unknown == zero ? 2.0 : 1.0) * h * state.memory(j);
    }
    state.load(part.unknown) -= h * d;
  }
  for (Index i = 0; i < nq; ++i) {
    for (Index j = 0; j <= i; ++j) {
      state.M(first + j, first + i) += terms.of_rate * state.memory(i) * state.memory(j);
    }
    state.load(first + i) -= state.memory(i) * (terms.torque + d * terms.of_rate);
  }
}

/// Sums over the elements: M and what acts on the nodes.
struct Assembly {
  const FlexibleDescription& description;
  const FlexibleLayout& layout;
  FlexibleState& state;

  void start() const {
    const double alpha = description.mass_damping;
    for (Index i = 0; i < state.M.cols(); ++i) {
      const int first = layout.row_start[static_cast<std::size_t>(i)];
      std::fill_n(state.M.data() + i * state.M.rows() + first, i - first + 1, 0.0);
      state.M(i, i) = layout.lumps(i);
      state.damping(i) = alpha * layout.lumps(i) * state.ud(i);
    }
    state.load.setZero();
    state.stiffening.setZero();
  }

  void add(const Element& element) const {
    const BeamMatrices& beam = element.beam;
    const ElementMotion at = motion_of(element, state);
    add_mass(element, turned_matrix(beam.m, at.c, at.s), state.M);
    const Eigen::Vector2d& g = description.mechanism.gravity;
    const Eigen::Vector2d gravity(at.c * g.x() + at.s * g.y(), at.c * g.y() - at.s * g.x());
    // −2 MG u' − K u + fg, [MultibodyThesis, eqs. (4.16)-(4.19)]
    Vector6 f = beam.load * gravity - 2.0 * at.w * (beam.h * at.ud) - beam.k * at.u;
    if (description.equations == FlexibleEquations::Complete) {
      f -= at.w * at.w * (beam.rate_squared * at.u);
      const Vector6 v = turned(gathered(element, state.v), at.c, -at.s);
      RigidTerms terms = rigid_terms(beam, at, v, gravity);
      if (description.geometric_stiffening) {
        const Vector6 p = stiffening_gradient(beam, at.u);
        terms.torque -= quarter_turn(at.u).dot(p);  // as −(Ĵu)ᵀk u
        scatter(element, turned(p, at.c, at.s), state.stiffening);
      }
      add_rigid_terms(element, terms, at, state);
    }
    // C = α M + β K
    const Vector6 damping = description.mass_damping * (beam.m * at.ud) +
                            description.stiffness_damping * (beam.k * at.ud);
    scatter(element, turned(f, at.c, at.s), state.load);
    scatter(element, turned(damping, at.c, at.s), state.damping);
  }
};

// The complete form damps the deformation alone: C u' does no work on the rigid coordinates, so
// that its part on the zeroed displacements makes Sᵀ y = 0. The published form has Sᵀ C u'. The
// same holds for geometric stiffening, whose work on q is in the torques.
void balance(FlexibleState& state, Eigen::VectorXd& forces) {
  const Index nq = state.S.cols();
  const Index first = state.S.rows() - nq;
  for (Index j = 0; j < nq; ++j) state.memory(j) = state.S.col(j).dot(forces);
  for (Index i = 0; i < nq; ++i) {
    for (Index j = 0; j < nq; ++j) {
      forces(first + i) -= state.S0_inverse(j, i) * state.memory(j);
    }
  }
}

}  // namespace

void assemble_equations(const FlexibleDescription& description, const FlexibleLayout& layout,
                        std::span<const double> forces, FlexibleState& state) noexcept {
  const Assembly assembly{description, layout, state};
  assembly.start();
  for (const Element& element : layout.elements) assembly.add(element);
  if (description.equations == FlexibleEquations::Complete) balance(state, state.damping);
  if (description.geometric_stiffening) {
    balance(state, state.stiffening);
    state.load -= state.stiffening;
  }
  state.load -= state.damping;
  add_node_loads(description, layout, forces, state);
}

bool FlexibleMechanism::accelerate(std::span<const double> forces, FlexibleState& state,
                                   std::span<double> xdd) const noexcept {
  const FlexibleLayout& layout = *layout_;
  const bool sized = xdd.size() == static_cast<std::size_t>(unknowns()) &&
                     (forces.empty() || forces.size() == layout.forces.size());
  if (!sized || !fits(state)) return false;
  assemble_equations(description_, layout, forces, state);
  if (!factor_skyline(layout.row_start, state.M)) return false;
  state.acceleration = state.load;
  solve_skyline(layout.row_start, state.M, state.acceleration);
  // q'' = S0⁻¹ (b'' − S' q')_0,  u'' = b'' − S q'' − S' q'
  const Index ne = elastic();
  const Index nq = coordinates();
  for (Index i = 0; i < nq; ++i) {
    double sum = 0.0;
    for (Index j = 0; j < nq; ++j) {
      sum += state.S0_inverse(i, j) * (state.acceleration(ne + j) - state.Sdot_qd(ne + j));
    }
    xdd[static_cast<std::size_t>(ne + i)] = sum;
    state.rigid.zdd(i) = sum;
  }
  for (Index i = 0; i < ne; ++i) {
    double sum = state.acceleration(i) - state.Sdot_qd(i);
    for (Index j = 0; j < nq; ++j) sum -= state.S(i, j) * xdd[static_cast<std::size_t>(ne + j)];
    xdd[static_cast<std::size_t>(i)] = sum;
    state.udd(i) = sum;
  }
  return true;
}

}  // namespace alembert::model::flexible
