#include "model/planar/lowered/lowered_dynamics.hpp"

namespace alembert::model::planar {

namespace {

/// A generalised force and the rate along which it acts.
struct Acting {
  Terms forces, rates;

  void add(const Term& force, const Term& rate) {
    forces.push_back(force);
    rates.push_back(rate);
  }
};

void add_bodies(const Layout& layout, const TermNumbers& numbers, const LoweredMotion& motion,
                Acting& acting) {
  for (std::size_t b = 0; b < numbers.bodies.size(); ++b) {
    const TermBody& body = numbers.bodies[b];
    const BodyMotion<Term>& moved = motion.bodies[b];
    const PlaneJet<Term> arm = turned(moved, body.centre[0], body.centre[1]);
    const Jet<Term> x = moved.x + arm.x;
    const Jet<Term> y = moved.y + arm.y;
    acting.add(body.mass * (x.acceleration - Term(layout.gravity.x())), x.velocity);
    acting.add(body.mass * (y.acceleration - Term(layout.gravity.y())), y.velocity);
    acting.add(body.inertia * moved.angle.acceleration, moved.angle.velocity);
  }
}

// (c + (b − c) exp(−(v/v_s)²)) tanh(v/v₀)
Term rubbing(const TermPassive& passive, const Term& v) {
  if (!passive.rubs) return 0.0;
  Term level = passive.coulomb;
  const bool stribeck = passive.breakaway.id != passive.coulomb.id ||
                        passive.breakaway.value != passive.coulomb.value;
  if (stribeck) {
    const Term ratio = v / passive.stribeck_rate;
    level = level + (passive.breakaway - passive.coulomb) * exp(-(ratio * ratio));
  }
  return level * tanh(v / passive.smooth_rate);
}

// L and D of M, whose lower half is used.
struct Factors {
  TermRows L;
  Terms D;

  explicit Factors(const TermRows& M) : L(M.size(), Terms(M.size())), D(M.size()) {
    for (std::size_t j = 0; j < M.size(); ++j) {
      D[j] = M[j][j];
      for (std::size_t k = 0; k < j; ++k) D[j] = D[j] - L[j][k] * L[j][k] * D[k];
      for (std::size_t i = j + 1; i < M.size(); ++i) {
        Term sum = M[i][j];
        for (std::size_t k = 0; k < j; ++k) sum = sum - L[i][k] * L[j][k] * D[k];
        L[i][j] = sum / D[j];
      }
    }
  }

  [[nodiscard]] Terms solve(Terms b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] = b[i] - L[i][k] * b[k];
    }
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = b[i] / D[i];
    for (std::size_t i = b.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < b.size(); ++k) b[i] = b[i] - L[k][i] * b[k];
    }
    return b;
  }

  // −M⁻¹ of every column.
  [[nodiscard]] TermRows solve_columns(const TermRows& columns) const {
    TermRows made(columns.size(), Terms(columns.empty() ? 0 : columns.front().size()));
    for (std::size_t j = 0; !columns.empty() && j < columns.front().size(); ++j) {
      Terms right;
      for (const Terms& row : columns) right.push_back(-row[j]);
      const Terms found = solve(right);
      for (std::size_t i = 0; i < found.size(); ++i) made[i][j] = found[i];
    }
    return made;
  }
};

TermRows substituted_rows(const TermRows& rows, const Terms& leaves, const Terms& values,
                          equations::Graph& graph) {
  TermRows made;
  for (const Terms& row : rows) made.push_back(substituted(row, leaves, values, graph));
  return made;
}

}  // namespace

LoweredDynamics lower_dynamics(const Layout& layout, const TermNumbers& numbers,
                               const LoweredMotion& motion, const MotionSlopes& slopes,
                               const Terms& forces) {
  Acting acting;
  LoweredDynamics made;
  add_bodies(layout, numbers, motion, acting);
  for (std::size_t i = 0; i < layout.passive.size(); ++i) {
    const TermPassive& passive = numbers.passive[i];
    const Jet<Term> s = evaluate(layout.passive[i].function, numbers.points, motion.bodies.data());
    const Term loss = passive.damping * s.velocity + rubbing(passive, s.velocity);
    acting.add(passive.preload + passive.stiffness * (s.position - passive.free) + loss,
               s.velocity);
    made.dissipated = made.dissipated + loss * s.velocity;
  }
  for (std::size_t i = 0; i < layout.forces.size(); ++i) {
    const Term rate = acting_rate(layout.forces[i].function, numbers.points, motion.bodies.data());
    acting.add(-(numbers.gains[i] * forces[i]), rate);
    made.force_rates.push_back(rate);
  }
  const TermRows by_rate = slopes.by_rate(acting.rates);
  const std::size_t n = by_rate.empty() ? 0 : by_rate.front().size();
  made.tau.assign(n, Term());
  for (std::size_t i = 0; i < acting.forces.size(); ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      made.tau[k] = made.tau[k] + acting.forces[i] * by_rate[i][k];
    }
  }
  return made;
}

LoweredForward lower_forward(const LoweredDynamics& dynamics, const MotionLeaves& leaves,
                             const MotionSlopes& slopes, const Terms& forces, bool slopes_wanted,
                             equations::Graph& graph) {
  const Terms tau = slopes.resolved(dynamics.tau);
  const Factors factors(slopes_of(tau, leaves.zdd, graph));
  Terms right = substituted(tau, leaves.zdd, Terms(leaves.zdd.size()), graph);
  for (Term& one : right) one = -one;
  LoweredForward made;
  made.zdd = factors.solve(right);
  made.pivots = factors.D;
  if (!slopes_wanted) return made;
  // τ stays zero: M dz'' = −∂τ/∂z dz − ..., at the z'' found.
  const TotalSlopes total = slopes.total(dynamics.tau);
  const auto solved = [&](const TermRows& rows) {
    TermRows resolved;
    for (const Terms& row : rows) resolved.push_back(slopes.resolved(row));
    return factors.solve_columns(substituted_rows(resolved, leaves.zdd, made.zdd, graph));
  };
  made.by_z = solved(total.by_z);
  made.by_zd = solved(total.by_zd);
  made.by_p = solved(total.by_p);
  made.by_force = solved(slopes_of(dynamics.tau, forces, graph));
  return made;
}

}  // namespace alembert::model::planar
