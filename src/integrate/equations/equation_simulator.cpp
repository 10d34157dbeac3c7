#include "alembert/integrate/equation_simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/integrate/ode/stiff.hpp"
#include "integrate/equations/equation_system.hpp"
#include "integrate/equations/fixed_steps.hpp"
#include "integrate/equations/record_inputs.hpp"
#include "integrate/equations/record_writer.hpp"
#include "integrate/equations/switching.hpp"

namespace alembert::integrate {

namespace {

using model::EquationModel;
using model::NativeLoops;
using model::equations::EquationPoint;
using model::equations::RecordView;
using model::equations::SensitivityView;

// Copies of S that a method works with.
std::size_t sensitivity_copies(Integrator method) {
  return method == Integrator::DormandPrince ? 11 : 6;
}

void check_adaptive(const ode::AdaptiveSteps& steps, std::size_t states) {
  constexpr const char* kName = "EquationSimulator::simulate";
  if (steps.relative_tolerance) {
    check::positive(kName, "relative_tolerance", *steps.relative_tolerance);
  }
  check::positive(kName, "absolute_tolerance", steps.absolute_tolerance);
  check::non_negative(kName, "largest_step", steps.largest_step);
  if (steps.scales.empty()) return;
  check::size(kName, "scales", static_cast<long long>(steps.scales.size()),
              static_cast<long long>(states));
  for (const double scale : steps.scales) check::positive(kName, "scales", scale);
}

// Checks sizes and gives the record in the form of the loops.
RecordView checked(const EquationModel& model, const RecordTask& task, std::size_t start_size,
                   std::size_t y_size, std::size_t x_size) {
  constexpr const char* kName = "EquationSimulator::simulate";
  const auto length = [](std::size_t value) { return static_cast<long long>(value); };
  check::at_least(kName, "samples", length(task.samples), 1);
  check::at_least(kName, "substeps", length(task.substeps), 1);
  check::finite(kName, "start_time", task.start_time);
  check::positive(kName, "step", task.step);
  check::positive(kName, "newton_tolerance", task.newton_tolerance);
  const std::size_t rows =
      has_half_steps(task.between) ? 2 * task.substeps * (task.samples - 1) + 1 : task.samples;
  check::size(kName, "inputs", length(task.inputs.size()), length(rows * model.inputs().size()));
  check_adaptive(task.adaptive, model.states().size());
  check::size(kName, "x0", length(start_size), length(model.states().size()));
  check::size(kName, "y", length(y_size), length(task.samples * model.outputs().size()));
  if (x_size > 0) {
    check::size(kName, "x", length(x_size), length(task.samples * model.states().size()));
  }
  return {static_cast<long>(task.samples),
          static_cast<long>(task.substeps),
          task.start_time,
          task.step,
          has_half_steps(task.between)                     ? 2
          : task.between == signal::BetweenSamples::Linear ? 1
                                                           : 0,
          task.inputs.data(),
          task.newton_tolerance};
}

void check_sensitivities(const EquationModel& model, const RecordTask& task,
                         const RecordSensitivities& sensitivities) {
  constexpr const char* kName = "EquationSimulator::simulate";
  const auto length = [](std::size_t value) { return static_cast<long long>(value); };
  const std::size_t count = sensitivities.columns.size();
  check::at_least(kName, "sensitivities.columns", length(count), 1);
  check::size(kName, "sensitivities.start", length(sensitivities.start.size()),
              length(model.states().size() * count));
  check::size(kName, "sensitivities.outputs", length(sensitivities.outputs.size()),
              length(task.samples * model.outputs().size() * count));
  if (!sensitivities.states.empty()) {
    check::size(kName, "sensitivities.states", length(sensitivities.states.size()),
                length(task.samples * model.states().size() * count));
  }
}

// The column of each parameter, or -1.
void find_columns(std::span<const int> columns, std::vector<int>& column_of_parameter) {
  std::fill(column_of_parameter.begin(), column_of_parameter.end(), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] < 0) {
      continue;
    }
    check::in_range("EquationSimulator::simulate", "sensitivities.columns", columns[k], 0.0,
                    static_cast<double>(column_of_parameter.size()) - 1.0);
    int& column = column_of_parameter[static_cast<std::size_t>(columns[k])];
    if (column >= 0) {
      throw InvalidInput({.function = "EquationSimulator::simulate",
                          .argument = "sensitivities.columns",
                          .rule = "must differ",
                          .value = fmt::format("{} twice", columns[k])});
    }
    column = static_cast<int>(k);
  }
}

}  // namespace

