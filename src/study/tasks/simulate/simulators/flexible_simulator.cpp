#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {

FlexibleSimulator::FlexibleSimulator(const MovedFlexible& moved, const FlexibleOutcome& made) {
  const Eigen::Index ne = moved.mechanism->elastic();
  const Eigen::Index nq = moved.mechanism->coordinates();
  const integrate::FlexibleSimulation& run = made.run;
  signals_.resize(run.time.size(), 3 * nq + made.readings.cols() + run.forces.cols() + ne);
  signals_ << run.states.middleCols(ne, nq), run.states.rightCols(nq),
      run.accelerations.rightCols(nq), made.readings, run.forces, run.states.leftCols(ne);
}

SimulatedMotion FlexibleSimulator::run(const Eigen::MatrixXd&, const StopFlag* stop) const {
  SimulatedMotion moved;
  if (stop != nullptr && stop->requested()) {
    moved.status = Status::Stopped;
    return moved;
  }
  moved.signals = signals_;
  return moved;
}

}  // namespace alembert::study
