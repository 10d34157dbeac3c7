#include "alembert/study/flexible_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/mapped.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleEquilibrium;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleState;

// Small against the links: cubic shapes in the frame of a body leave out (w/L)², 1 % at a tenth.
constexpr double kCautiousDeflection = 0.1;
constexpr double kBadDeflection = 0.3;
constexpr double kCautiousDrift = 0.01;
// Of frequencies that vibrate, against the largest: less is a motion that nothing holds.
constexpr double kNotHeld = 1e-6;

std::vector<double> forces_at_start(const MovedFlexible& moved) {
  return mapped(moved.forces,
                [](const ForceLaw& force) { return force.law.sample(VectorXd::Zero(1))(0, 0); });
}

void find_rest(const MovedFlexible& moved, FlexibleOutcome& made) {
  const std::vector<double> forces = forces_at_start(moved);
  made.held = moved.links != LinksAtStart::Equilibrium;
  try {
    made.rest = made.held
                    ? model::flexible::find_deflection(*moved.mechanism, moved.released.z, forces)
                    : model::flexible::find_equilibrium(*moved.mechanism, moved.released.z, forces);
    if (!made.rest.ok()) throw StudyError(moved.place, "simulate.start: " + made.rest.message);
    made.small = model::flexible::linearise(*moved.mechanism, made.rest.x, forces);
    made.readings_at_rest =
        model::flexible::linearise(*moved.sensors, *moved.mechanism, made.rest.x, forces);
    made.shapes = model::undamped_modes(made.small);
  } catch (const InvalidInput& error) {
    throw StudyError(moved.place, "simulate.start: " + error.reason());
  }
  const double highest = made.shapes.angular_frequency.tail<1>()(0) / (2.0 * std::numbers::pi);
  for (const model::DampedMode& mode : model::damped_modes(made.small)) {
    if (mode.frequency_hz > kNotHeld * highest) made.modes.push_back(mode);
  }
}

VectorXd first_state(const MovedFlexible& moved, const FlexibleOutcome& made) {
  const Index n = moved.mechanism->unknowns();
  VectorXd x = VectorXd::Zero(2 * n);
  x.segment(moved.mechanism->elastic(), moved.released.z.size()) = moved.released.z;
  if (moved.links != LinksAtStart::Undeformed) x = made.rest.x;
  x.tail(moved.released.zd.size()) = moved.released.zd;
  return x;
}

// How far the axis of a body is from the straight line between its ends.
double from_chord(const Eigen::MatrixX2d& points) {
  const Eigen::RowVector2d chord = points.bottomRows(1) - points.topRows(1);
  const double length = chord.norm();
  double largest = 0.0;
  for (Index i = 1; i < points.rows(); ++i) {
    const Eigen::RowVector2d at = points.row(i) - points.row(0);
    largest = std::max(largest, std::abs(chord.x() * at.y() - chord.y() * at.x()) / length);
  }
  return largest;
}

// And how far its end is from where the straight body would have it.
double from_frame(const FlexibleMechanism& mechanism, const std::string& body,
                  const FlexibleState& state, const Eigen::MatrixX2d& bent) {
  return (bent - mechanism.shape_of(body, state, 0.0, 1)).rowwise().norm().maxCoeff();
}

/// Reads sensors and looks at the links along a motion.
class MotionReader {
 public:
  MotionReader(const MovedFlexible& moved, FlexibleOutcome& made)
      : moved_(moved), made_(made), state_(moved.mechanism->start()) {
    made.readings.resize(made.run.time.size(), moved.sensors->size());
    for (const auto& body : moved.mechanism->description().bodies) {
      const Eigen::MatrixX2d straight = moved.mechanism->shape_of(body.name, state_, 0.0, 1);
      made.deflections.push_back({.body = body.name,
                                  .length = (straight.bottomRows(1) - straight.topRows(1)).norm(),
                                  .time = made.run.time(0)});
    }
  }