bool has_stiff_integrator() { return ode::has_stiff_method(); }

EquationSimulator::EquationSimulator(const model::CompiledEquations& compiled)
    : EquationEvaluator(compiled),
      newmark_(model::detail::newmark_layout(model().states().size(), model().second_order())),
      work_(ode::RungeKutta4::work_room(model().states().size()) +
            RecordInputs::room(model().inputs().size())) {}

std::size_t EquationSimulator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x) {
  check_parameters("simulate");
  const RecordView record = checked(model(), task, x0.size(), y.size(), x.size());
  return run(task, record, x0.data(), {y.data(), x.empty() ? nullptr : x.data()}, nullptr);
}

std::size_t EquationSimulator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x,
                                        const RecordSensitivities& sensitivities) {
  check_parameters("simulate");
  const RecordView record = checked(model(), task, x0.size(), y.size(), x.size());
  check_sensitivities(model(), task, sensitivities);
  const SensitivityView view = view_of(task, sensitivities);
  return run(task, record, x0.data(), {y.data(), x.empty() ? nullptr : x.data()}, &view);
}

SensitivityView EquationSimulator::view_of(const RecordTask& task,
                                           const RecordSensitivities& sensitivities) {
  column_of_parameter_.resize(model().parameters().size());
  find_columns(sensitivities.columns, column_of_parameter_);
  const std::size_t nx = model().states().size();
  const std::size_t count = sensitivities.columns.size();
  const std::size_t stride = (count + 3) / 4 * 4;  // whole vector registers
  sensitivity_work_.assign(sensitivity_copies(task.method) * nx * stride, 0.0);
  for (std::size_t i = 0; i < nx; ++i) {
    std::copy_n(sensitivities.start.data() + i * count, count,
                sensitivity_work_.data() + i * stride);
  }
  return {static_cast<long>(count),
          static_cast<long>(stride),
          column_of_parameter_.data(),
          sensitivity_work_.data(),
          sensitivities.outputs.data(),
          sensitivities.states.empty() ? nullptr : sensitivities.states.data()};
}

std::size_t EquationSimulator::run(const RecordTask& task, const RecordView& record,
                                   const double* x0, const Results& results,
                                   const SensitivityView* view) {
  const bool stepless = model().states().empty();  // nothing to integrate
  const Integrator method = stepless ? Integrator::RungeKutta4 : task.method;
  switch (method) {
    case Integrator::Newmark:
      return static_cast<std::size_t>(run_newmark(record, x0, results, view));
    case Integrator::DormandPrince:
      return static_cast<std::size_t>(run_adaptive(task, record, x0, results, view));
    case Integrator::Stiff:
      return static_cast<std::size_t>(run_stiff(task, record, x0, results, view));
    case Integrator::RungeKutta4:
      break;
  }
  return static_cast<std::size_t>(run_runge_kutta(record, x0, results, view));
}

