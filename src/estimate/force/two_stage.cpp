#include "alembert/estimate/force/two_stage.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/estimate/force/force_balance.hpp"
#include "estimate/force/force_stage.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

constexpr const char* kTwoStages = "observe_two_stages";

void check_first_stage(const std::shared_ptr<const Mechanism>& mechanism,
                       const KinematicObserverOptions& first) {
  const KinematicObserver observer(mechanism, first);
  if (observer.model().layout().blocks >= 3) return;
  throw InvalidInput({.function = kTwoStages,
                      .argument = "the first stage",
                      .rule = "must estimate accelerations: accelerometers as inputs, and a scheme "
                              "for them",
                      .value = "velocities only"});
}

// Columns of both side by side.
MatrixXd beside(const MatrixXd& left, const MatrixXd& right) {
  MatrixXd both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

VectorXd below(const VectorXd& first, const VectorXd& second) {
  VectorXd both(first.size() + second.size());
  both << first, second;
  return both;
}

// A sum of squares of the stages that have one.
double sum_of_known(double a, double b) {
  if (std::isnan(a)) return b;
  return std::isnan(b) ? a : a + b;
}

void join_steps(const TwoStageEstimate& stages, KinematicEstimate& joined) {
  const ObserverEstimate& forces = stages.forces;
  for (Index k = 0; k < joined.nis.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    joined.nis(k) = sum_of_known(joined.nis(k), forces.nis(k));
    joined.used[i] += forces.used[i];
  }
  joined.rejected_readings.insert(joined.rejected_readings.end(), forces.rejected_readings.begin(),
                                  forces.rejected_readings.end());
  joined.rejected += forces.rejected;
  joined.widened += forces.widened;
  joined.failed += forces.failed;
}

void join_innovations(const Mechanism& mechanism, const TwoStageEstimate& stages,
                      KinematicEstimate& joined) {
  const ObserverEstimate& forces = stages.forces;
  for (std::size_t i = 0; i < mechanism.description().forces.size(); ++i) {
    for (int s = 0; s < mechanism.sensors(); ++s) {
      if (mechanism.force_read_by(s) == static_cast<int>(i)) joined.outputs.push_back(s);
    }
  }
  joined.innovation = beside(joined.innovation, forces.innovation);
  joined.innovation_deviation = beside(joined.innovation_deviation, forces.innovation_deviation);
  joined.whitened = beside(joined.whitened, forces.whitened);
  joined.output_deviation = below(joined.output_deviation, forces.output_deviation);
}

void join_states(Index known, Index unknown, const TwoStageEstimate& stages,
                 KinematicEstimate& joined) {
  const ObserverEstimate& forces = stages.forces;
  for (Index i = known; i < known + unknown; ++i) {
    joined.names.push_back(forces.names[static_cast<std::size_t>(i)]);
  }
  const auto join = [&](MatrixXd& left, const MatrixXd& right) {
    if (right.cols() > 0) left = beside(left, right.middleCols(known, unknown));
  };
  join(joined.mean, forces.mean);
  join(joined.deviation, forces.deviation);
  join(joined.smoothed_mean, forces.smoothed_mean);
  join(joined.smoothed_deviation, forces.smoothed_deviation);
  for (std::size_t k = 0; k < joined.covariances.size(); ++k) {
    const Index first = joined.covariances[k].rows();
    MatrixXd P = MatrixXd::Zero(first + unknown, first + unknown);
    P.topLeftCorner(first, first) = joined.covariances[k];
    P.bottomRightCorner(unknown, unknown) =
        forces.covariances[k].block(known, known, unknown, unknown);
    joined.covariances[k] = P;
  }
}

}  // namespace

KinematicObserverOptions first_stage(const Mechanism& mechanism,
                                     const KinematicObserverOptions& options) {
  KinematicObserverOptions first = options;
  first.form = options.stages.motion;
  first.output.forces = false;
  std::erase_if(first.output.sensors,
                [&](int sensor) { return mechanism.force_read_by(sensor) >= 0; });
  return first;
}

TwoStageEstimate observe_two_stages(std::shared_ptr<const Mechanism> mechanism,
                                    const Eigen::Ref<const VectorXd>& time,
                                    const Eigen::Ref<const MatrixXd>& readings,
                                    const KinematicObserverOptions& options,
                                    const RecordOptions& keep) {
  check_two_stages(mechanism, options);
  TwoStageEstimate made;
  RecordOptions first = keep;
  first.keep_covariances = true;
  made.motion = observe_record(mechanism, time, readings, first_stage(*mechanism, options), first);
  static_cast<Outcome&>(made) = made.motion;
  if (made.status == Status::Stopped) return made;
  made.direction = force_direction(*mechanism, made.motion.mean, options);
  const MatrixXd second = force_stage_readings(*mechanism, made.motion, readings);
  Observer observer = force_stage_observer(mechanism, options, made.direction);
  made.forces = observe_record(observer, time, second, keep);
  if (made.ok()) static_cast<Outcome&>(made) = made.forces;
  if (!keep.keep_covariances) made.motion.covariances.clear();
  return made;
}

void check_two_stages(const std::shared_ptr<const Mechanism>& mechanism,
                      const KinematicObserverOptions& options) {
  const ForceBalance balance(*mechanism);  // says what is missing
  if (balance.unknown() == 0) {
    throw InvalidInput({.function = kTwoStages,
                        .argument = "unknown forces",
                        .rule = "must be sought in the second stage",
                        .value = "none"});
  }
  if (options.stages.motion != ObserverForm::Output &&
      options.stages.motion != ObserverForm::Input) {
    throw InvalidInput({.function = kTwoStages,
                        .argument = "stages.motion",
                        .rule = "must be output or input",
                        .value = std::string(name_of(options.stages.motion))});
  }
  check_first_stage(mechanism, first_stage(*mechanism, options));
  if (options.stages.direction != ForceDirection::Automatic) {
    (void)force_direction(*mechanism, MatrixXd(), options);
  }
}

KinematicEstimate join_stages(const Mechanism& mechanism, const TwoStageEstimate& stages) {
  KinematicEstimate joined = stages.motion;
  static_cast<Outcome&>(joined) = stages;
  if (stages.status == Status::Stopped) return joined;
  const auto& forces = mechanism.description().forces;
  const auto known =
      std::count_if(forces.begin(), forces.end(), [](const auto& one) { return one.known; });
  join_states(known, static_cast<Index>(forces.size()) - known, stages, joined);
  join_innovations(mechanism, stages, joined);
  join_steps(stages, joined);
  return joined;
}

}  // namespace alembert::estimate
