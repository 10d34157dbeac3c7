#pragma once

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "alembert/core/progress.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "reproductions/slider_crank_force/plant.hpp"

/// The observers of the comparison, and the noise levels that do best with the truth at hand.
namespace alembert::reproductions::slider_crank_force {

/// rms errors after 0.5 s.
struct ForceErrors {
  double velocity = std::numeric_limits<double>::quiet_NaN();      ///< rad/s
  double acceleration = std::numeric_limits<double>::quiet_NaN();  ///< rad/s²
  double force = std::numeric_limits<double>::quiet_NaN();         ///< N
};

/// An observer of the comparison.
enum class Kind {
  InputStages,   ///< two stages, the first in the input form: the published one
  OutputStages,  ///< two stages, the first in the output form
  SingleStage,   ///< the equations of motion with the force as a state: the published benchmark
  Joint,         ///< output form with motion and force
};

struct ForceCase {
  std::string name;
  Kind kind = Kind::Joint;
  double distance = 0.0;    ///< from a dead centre, rad, below which the input form walks at random
  bool integrated = false;  ///< integrated random walk of the force, else random walk
  bool smooth = false;
  Eigen::VectorXd start;                      ///< of the levels: decimal logarithms
  std::array<ForceErrors, 3> reference = {};  ///< of the reference computation, S0 to S2
};

/// All rows, in the order of the reference.
[[nodiscard]] const std::vector<ForceCase>& force_cases();

/// What the levels of a kind are, for the table.
[[nodiscard]] std::vector<std::string> level_names(Kind kind);

/// The observer with these levels at the start of a motion, its speed 10 % wrong.
struct TunedObserver {
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the observer
  estimate::KinematicObserverOptions options;
};
[[nodiscard]] TunedObserver tuned_observer(const ForceCase& one, const SliderMotion& motion,
                                           const Eigen::VectorXd& levels);

/// Errors over a record; NaN if the observer fails.
[[nodiscard]] ForceErrors force_errors(const ForceCase& one, const SliderMotion& motion,
                                       const Eigen::MatrixXd& readings,
                                       const Eigen::VectorXd& levels);

/// How long levels are sought, and on how many records they are tried.
struct ForceEffort {
  int starts = 1;         ///< of the search; 5 in the reference
  long evaluations = 30;  ///< of each
  int training = 1;       ///< records of the seeds 100, 101, ...
  int test = 3;           ///< records of the seeds 1, 2, ...
  const StopFlag* stop = nullptr;
};

/// The mean errors on the records of the test, with the levels that had the least
/// rms(ω)/0.085 + rms(α)/1.8 + rms(F)/4.3 on those of the training.
struct ForceRun {
  Eigen::VectorXd levels;
  ForceErrors errors;
  bool finished = false;  ///< false after a stop
};
[[nodiscard]] ForceRun run_force_case(const ForceCase& one, const SliderMotion& motion,
                                      const ForceEffort& effort);

}  // namespace alembert::reproductions::slider_crank_force
