#include "model/planar/lowered/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/planar/lowered/lowered_dynamics.hpp"

namespace alembert::model::planar {

namespace {

using equations::Graph;
using equations::Op;

// A table with values in the first column, written column after column.
void append_columns(const TermRows& rows, Terms& all) {
  for (std::size_t j = 0; !rows.empty() && j < rows.front().size(); ++j) {
    for (const Terms& row : rows) all.push_back(row[j]);
  }
}

void append(const Terms& values, Terms& all) {
  all.insert(all.end(), values.begin(), values.end());
}

class MechanismLowering {
 public:
  MechanismLowering(const MechanismDescription& description, const CompileOptions& options)
      : description_(description), options_(options), layout_(make_layout(description)) {
    made_.place.fill(-1);
    made_.given = given_values(description, layout_, options.lengths, options.parameters);
    made_.coordinates = layout_.coordinates;
  }

  LoweredMechanism run() {
    Graph& graph = made_.graph;
    const TermNumbers numbers =
        make_numbers(description_, layout_, options_.lengths, options_.parameters, graph);
    for (Terms* const block : {&leaves_.z, &leaves_.zd, &leaves_.zdd}) {
      for (int j = 0; j < layout_.coordinates; ++j) block->push_back(leaves_.next(graph));
    }
    for (std::size_t m = 0; m < options_.parameters.size(); ++m) {
      p_.emplace_back(graph, graph.leaf(Op::Parameter, m));
    }
    for (std::size_t i = 0; i < layout_.forces.size(); ++i) {
      forces_.emplace_back(graph, graph.leaf(Op::Input, i));
    }
    const LoweredMotion motion = lower_motion(layout_, numbers, leaves_, graph);
    const MotionSlopes slopes(motion, leaves_, p_, graph);
    made_.blocks = slopes.blocks();
    made_.loops = motion.loops;
    add_closure(slopes);
    add_poses(motion);
    if (options_.readings) add_readings(numbers, motion, slopes);
    if (options_.forward || options_.inverse) add_dynamics(numbers, motion, slopes);
    take_angles_out();
    name_arguments();
    return std::move(made_);
  }

 private:
  void add(LoweredFunction which, const char* name, const Terms& roots) {
    equations::GraphFunction function{fmt::format("alembert_{}", name), {}};
    for (const Term& root : roots) function.roots.push_back(node_of(root, made_.graph));
    made_.place[static_cast<std::size_t>(which)] = static_cast<int>(made_.functions.size());
    made_.functions.push_back(std::move(function));
  }

  void add_closure(const MotionSlopes& slopes) {
    Terms all = slopes.gaps();
    for (const Terms& row : slopes.jacobian()) append(row, all);
    for (const Terms& row : slopes.gaps_by_z()) append(row, all);
    add(RunClosure, "closure", all);
  }

  void add_poses(const LoweredMotion& motion) {
    Terms all;
    for (int b = 0; b < layout_.ground(); ++b) {
      const BodyMotion<Term>& body = motion.bodies[static_cast<std::size_t>(b)];
      append({body.x.position, body.y.position, body.angle.position}, all);
    }
    add(RunPoses, "poses", all);
  }

  // e·(P'' − g)
  static Term specific_force_term(const SensorPlan& plan, const TermPoints& points,
                                  const BodyMotion<Term>* bodies) {
    const PlaneJet<Term> point = point_motion(points, bodies, plan.function.b_point);
    const BodyMotion<Term>& body = bodies[plan.function.direction_body];
    const Term nx(plan.function.direction.x());
    const Term ny(plan.function.direction.y());
    const Term ex = nx * body.cosine.position - ny * body.sine.position;
    const Term ey = nx * body.sine.position + ny * body.cosine.position;
    return ex * (point.x.acceleration - Term(plan.gravity.x())) +
           ey * (point.y.acceleration - Term(plan.gravity.y()));
  }

  void add_readings(const TermNumbers& numbers, const LoweredMotion& motion,
                    const MotionSlopes& slopes) {
    Terms values;
    for (const SensorPlan& plan : layout_.sensors) {
      if (plan.order == kForceOrder) {
        values.emplace_back(0.0);
      } else if (plan.order == 2) {
        values.push_back(specific_force_term(plan, numbers.points, motion.bodies.data()));
      } else {
        const Jet<Term> f = evaluate(plan.function, numbers.points, motion.bodies.data());
        values.push_back(plan.order == 0 ? f.position : f.velocity);
      }
    }
    add(RunReadings, "readings", slopes.resolved(values));
    if (!options_.slopes) return;
    const TotalSlopes total = slopes.total(values);
    Terms all = values;
    for (const TermRows* rows : {&total.by_z, &total.by_zd, &total.by_zdd, &total.by_p}) {
      append_columns(*rows, all);
    }
    add(RunReadingSlopes, "reading_slopes", slopes.resolved(all));
  }

  void add_dynamics(const TermNumbers& numbers, const LoweredMotion& motion,
                    const MotionSlopes& slopes) {
    const LoweredDynamics dynamics = lower_dynamics(layout_, numbers, motion, slopes, forces_);
    if (options_.forward) {
      add_forward(dynamics, slopes);
      Terms powers = dynamics.force_rates;
      powers.push_back(dynamics.dissipated);
      add(RunPowers, "powers", slopes.resolved(powers));
    }
    if (options_.inverse) add_inverse(dynamics, slopes);
  }

