#include "alembert/integrate/linear_simulation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/integrate/detail/input_stencil.hpp"
#include "alembert/integrate/exact.hpp"
#include "alembert/integrate/gauss.hpp"
#include "alembert/integrate/newmark.hpp"
#include "alembert/integrate/variational.hpp"

namespace alembert::integrate {

namespace {

using Eigen::Index;

// Samples advanced between two looks at the stop flag. The products with the input and with the
// mass matrix are formed for a whole block, and the results are written block by block, because
// rows of a column-major matrix lie far apart in memory.
constexpr Index kBlock = 128;

// States of one block as columns, and the memory around them.
struct Block {
  Block(const OneStepMap& map, Index drive_size)
      : drive(drive_size, kBlock), states(map.F.rows(), kBlock), last(map.F.rows()) {}

  Eigen::MatrixXd drive;   // w(k)
  Eigen::MatrixXd states;  // z(k+1)
  Eigen::VectorXd last;    // z before the block
};

// z(k+1) = F z(k) + G w(k) for `count` samples from `first` on.
void advance_block(const OneStepMap& map, const InputStencil& stencil, Index first, Index count,
                   Block& block) {
  stencil.fill(first, block.drive.leftCols(count));
  block.states.leftCols(count).noalias() = map.G * block.drive.leftCols(count);
  block.states.col(0).noalias() += map.F * block.last;
  for (Index i = 1; i < count; ++i) {
    block.states.col(i).noalias() += map.F * block.states.col(i - 1);
  }
  block.last = block.states.col(count - 1);
}

// Writes states into rows `first`.. and adds q'' = A21 q + A22 v + B2 u there.
void store(const model::StateSpace& form, const Eigen::Ref<const Eigen::MatrixXd>& input,
           const Eigen::Ref<const Eigen::MatrixXd>& states, double step, Index first,
           Trajectory& result) {
  const Index n = states.rows() / 2;
  const Index count = states.cols();
  const Eigen::MatrixXd velocity = states.bottomRows(n) / step;
  Eigen::MatrixXd acceleration = form.A.bottomLeftCorner(n, n) * states.topRows(n);
  acceleration.noalias() += form.A.bottomRightCorner(n, n) * velocity;
  if (input.cols() > 0) {
    acceleration.noalias() += form.B.bottomRows(n) * input.middleRows(first, count).transpose();
  }
  result.displacement.middleRows(first, count) = states.topRows(n).transpose();
  result.velocity.middleRows(first, count) = velocity.transpose();
  result.acceleration.middleRows(first, count) = acceleration.transpose();
}

// Index of the first row with a NaN or infinity among `count` rows from `first`, or -1.
Index first_broken_row(const Trajectory& result, Index first, Index count) {
  const auto finite = [&](Index row, Index rows) {
    return result.displacement.middleRows(row, rows).allFinite() &&
           result.velocity.middleRows(row, rows).allFinite() &&
           result.acceleration.middleRows(row, rows).allFinite();
  };
  if (finite(first, count)) {
    return -1;
  }
  Index row = first;
  while (finite(row, 1)) {
    ++row;
  }
  return row;
}

void end_before(Index row, Status status, const std::string& message, Trajectory& result) {
  result.status = status;
  result.message = message;
  for (Eigen::MatrixXd* motion : {&result.displacement, &result.velocity, &result.acceleration}) {
    motion->conservativeResize(row, Eigen::NoChange);
  }
}

bool stopped_or_broken(Index first, Index count, double step, const StopFlag* stop,
                       Trajectory& result) {
  const Index broken = first_broken_row(result, first, count);
  if (broken >= 0) {
    end_before(
        broken, Status::NotFinite,
        fmt::format("the motion left the range of doubles at sample {} ({} s after the first); the "
                    "system is unstable, or the step too long for this method",
                    broken + 1, static_cast<double>(broken) * step),
        result);
    return true;
  }
  if (stop != nullptr && stop->requested() && first + count < result.samples()) {
    end_before(first + count, Status::Stopped,
               fmt::format("stopped before sample {} of {}", first + count + 1, result.samples()),
               result);
    return true;
  }
  return false;
}

Trajectory run(const model::StateSpace& form, const OneStepMap& map,
               const Eigen::Ref<const Eigen::MatrixXd>& input, const Eigen::VectorXd& start,
               const StopFlag* stop) {
  const Index n = map.degrees_of_freedom();
  const Index samples = input.rows();
  const InputStencil stencil(map.drive, input, map.step);
  Trajectory result;
  result.displacement.resize(samples, n);
  result.velocity.resize(samples, n);
  result.acceleration.resize(samples, n);
  Block block(map, stencil.size());
  block.last = start;
  store(form, input, start, map.step, 0, result);
  if (stopped_or_broken(0, 1, map.step, stop, result)) {
    return result;
  }
  for (Index done = 1; done < samples;) {
    const Index count = std::min(kBlock, samples - done);
    advance_block(map, stencil, done - 1, count, block);
    store(form, input, block.states.leftCols(count), map.step, done, result);
    if (stopped_or_broken(done, count, map.step, stop, result)) {
      return result;
    }
    done += count;
  }
  return result;
}

void check_map(const model::SecondOrder& system, const OneStepMap& map) {
  const Index size = 2 * system.degrees_of_freedom();
  const Index m = system.inputs();
  check::shape("simulate", "map.F", map.F, size, size);
  check::shape("simulate", "map.G", map.G, size,
               map.drive == Drive::Begin  ? m
               : map.drive == Drive::Ends ? 2 * m
                                          : 4 * m);
  check::positive("simulate", "map.step", map.step);
}

}  // namespace

OneStepMap one_step_map(const model::SecondOrder& system, double step,
                        const LinearSimulationOptions& options) {
  switch (options.method) {
    case Method::Exact:
      return exact_map(system, step, options.hold);
    case Method::Variational:
      return midpoint_map(system, step);
    case Method::Newmark:
      return newmark_map(system, step, {options.newmark_beta, options.newmark_gamma});
    case Method::Gauss:
      return gauss_map(system, step, options.gauss_stages, options.hold);
  }
  throw InvalidInput(
      {.function = "one_step_map", .argument = "method", .rule = "must be one of the enumerators"});
}

Trajectory simulate(const model::SecondOrder& system, const OneStepMap& map,
                    const Eigen::Ref<const Eigen::MatrixXd>& input,
                    const Eigen::Ref<const Eigen::VectorXd>& q0,
                    const Eigen::Ref<const Eigen::VectorXd>& v0, const StopFlag* stop) {
  const model::StateSpace form = model::state_space(system);
  const Index n = system.degrees_of_freedom();
  check_map(system, map);
  check::at_least("simulate", "number of samples (rows of input)", input.rows(), 1);
  check::shape("simulate", "input", input, input.rows(), system.inputs());
  check::all_finite("simulate", "input", input);
  check::size("simulate", "q0", q0.size(), n);
  check::size("simulate", "v0", v0.size(), n);
  check::all_finite("simulate", "q0", q0);
  check::all_finite("simulate", "v0", v0);
  Eigen::VectorXd start(2 * n);
  start << q0, map.step * v0;
  return run(form, map, input, start, stop);
}

Trajectory simulate(const model::SecondOrder& system,
                    const Eigen::Ref<const Eigen::MatrixXd>& input, double step,
                    const Eigen::Ref<const Eigen::VectorXd>& q0,
                    const Eigen::Ref<const Eigen::VectorXd>& v0,
                    const LinearSimulationOptions& options) {
  check::positive("simulate", "step", step);
  return simulate(system, one_step_map(system, step, options), input, q0, v0, options.stop);
}

Eigen::MatrixXd apply(const model::OutputMap& outputs, const Trajectory& trajectory) {
  const Index n = trajectory.displacement.cols();
  model::check_outputs("apply", outputs, n);
  check::shape("apply", "trajectory velocity", trajectory.velocity, trajectory.samples(), n);
  check::shape("apply", "trajectory acceleration", trajectory.acceleration, trajectory.samples(),
               n);
  Eigen::MatrixXd y = Eigen::MatrixXd::Zero(trajectory.samples(), outputs.outputs());
  const auto add = [&y](const Eigen::MatrixXd& C, const Eigen::MatrixXd& motion) {
    // Most maps pick single coordinates: then a few columns are added, not a full product formed.
    if (4 * (C.array() != 0.0).count() > C.size()) {
      y.noalias() += motion * C.transpose();
      return;
    }
    for (Index column = 0; column < C.cols(); ++column) {
      for (Index row = 0; row < C.rows(); ++row) {
        if (C(row, column) != 0.0) {
          y.col(row) += C(row, column) * motion.col(column);
        }
      }
    }
  };
  add(outputs.displacement, trajectory.displacement);
  add(outputs.velocity, trajectory.velocity);
  add(outputs.acceleration, trajectory.acceleration);
  return y;
}

}  // namespace alembert::integrate
