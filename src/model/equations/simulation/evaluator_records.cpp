#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "model/equations/simulation/adaptive_record.hpp"
#include "model/equations/simulation/stiff_record.hpp"

namespace alembert::model {

namespace {

using equations::NativeFunctions;
using equations::RecordView;
using equations::SensitivityView;

void check_adaptive(const AdaptiveSteps& steps, std::size_t states) {
  constexpr const char* kName = "EquationEvaluator::simulate";
  check::positive(kName, "relative_tolerance", steps.relative_tolerance);
  check::positive(kName, "absolute_tolerance", steps.absolute_tolerance);
  check::non_negative(kName, "largest_step", steps.largest_step);
  if (steps.scales.empty()) return;
  check::size(kName, "scales", static_cast<long long>(steps.scales.size()),
              static_cast<long long>(states));
  for (const double scale : steps.scales) check::positive(kName, "scales", scale);
}

// Checks sizes and gives the record in the form of the loops.
equations::RecordView checked(const EquationModel& model, const RecordTask& task,
                              std::size_t start_size, std::size_t y_size, std::size_t x_size) {
  constexpr const char* kName = "EquationEvaluator::simulate";
  const auto length = [](std::size_t value) { return static_cast<long long>(value); };
  check::at_least(kName, "samples", length(task.samples), 1);
  check::at_least(kName, "substeps", length(task.substeps), 1);
  check::finite(kName, "start_time", task.start_time);
  check::positive(kName, "step", task.step);
  check::positive(kName, "newton_tolerance", task.newton_tolerance);
  const std::size_t rows = task.between == InputBetweenSamples::HalfSteps
                               ? 2 * task.substeps * (task.samples - 1) + 1
                               : task.samples;
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
          static_cast<int>(task.between),
          task.inputs.data(),
          task.newton_tolerance};
}

void check_sensitivities(const EquationModel& model, const RecordTask& task,
                         const RecordSensitivities& sensitivities) {
  constexpr const char* kName = "EquationEvaluator::simulate";
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
    check::in_range("EquationEvaluator::simulate", "sensitivities.columns", columns[k], 0.0,
                    static_cast<double>(column_of_parameter.size()) - 1.0);
    int& column = column_of_parameter[static_cast<std::size_t>(columns[k])];
    if (column >= 0) {
      throw InvalidInput({.function = "EquationEvaluator::simulate",
                          .argument = "sensitivities.columns",
                          .rule = "must differ",
                          .value = fmt::format("{} twice", columns[k])});
    }
    column = static_cast<int>(k);
  }
}

}  // namespace

bool has_stiff_integrator() { return equations::has_stiff_method(); }

std::size_t EquationEvaluator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x) {
  check_parameters("simulate");
  const RecordView record = checked(content_->model, task, x0.size(), y.size(), x.size());
  return run(task, record, x0.data(), y.data(), x.empty() ? nullptr : x.data(), nullptr);
}

std::size_t EquationEvaluator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x,
                                        const RecordSensitivities& sensitivities) {
  check_parameters("simulate");
  const EquationModel& model = content_->model;
  const RecordView record = checked(model, task, x0.size(), y.size(), x.size());
  check_sensitivities(model, task, sensitivities);
  column_of_parameter_.resize(model.parameters().size());
  find_columns(sensitivities.columns, column_of_parameter_);
  const std::size_t nx = model.states().size();
  const std::size_t count = sensitivities.columns.size();
  const std::size_t stride = (count + 3) / 4 * 4;  // whole vector registers
  sensitivity_work_.assign(equations::sensitivity_rows(task.method) * nx * stride, 0.0);
  for (std::size_t i = 0; i < nx; ++i) {
    std::copy_n(sensitivities.start.data() + i * count, count,
                sensitivity_work_.data() + i * stride);
  }
  const SensitivityView view{static_cast<long>(count),
                             static_cast<long>(stride),
                             column_of_parameter_.data(),
                             sensitivity_work_.data(),
                             sensitivities.outputs.data(),
                             sensitivities.states.empty() ? nullptr : sensitivities.states.data()};
  return run(task, record, x0.data(), y.data(), x.empty() ? nullptr : x.data(), &view);
}