  void add_forward(const LoweredDynamics& dynamics, const MotionSlopes& slopes) {
    const LoweredForward solved =
        lower_forward(dynamics, leaves_, slopes, forces_, options_.slopes, made_.graph);
    Terms all = solved.zdd;
    append(solved.pivots, all);
    add(RunForward, "forward", all);
    if (!options_.slopes) return;
    for (const TermRows* rows : {&solved.by_z, &solved.by_zd, &solved.by_force, &solved.by_p}) {
      append_columns(*rows, all);
    }
    add(RunForwardSlopes, "forward_slopes", all);
  }

  void add_inverse(const LoweredDynamics& dynamics, const MotionSlopes& slopes) {
    add(RunInverse, "inverse", slopes.resolved(dynamics.tau));
    if (!options_.slopes) return;
    const TotalSlopes total = slopes.total(dynamics.tau);
    const TermRows by_force = slopes_of(dynamics.tau, forces_, made_.graph);
    Terms all = dynamics.tau;
    for (const TermRows* rows :
         {&total.by_z, &total.by_zd, &total.by_zdd, &by_force, &total.by_p}) {
      append_columns(*rows, all);
    }
    add(RunInverseSlopes, "inverse_slopes", slopes.resolved(all));
  }

  // Cosines and sines become leaves: Newton's method and all functions share them.
  void take_angles_out() {
    Graph& graph = made_.graph;
    std::vector<equations::NodeId> roots;
    for (const auto& function : made_.functions) {
      roots.insert(roots.end(), function.roots.begin(), function.roots.end());
    }
    const std::vector<bool> needed = graph.needed_for(roots);
    std::vector<equations::NodeId> angles;
    Terms turns, leaves;
    const auto count = static_cast<equations::NodeId>(needed.size());
    made_.first_turn = static_cast<int>(leaves_.count);
    for (equations::NodeId id = 0; id < count; ++id) {
      const Op op = graph[id].op;
      if (!needed[id] || (op != Op::Sin && op != Op::Cos)) continue;
      const equations::NodeId angle = graph[id].a;
      if (std::find(angles.begin(), angles.end(), angle) != angles.end()) continue;
      angles.push_back(angle);
      for (const Op turn : {Op::Cos, Op::Sin}) {
        turns.emplace_back(graph, graph.make(turn, angle));
        leaves.push_back(leaves_.next(graph));
      }
    }
    made_.angles = static_cast<int>(angles.size());
    for (equations::GraphFunction& function : made_.functions) {
      Terms all;
      for (const equations::NodeId root : function.roots) all.emplace_back(graph, root);
      function.roots.clear();
      for (const Term& root : substituted(all, turns, leaves, graph)) {
        function.roots.push_back(node_of(root, graph));
      }
    }
    Terms all;
    for (const equations::NodeId angle : angles) all.emplace_back(graph, angle);
    add(RunAngles, "angles", all);
  }

  void name_arguments() {
    std::vector<std::string>& x = made_.arguments.x;
    for (const char* const primes : {"", "'", "''"}) {
      for (const Coordinate& one : description_.coordinates) x.push_back(to_string(one) + primes);
    }
    for (const int place : made_.loops) {
      static constexpr const char* kParts[] = {".x", ".y", ".angle"};
      made_.loop_names.push_back(layout_.bodies[static_cast<std::size_t>(place / 3)] +
                                 kParts[place % 3]);
      for (const char* const primes : {"", "'", "''"}) {
        x.push_back(made_.loop_names.back() + primes);
      }
    }
    made_.first_map = static_cast<int>(x.size());
    for (const std::string& loop : made_.loop_names) {
      for (const Coordinate& one : description_.coordinates) {
        x.push_back(fmt::format("slope of {} by {}", loop, to_string(one)));
      }
    }
    made_.first_inverse = static_cast<int>(x.size());
    while (static_cast<int>(x.size()) < made_.first_turn) x.push_back("inverse of the Jacobian");
    for (int i = 0; i < made_.angles; ++i) {
      x.push_back(fmt::format("cosine of angle {}", i + 1));
      x.push_back(fmt::format("sine of angle {}", i + 1));
    }
    for (const Force& force : description_.forces) made_.arguments.u.push_back(force.name);
    made_.arguments.p = options_.parameters;
    for (const std::string& name : options_.parameters) {
      int length = -1;
      for (std::size_t k = 0; k < description_.parameters.size(); ++k) {
        if (description_.parameters[k].name == name) length = static_cast<int>(k);
      }
      made_.length_of.push_back(length);
    }
  }

  const MechanismDescription& description_;
  const CompileOptions& options_;
  Layout layout_;
  MotionLeaves leaves_;
  Terms p_, forces_;
  LoweredMechanism made_;
};

}  // namespace

LoweredMechanism lower_mechanism(const MechanismDescription& description,
                                 const CompileOptions& options) {
  return MechanismLowering(description, options).run();
}

}  // namespace alembert::model::planar
