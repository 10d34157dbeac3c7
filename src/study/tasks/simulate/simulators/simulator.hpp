#pragma once

#include <Eigen/Core>
#include <memory>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/study/simulate.hpp"

namespace alembert::study {

/// What moves in one experiment: a column for each motion channel.
struct SimulatedMotion : Outcome {
  Eigen::MatrixXd signals;
};

/// Moves a model by inputs. All experiments share one, on several threads.
class Simulator {
 public:
  virtual ~Simulator() = default;
  /// @param inputs samples x inputs.
  [[nodiscard]] virtual SimulatedMotion run(const Eigen::MatrixXd& inputs,
                                            const StopFlag* stop) const = 0;
};

/// The simulator of a linear system, which its map advances by one step.
class LinearSimulator : public Simulator {
 public:
  /// Makes the map. @throws InvalidInput as integrate::one_step_map().
  LinearSimulator(const LinearModel& model, const SimulateStudy& study);
  /// Takes one that was made before. Model, map and study must outlive the simulator.
  LinearSimulator(const LinearModel& model, const SimulateStudy& study,
                  const integrate::OneStepMap& map);
  [[nodiscard]] SimulatedMotion run(const Eigen::MatrixXd& inputs,
                                    const StopFlag* stop) const override;

 private:
  const LinearModel& model_;
  const SimulateStudy& study_;
  std::unique_ptr<const integrate::OneStepMap> own_;
  const integrate::OneStepMap& map_;
};

/// The simulator of equations.
class EquationSimulator : public Simulator {
 public:
  /// @throws StudyError if native code is demanded and cannot be had.
  EquationSimulator(const EquationSystem& equations, const SimulateStudy& study);
  [[nodiscard]] SimulatedMotion run(const Eigen::MatrixXd& inputs,
                                    const StopFlag* stop) const override;

 private:
  const EquationSystem& equations_;
  const SimulateStudy& study_;
  model::CompiledEquations compiled_;
};

/// The simulator of a mechanism, which has no inputs: its motion is known, and the same in all
/// experiments.
class MechanismSimulator : public Simulator {
 public:
  /// @throws StudyError at [simulate.motion] with the time of the first position that cannot be
  ///   reached, and the joint or body behind it.
  MechanismSimulator(const MovedMechanism& moved, const SimulateStudy& study);
  [[nodiscard]] SimulatedMotion run(const Eigen::MatrixXd& inputs,
                                    const StopFlag* stop) const override;

 private:
  Eigen::MatrixXd signals_;
};

/// The simulator of a mechanism with flexible bodies, which was moved before.
class FlexibleSimulator : public Simulator {
 public:
  FlexibleSimulator(const MovedFlexible& moved, const FlexibleOutcome& made);
  [[nodiscard]] SimulatedMotion run(const Eigen::MatrixXd& inputs,
                                    const StopFlag* stop) const override;

 private:
  Eigen::MatrixXd signals_;
};

/// The simulator of the study's model; the study must outlive it.
[[nodiscard]] std::unique_ptr<const Simulator> make_simulator(const SimulateStudy& study);

}  // namespace alembert::study
