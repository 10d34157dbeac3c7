#include "identify/acceleration/sensed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/model/equation_structure.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// A name that the equation does not use; its text is searched, so that definitions count.
std::string free_name(const EquationOfMotion& equation, std::string name) {
  const auto taken = [&equation](const std::string& text) {
    for (const auto* names : {&equation.setup.parameters, &equation.setup.inputs}) {
      if (std::find(names->begin(), names->end(), text) != names->end()) return true;
    }
    return equation.explicit_text.find(text) != std::string::npos ||
           std::any_of(equation.setup.constants.begin(), equation.setup.constants.end(),
                       [&text](const auto& constant) { return constant.name == text; });
  };
  while (taken(name)) name += '_';
  return name;
}

// The samples that a simulation reached, without times.
SimulatedMotion motion_of(const std::vector<double>& y, const std::vector<double>& x,
                          std::size_t done, const model::SecondOrderPair& pair) {
  SimulatedMotion motion;
  const auto reached = static_cast<Index>(done);
  motion.time.resize(reached);
  motion.displacement.resize(reached);
  motion.velocity.resize(reached);
  motion.acceleration.resize(reached);
  for (Index k = 0; k < reached; ++k) {
    const auto row = static_cast<std::size_t>(k);
    motion.displacement(k) = x[2 * row + pair.position];
    motion.velocity(k) = x[2 * row + pair.velocity];
    motion.acceleration(k) = y[row];
  }
  return motion;
}

// One instant of a motion.
struct MotionInstant {
  double time = 0.0, x = 0.0, v = 0.0;
};

// At sample k; before the first and behind the last by a parabola: a motion may begin at a jump.
MotionInstant instant_of(const SimulatedMotion& motion, Index k) {
  const Index last = motion.time.size() - 1;
  const Index i = std::clamp<Index>(k, 0, last);
  const double h = static_cast<double>(k - i) * (motion.time(1) - motion.time(0));
  const double A = motion.acceleration(i == 0 ? 1 : i);  // at the first sample it may be undecided
  return {motion.time(i) + h, motion.displacement(i) + h * (motion.velocity(i) + 0.5 * h * A),
          motion.velocity(i) + h * A};
}

}  // namespace

SensedModel sensed_model(const EquationOfMotion& equation) {
  model::EquationSetup setup;
  std::vector<std::string> names = equation.parameters();
  for (const char* name : {"x0", "v0", "offset"}) names.push_back(free_name(equation, name));
  const std::size_t count = names.size();
  const std::string output = free_name(equation, "measured");
  for (const std::string& name : names) setup.parameters.push_back({name, ""});
  for (const std::string& name : equation.setup.inputs) setup.inputs.push_back({name, ""});
  setup.outputs = {{output, ""}};
  setup.constants = equation.setup.constants;
  setup.tables = equation.setup.tables;
  setup.starts = {{equation.coordinate, names[count - 3]},
                  {equation.coordinate + "'", names[count - 2]}};
  const std::string text = fmt::format("{}\n{} = {}'' + {}\n", equation.explicit_text, output,
                                       equation.coordinate, names[count - 1]);
  return {names, model::parse_equations(text, setup)};
}

bool has_jumps(const EquationOfMotion& equation) {
  return !model::JumpingParts(equation.model).empty();
}

std::vector<bool> jumps_along(const EquationOfMotion& equation, const VectorXd& parameters,
                              const SimulatedMotion& motion, const Eigen::MatrixXd& forcing) {
  model::JumpingParts parts(equation.model);
  const model::SecondOrderPair pair = equation.model.second_order().front();
  const Index samples = motion.time.size();
  std::vector<double> before;
  std::vector<bool> jumps(static_cast<std::size_t>(samples), false);
  for (Index k = -1; k <= samples && samples > 1 && !parts.empty(); ++k) {
    const MotionInstant at = instant_of(motion, k);
    std::array<double, 2> x{};
    x[pair.position] = at.x;
    x[pair.velocity] = at.v;
    VectorXd u;
    if (forcing.cols() > 0) u = forcing.row(std::clamp<Index>(k, 0, samples - 1));
    const std::vector<double>& now = parts.at(at.time, x.data(), u.data(), parameters.data());
    if (k >= 0 && now != before) jumps[static_cast<std::size_t>(std::max<Index>(0, k - 1))] = true;
    before = now;
  }
  return jumps;
}

SimulatedMotion simulate_motion(const EquationOfMotion& equation, const VectorXd& parameters,
                                double x0, double v0, double step, Index samples,
                                const Eigen::MatrixXd& forcing, double start_time) {
  const char* function = "simulate_motion";
  check::positive(function, "step", step);
  check::at_least(function, "samples", samples, 1);
  check::size(function, "parameters", parameters.size(),
              static_cast<long long>(equation.parameters().size()));
  const auto inputs = static_cast<Index>(equation.setup.inputs.size());
  if (inputs > 0) check::shape(function, "forcing", forcing, samples, inputs);
  integrate::EquationSimulator evaluator(
      model::CompiledEquations(equation.model, {.kind = model::EngineKind::Interpreter}));
  evaluator.set_parameters({parameters.data(), static_cast<std::size_t>(parameters.size())});
  std::vector<double> rows;
  for (Index k = 0; inputs > 0 && k < samples; ++k) {
    for (Index i = 0; i < inputs; ++i) rows.push_back(forcing(k, i));
  }
  const auto count = static_cast<std::size_t>(samples);
  // Scales of the states: the tolerance is meant against the motion, not against its zeros.
  const double size = std::abs(x0) + std::abs(v0) * step > 0.0 ? std::abs(x0) + std::abs(v0) : 1.0;
  const std::vector<double> scales(2, size);
  const integrate::RecordTask task{.samples = count,
                                   .start_time = start_time,
                                   .step = step,
                                   .between = signal::BetweenSamples::Linear,
                                   .inputs = rows,
                                   .method = integrate::Integrator::DormandPrince,
                                   .adaptive = {.relative_tolerance = 1e-11,
                                                .absolute_tolerance = 1e-12,
                                                .scales = scales,
                                                .max_steps = step_limit(samples)},
                                   .events = true};
  const model::SecondOrderPair pair = equation.model.second_order().front();
  std::vector<double> start(2), y(count), x(2 * count);
  start[pair.position] = x0;
  start[pair.velocity] = v0;
  const std::size_t done = evaluator.simulate(task, start, y, x);
  SimulatedMotion motion = motion_of(y, x, done, pair);
  for (Index k = 0; k < motion.time.size(); ++k) {
    motion.time(k) = start_time + static_cast<double>(k) * step;
  }
  if (done < count) {
    motion.status = Status::NotFinite;
    motion.message = fmt::format(
        "the simulation ends after {} of {} samples: the motion leaves the range of numbers, or "
        "friction holds it at rest, which the equation cannot say",
        done, samples);
  }
  return motion;
}

}  // namespace alembert::identify
