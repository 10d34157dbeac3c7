#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {
namespace {

/// One overload for each kind of model.
struct SimulatorMaker {
  const SimulateStudy& study;

  std::unique_ptr<const Simulator> operator()(const LinearModel& model) const {
    return std::make_unique<LinearSimulator>(model, study);
  }
  std::unique_ptr<const Simulator> operator()(const EquationSystem& equations) const {
    return std::make_unique<EquationSimulator>(equations, study);
  }
  std::unique_ptr<const Simulator> operator()(const MovedMechanism& moved) const {
    return std::make_unique<MechanismSimulator>(moved, study);
  }
  std::unique_ptr<const Simulator> operator()(const MovedFlexible& moved) const {
    return std::make_unique<FlexibleSimulator>(moved,
                                               move_flexible(moved, study.step, study.samples));
  }
};

}  // namespace

std::unique_ptr<const Simulator> make_simulator(const SimulateStudy& study) {
  return std::visit(SimulatorMaker{study}, study.model);
}

}  // namespace alembert::study