std::size_t EquationEvaluator::run(const RecordTask& task, const RecordView& record,
                                   const double* x0, double* y, double* xs,
                                   const SensitivityView* view) {
  const bool stepless = content_->model.states().empty();  // nothing to integrate
  const Integrator method = stepless ? Integrator::RungeKutta4 : task.method;
  switch (method) {
    case Integrator::Newmark:
      return static_cast<std::size_t>(run_newmark(record, x0, y, xs, view));
    case Integrator::DormandPrince:
      return static_cast<std::size_t>(run_adaptive(task, record, x0, y, xs, view));
    case Integrator::Stiff:
      return static_cast<std::size_t>(run_stiff(task, record, x0, y, xs, view));
    case Integrator::RungeKutta4:
      break;
  }
  return static_cast<std::size_t>(run_runge_kutta(record, x0, y, xs, view));
}

long EquationEvaluator::run_runge_kutta(const RecordView& record, const double* x0, double* y,
                                        double* xs, const SensitivityView* view) {
  const NativeFunctions* native = content_->native_loops(Integrator::RungeKutta4);
  if (native == nullptr) {
    return equations::simulate_record(*content_, record, x0, y, xs, view, registers_.data(),
                                      work_.data());
  }
  const double* p = registers_.data() + content_->tapes.parameter_slot;
  const double* w = registers_.data() + content_->tapes.prepared_slot;
  return view == nullptr ? native->simulate(&record, p, w, x0, y, xs)
                         : native->simulate_sensitivities(&record, p, w, x0, y, xs, view->count,
                                                          view->stride, view->column_of_parameter,
                                                          view->work, view->outputs, view->states);
}

long EquationEvaluator::run_newmark(const RecordView& record, const double* x0, double* y,
                                    double* xs, const SensitivityView* view) {
  work_.resize(std::max(work_.size(), equations::newmark_room(content_->newmark)));
  pivots_.resize(content_->newmark.unknowns());
  const NativeFunctions* native = content_->native_loops(Integrator::Newmark);
  if (native == nullptr) {
    return equations::newmark_record(*content_, record, x0, y, xs, view, registers_.data(),
                                     work_.data(), pivots_.data());
  }
  const SensitivityView none;
  const SensitivityView& s_view = view == nullptr ? none : *view;
  return native->newmark(&record, registers_.data() + content_->tapes.parameter_slot,
                         registers_.data() + content_->tapes.prepared_slot, x0, y, xs, s_view.count,
                         s_view.stride, s_view.column_of_parameter, s_view.work, s_view.outputs,
                         s_view.states, work_.data());
}

long EquationEvaluator::run_adaptive(const RecordTask& task, const RecordView& record,
                                     const double* x0, double* y, double* xs,
                                     const SensitivityView* view) {
  const equations::Program& program = content_->model.program();
  work_.resize(std::max(work_.size(), equations::adaptive_room(program)));
  equations::PointEvaluator point(program, content_->tapes,
                                  content_->native ? &content_->native->functions() : nullptr,
                                  registers_.data());
  equations::AdaptiveRecord simulation(program, point, record, task.adaptive, view, {y, xs},
                                       work_.data());
  if (task.adaptive.events) {
    if (prepare_frozen(); frozen_->switches() > 0) {
      switch_work_.resize(equations::Switching::room(*frozen_, view));
      simulation.find_kinks(*frozen_, frozen_registers_.data(), switch_work_.data());
    }
  }
  return simulation.run(x0);
}

long EquationEvaluator::run_stiff(const RecordTask& task, const RecordView& record,
                                  const double* x0, double* y, double* xs,
                                  const SensitivityView* view) {
  const equations::Program& program = content_->model.program();
  equations::PointEvaluator point(program, content_->tapes,
                                  content_->native ? &content_->native->functions() : nullptr,
                                  registers_.data());
  return equations::stiff_record(program, point, registers_.data() + content_->tapes.parameter_slot,
                                 record, task.adaptive, view, {y, xs}, x0);
}

// The model with held kinks, for the present parameters.
void EquationEvaluator::prepare_frozen() {
  if (!frozen_) {
    frozen_ = std::make_shared<const equations::FrozenModel>(
        equations::freeze(content_->model.program()));
  }
  const equations::TapeSet& tapes = frozen_->tapes;
  frozen_registers_.resize(tapes.size);
  std::copy(tapes.constants.begin(), tapes.constants.end(), frozen_registers_.begin());
  std::copy_n(registers_.data() + content_->tapes.parameter_slot,
              content_->model.parameters().size(), frozen_registers_.data() + tapes.parameter_slot);
  equations::run(tapes.prepare, frozen_->program.graph.curves(), frozen_registers_.data());
}

}  // namespace alembert::model
