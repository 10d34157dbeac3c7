#include "alembert/estimate/two_stage.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "estimate/kinematic/force_stage.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

constexpr const char* kTwoStages = "observe_two_stages";
constexpr Index kMostPlacesLooked = 500;
constexpr double kWellConditioned = 1e-2;  // least over largest effect of F2 on F1 along the motion

void check_stages(const TwoStageOptions& options) {
  if (options.kinematic.form == ObserverForm::Dynamic || options.kinematic.output.forces) {
    throw InvalidInput({.function = kTwoStages,
                        .argument = "kinematic",
                        .rule = "must be the output or input form without forces",
                        .value = options.kinematic.output.forces ? "forces" : "dynamic"});
  }
}

MechanismState state_at(const Mechanism& mechanism, const VectorXd& z) {
  MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(z, state);
  if (!assembly.ok()) throw InvalidInput({.function = kTwoStages, .rule = assembly.message});
  return state;
}

// Whether B1⁻¹ B2 can be divided by all along the motion.
bool divides_well(const Mechanism& mechanism, MechanismState state, const MatrixXd& path) {
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const VectorXd rest = VectorXd::Zero(mechanism.coordinates());
  double least = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  const Index stride = std::max<Index>(1, path.rows() / kMostPlacesLooked);
  for (Index k = 0; k < path.rows(); k += stride) {
    const VectorXd z = path.row(k).head(mechanism.coordinates());
    if (mechanism.solve_position({z.data(), n}, state) != model::planar::StepStatus::Success) {
      continue;
    }
    mechanism.solve_velocity({rest.data(), n}, state);
    mechanism.reduced_dynamics(state, dynamics);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> squares(dynamics.B2.transpose() * dynamics.B2);
    least = std::min(least, squares.eigenvalues()(0));
    largest = std::max(largest, squares.eigenvalues().maxCoeff());
  }
  return std::sqrt(std::max(0.0, least)) > kWellConditioned * std::sqrt(largest);
}

ForceDirection direction_of(const Mechanism& mechanism, const MechanismState& state,
                            const MatrixXd& path, const TwoStageOptions& options) {
  const auto& forces = mechanism.description().forces;
  const auto unknown =
      std::count_if(forces.begin(), forces.end(), [](const auto& one) { return !one.known; });
  const bool square = unknown == mechanism.coordinates();
  if (options.direction == ForceDirection::Unknown && !square) {
    throw InvalidInput({.function = kTwoStages,
                        .argument = "direction",
                        .rule = "f21 needs as many unknown forces as coordinates",
                        .value = std::to_string(unknown)});
  }
  if (options.direction != ForceDirection::Automatic) return options.direction;
  return square && divides_well(mechanism, state, path) ? ForceDirection::Unknown
                                                        : ForceDirection::Known;
}

// Readings of the second stage: motion, its covariance, cells.
MatrixXd second_readings(const Mechanism& mechanism, const KinematicEstimate& motion,
                         const MatrixXd& readings) {
  const Index n = mechanism.coordinates();
  MatrixXd made(readings.rows(), 4 * n + 9 * n * n);
  made.leftCols(3 * n) = motion.mean.leftCols(3 * n);
  for (Index k = 0; k < made.rows(); ++k) {
    const MatrixXd P = motion.covariances[static_cast<std::size_t>(k)].topLeftCorner(3 * n, 3 * n);
    made.row(k).segment(3 * n, 9 * n * n) = P.reshaped().transpose();
  }
  Index column = 3 * n + 9 * n * n;
  const auto& forces = mechanism.description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    for (int s = 0; s < mechanism.sensors(); ++s) {
      if (mechanism.force_read_by(s) != static_cast<int>(i)) continue;
      const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(s)];
      made.col(column++) = readings.col(s).unaryExpr(
          [&](double reading) { return model::planar::physical_value(sensor, reading); });
    }
  }
  return made;
}

}  // namespace

TwoStageEstimate observe_two_stages(std::shared_ptr<const Mechanism> mechanism,
                                    const Eigen::Ref<const VectorXd>& time,
                                    const Eigen::Ref<const MatrixXd>& readings,
                                    const TwoStageOptions& options, const RecordOptions& keep) {
  check_stages(options);
  (void)ForceBalance(*mechanism);  // says what is missing before anything runs
  TwoStageEstimate made;
  RecordOptions first = keep;
  first.keep_covariances = true;
  made.motion = observe_record(mechanism, time, readings, options.kinematic, first);
  made.status = made.motion.status;
  made.message = made.motion.message;
  if (!made.ok()) return made;
  const MechanismState state = state_at(*mechanism, options.kinematic.start.z);
  made.direction = direction_of(*mechanism, state, made.motion.mean, options);
  auto stage = std::make_unique<ForceStage>(mechanism, state, options, made.direction);
  const auto states = static_cast<Index>(stage->layout().states.size());
  ObserverOptions how = options.kinematic;
  how.adapt = {};
  how.switching = {};
  Observer observer(std::move(stage), VectorXd::Zero(states),
                    MatrixXd::Identity(states, states) * options.sigma_force * options.sigma_force,
                    how);
  made.forces =
      observe_record(observer, time, second_readings(*mechanism, made.motion, readings), keep);
  made.status = made.forces.status;
  made.message = made.forces.message;
  if (!keep.keep_covariances) made.motion.covariances.clear();
  return made;
}

}  // namespace alembert::estimate