long EquationSimulator::run_runge_kutta(const RecordView& record, const double* x0,
                                        const Results& results, const SensitivityView* view) {
  if (const auto done = run_native(NativeLoops::RungeKutta4, record, x0, results.y, results.x, view,
                                   work_.data())) {
    return *done;
  }
  EquationSystem system(point(), view);
  RecordInputs inputs(record, model().inputs().size(), work_.data());
  RecordWriter writer(point(), inputs, view, results.y, results.x);
  ode::RungeKutta4 method(system, work_.data() + RecordInputs::room(inputs.count()),
                          sensitivity_work_.data());
  std::copy_n(x0, system.states(), method.state());
  return run_fixed_steps(method, record, inputs, writer);
}

long EquationSimulator::run_newmark(const RecordView& record, const double* x0,
                                    const Results& results, const SensitivityView* view) {
  EquationSystem system(point(), view);
  if (pattern_.empty()) pattern_ = system.jacobian_pattern();
  const std::size_t room = ode::Newmark::work_room(newmark_, pattern_.size());
  work_.resize(std::max(work_.size(), room + RecordInputs::room(model().inputs().size())));
  pivots_.resize(newmark_.unknowns());
  if (const auto done =
          run_native(NativeLoops::Newmark, record, x0, results.y, results.x, view, work_.data())) {
    return *done;
  }
  RecordInputs inputs(record, model().inputs().size(), work_.data() + room);
  RecordWriter writer(point(), inputs, view, results.y, results.x);
  ode::Newmark method(system, newmark_, pattern_, work_.data(), pivots_.data(),
                      sensitivity_work_.data());
  std::copy_n(x0, system.states(), method.state());
  return run_fixed_steps(method, record, inputs, writer);
}

long EquationSimulator::run_adaptive(const RecordTask& task, const RecordView& record,
                                     const double* x0, const Results& results,
                                     const SensitivityView* view) {
  EquationSystem system(point(), view);
  const std::size_t room = ode::AdaptiveRun::work_room(system.states());
  const std::size_t count = model().inputs().size();
  work_.resize(std::max(work_.size(), room + RecordInputs::room(count)));
  RecordInputs inputs(record, count, work_.data() + room);
  RecordWriter writer(point(), inputs, view, results.y, results.x);
  ode::AdaptiveRun simulation(system, count > 0 ? &inputs : nullptr,
                              {record.start_time, record.step, record.samples}, task.adaptive,
                              writer, work_.data(), sensitivity_work_.data());
  if (!task.events) return simulation.run(x0);
  if (!kinks_) kinks_.emplace(model());
  if (kinks_->switches() == 0) return simulation.run(x0);
  kinks_->set_parameters(parameters());
  switch_work_.resize(Switching::room(*kinks_, view));
  Switching switching(*kinks_, view, switch_work_.data());
  simulation.watch(switching);
  return simulation.run(x0);
}

long EquationSimulator::run_stiff(const RecordTask& task, const RecordView& record,
                                  const double* x0, const Results& results,
                                  const SensitivityView* view) {
  if (!has_stiff_integrator()) {
    throw InvalidInput({.function = "EquationSimulator::simulate",
                        .rule = "method = Stiff needs SUNDIALS (Debian: libsundials-dev), and this "
                                "program was built without it"});
  }
  EquationSystem system(point(), view);
  const std::size_t count = model().inputs().size();
  RecordInputs inputs(record, count, work_.data());
  RecordWriter writer(point(), inputs, view, results.y, results.x);
  std::vector<double> sizes(view == nullptr ? 0 : static_cast<std::size_t>(view->count), 1.0);
  for (std::size_t k = 0; view != nullptr && k < parameters().size(); ++k) {
    const int column = view->column_of_parameter[k];
    const double value = parameters()[k];
    if (column >= 0 && value != 0.0 && std::isfinite(value)) {
      sizes[static_cast<std::size_t>(column)] = std::fabs(value);
    }
  }
  return ode::stiff_run(system, count > 0 ? &inputs : nullptr,
                        {record.start_time, record.step, record.samples}, task.adaptive, writer, x0,
                        {sensitivity_work_.data(), sizes});
}

}  // namespace alembert::integrate