  void read(Index k) {
    const FlexibleMechanism& mechanism = *moved_.mechanism;
    const VectorXd x = made_.run.states.row(k);
    const VectorXd forces = made_.run.forces.row(k);
    VectorXd xdd(mechanism.unknowns());
    VectorXd readings(moved_.sensors->size());
    (void)mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state_);
    const std::span<const double> acting{forces.data(), static_cast<std::size_t>(forces.size())};
    (void)mechanism.accelerate(acting, state_, {xdd.data(), static_cast<std::size_t>(xdd.size())});
    (void)moved_.sensors->read(state_, acting,
                               {readings.data(), static_cast<std::size_t>(readings.size())});
    made_.readings.row(k) = readings;
    for (LargestDeflection& one : made_.deflections) look(one, made_.run.time(k));
  }

 private:
  void look(LargestDeflection& one, double time) const {
    const Eigen::MatrixX2d bent = moved_.mechanism->shape_of(one.body, state_, 1.0, 1);
    const double now =
        std::max(from_chord(bent), from_frame(*moved_.mechanism, one.body, state_, bent));
    if (now <= one.deflection) return;
    one.deflection = now;
    one.time = time;
  }

  const MovedFlexible& moved_;
  FlexibleOutcome& made_;
  FlexibleState state_;
};

void judge_deflections(const FlexibleOutcome& made, Evidence& evidence) {
  for (const LargestDeflection& one : made.deflections) {
    const double share = one.deflection / one.length;
    const TrustLevel level = level_above(share, kCautiousDeflection, kBadDeflection);
    if (level == TrustLevel::Good) continue;
    evidence.add(level,
                 fmt::format("{} is off straight by {:.2g} m, {:.0f} % of its length, at {:.4g} s: "
                             "the model holds for small deflections",
                             one.body, one.deflection, 100.0 * share, one.time),
                 "make the link stiffer, or part it into bodies that turn");
  }
}

void judge(const MovedFlexible& moved, double step, FlexibleOutcome& made) {
  Evidence evidence;
  if (!made.run.ok()) evidence.add(made.run);
  if (made.run.ok() && made.run.energy_drift > kCautiousDrift) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the energy changes by {:.2g} % that no force or damping accounts for",
                             100.0 * made.run.energy_drift),
                 "take more simulate.substeps, or leave them to be chosen");
  }
  judge_deflections(made, evidence);
  if (!made.modes.empty() && made.modes.front().frequency_hz > 0.5 / step) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the lowest mode, {:.4g} Hz, lies above half the sampling rate: the "
                             "record shows none",
                             made.modes.front().frequency_hz),
                 "take a shorter simulate.step");
  }
  if (moved.mechanism->zeroed_condition() > 100.0) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the displacements that fix the rigid motion do so badly (condition "
                             "{:.2g}): the start is near a dead centre",
                             moved.mechanism->zeroed_condition()),
                 "start elsewhere, or take other coordinates");
  }
  made.verdict = evidence.verdict();
}

}  // namespace

FlexibleOutcome move_flexible(const MovedFlexible& moved, double step, Index samples) {
  FlexibleOutcome made;
  find_rest(moved, made);
  try {
    made.run = integrate::simulate_flexible(
        *moved.mechanism, first_state(moved, made),
        mapped(moved.forces, [](const ForceLaw& force) { return force.law; }),
        {.step = step, .count = static_cast<long>(samples)}, moved.integration);
  } catch (const InvalidInput& error) {
    throw StudyError(moved.place, "simulate: " + error.reason());
  }
  if (made.run.time.size() < samples) {
    throw StudyError(moved.place, "simulate.start: " + made.run.message);
  }
  MotionReader reader(moved, made);
  for (Index k = 0; k < samples; ++k) reader.read(k);
  judge(moved, step, made);
  return made;
}

}  // namespace alembert::study
