#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "model/equations/engine_content.hpp"

namespace alembert::model {

namespace {

using equations::EntrySlot;
using equations::NativeFunctions;
using equations::Tape;

EquationJacobians room_for(std::size_t rows, const equations::Program& program) {
  return {std::vector<double>(rows), std::vector<double>(rows * program.states.size()),
          std::vector<double>(rows * program.inputs.size()),
          std::vector<double>(rows * program.parameters.size())};
}

// Sizes of what the caller hands in: the results are written without further looks at them.
void check_room(const char* function, const EquationJacobians& room, std::size_t rows,
                const equations::Program& program) {
  const auto size = [function](const char* name, const std::vector<double>& values,
                               std::size_t expected) {
    check::size(function, name, static_cast<long long>(values.size()),
                static_cast<long long>(expected));
  };
  size("result.values", room.values, rows);
  size("result.by_state", room.by_state, rows * program.states.size());
  size("result.by_input", room.by_input, rows * program.inputs.size());
  size("result.by_parameter", room.by_parameter, rows * program.parameters.size());
}

void copy_entries(const std::vector<EntrySlot>& entries, const double* registers, std::size_t rows,
                  double* matrix) {
  for (const EntrySlot& entry : entries) {
    matrix[entry.column * rows + entry.row] = registers[entry.slot];
  }
}

void copy_results(const Tape& tape, const double* registers, EquationJacobians& result) {
  const std::size_t rows = tape.values.size();
  for (std::size_t k = 0; k < rows; ++k) {
    result.values[k] = registers[tape.values[k]];
  }
  copy_entries(tape.by_state, registers, rows, result.by_state.data());
  copy_entries(tape.by_input, registers, rows, result.by_input.data());
  copy_entries(tape.by_parameter, registers, rows, result.by_parameter.data());
}

void set_point(const CompiledEquations::Content& content, double t, const double* x,
               const double* u, double* registers) {
  registers[content.tapes.time_slot] = t;
  std::copy_n(x, content.model.states().size(), registers + content.tapes.state_slot);
  std::copy_n(u, content.model.inputs().size(), registers + content.tapes.input_slot);
}

void evaluate_values(const CompiledEquations::Content& content, const Tape& tape,
                     NativeFunctions::Values native, double t, const double* x, const double* u,
                     double* registers, double* result) {
  if (native != nullptr) {
    native(t, x, u, registers + content.tapes.parameter_slot,
           registers + content.tapes.prepared_slot, result);
    return;
  }
  set_point(content, t, x, u, registers);
  equations::run(tape, content.model.program().graph.curves(), registers);
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    result[k] = registers[tape.values[k]];
  }
}

void evaluate_jacobians(const CompiledEquations::Content& content, const Tape& tape,
                        NativeFunctions::Jacobians native, double t, const double* x,
                        const double* u, double* registers, EquationJacobians& result) {
  if (native != nullptr) {
    native(t, x, u, registers + content.tapes.parameter_slot,
           registers + content.tapes.prepared_slot, result.values.data(), result.by_state.data(),
           result.by_input.data(), result.by_parameter.data());
    return;
  }
  set_point(content, t, x, u, registers);
  equations::run(tape, content.model.program().graph.curves(), registers);
  copy_results(tape, registers, result);
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
  const std::size_t rows = task.between == InputBetweenSamples::HalfSteps
                               ? 2 * task.substeps * (task.samples - 1) + 1
                               : task.samples;
  check::size(kName, "inputs", length(task.inputs.size()), length(rows * model.inputs().size()));
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
          task.inputs.data()};
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

}  // namespace

EquationEvaluator::EquationEvaluator(const CompiledEquations& compiled)
    : content_(compiled.content()),
      registers_(content_->tapes.size),
      work_(equations::stage_room(content_->model.program())) {
  std::copy(content_->tapes.constants.begin(), content_->tapes.constants.end(), registers_.begin());
  has_parameters_ = content_->model.parameters().empty();
}

void EquationEvaluator::check_parameters(const char* function) const {
  if (!has_parameters_) {
    throw InvalidInput(
        fmt::format("EquationEvaluator::{}: set_parameters must come first, got none", function));
  }
}

void EquationEvaluator::set_parameters(std::span<const double> parameters) {
  check::size("EquationEvaluator::set_parameters", "parameters",
              static_cast<long long>(parameters.size()),
              static_cast<long long>(content_->model.parameters().size()));
  double* p = registers_.data() + content_->tapes.parameter_slot;
  std::copy(parameters.begin(), parameters.end(), p);
  has_parameters_ = true;
  if (content_->native) {
    content_->native->functions().prepare(p, registers_.data() + content_->tapes.prepared_slot);
  } else {
    equations::run(content_->tapes.prepare, content_->model.program().graph.curves(),
                   registers_.data());
  }
}

void EquationEvaluator::start(std::span<double> x) const {
  const Tape& tape = content_->tapes.start;
  check::size("EquationEvaluator::start", "x", static_cast<long long>(x.size()),
              static_cast<long long>(tape.values.size()));
  check_parameters("start");
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    x[k] = registers_[tape.values[k]];
  }
}

void EquationEvaluator::start(EquationJacobians& result) const {
  check_parameters("start");
  check_room("EquationEvaluator::start", result, content_->model.states().size(),
             content_->model.program());
  copy_results(content_->tapes.start, registers_.data(), result);
}

void EquationEvaluator::derivatives(double t, const double* x, const double* u, double* dx) {
  check_parameters("derivatives");
  evaluate_values(*content_, content_->tapes.f,
                  content_->native ? content_->native->functions().f : nullptr, t, x, u,
                  registers_.data(), dx);
}

void EquationEvaluator::derivatives(double t, const double* x, const double* u,
                                    EquationJacobians& result) {
  check_parameters("derivatives");
  check_room("EquationEvaluator::derivatives", result, content_->model.states().size(),
             content_->model.program());
  evaluate_jacobians(*content_, content_->tapes.f_jacobians,
                     content_->native ? content_->native->functions().f_jacobians : nullptr, t, x,
                     u, registers_.data(), result);
}

void EquationEvaluator::outputs(double t, const double* x, const double* u, double* y) {
  check_parameters("outputs");
  evaluate_values(*content_, content_->tapes.g,
                  content_->native ? content_->native->functions().g : nullptr, t, x, u,
                  registers_.data(), y);
}

void EquationEvaluator::outputs(double t, const double* x, const double* u,
                                EquationJacobians& result) {
  check_parameters("outputs");
  check_room("EquationEvaluator::outputs", result, content_->model.outputs().size(),
             content_->model.program());
  evaluate_jacobians(*content_, content_->tapes.g_jacobians,
                     content_->native ? content_->native->functions().g_jacobians : nullptr, t, x,
                     u, registers_.data(), result);
}

EquationJacobians EquationEvaluator::start_jacobians() const {
  return room_for(content_->model.states().size(), content_->model.program());
}

EquationJacobians EquationEvaluator::derivative_jacobians() const {
  return room_for(content_->model.states().size(), content_->model.program());
}

EquationJacobians EquationEvaluator::output_jacobians() const {
  return room_for(content_->model.outputs().size(), content_->model.program());
}

std::size_t EquationEvaluator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x) {
  check_parameters("simulate");
  const equations::RecordView record =
      checked(content_->model, task, x0.size(), y.size(), x.size());
  double* states = x.empty() ? nullptr : x.data();
  const equations::TapeSet& tapes = content_->tapes;
  const long done = content_->native
                        ? content_->native->functions().simulate(
                              &record, registers_.data() + tapes.parameter_slot,
                              registers_.data() + tapes.prepared_slot, x0.data(), y.data(), states)
                        : equations::simulate_record(*content_, record, x0.data(), y.data(), states,
                                                     nullptr, registers_.data(), work_.data());
  return static_cast<std::size_t>(done);
}

std::size_t EquationEvaluator::simulate(const RecordTask& task, std::span<const double> x0,
                                        std::span<double> y, std::span<double> x,
                                        const RecordSensitivities& sensitivities) {
  check_parameters("simulate");
  const EquationModel& model = content_->model;
  const equations::RecordView record = checked(model, task, x0.size(), y.size(), x.size());
  check_sensitivities(model, task, sensitivities);
  const std::size_t nx = model.states().size();
  const std::size_t count = sensitivities.columns.size();
  const std::size_t stride = (count + 3) / 4 * 4;  // whole vector registers
  column_of_parameter_.assign(model.parameters().size(), -1);
  for (std::size_t k = 0; k < count; ++k) {
    const int parameter = sensitivities.columns[k];
    if (parameter < 0) {
      continue;
    }
    check::in_range("EquationEvaluator::simulate", "sensitivities.columns", parameter, 0.0,
                    static_cast<double>(model.parameters().size()) - 1.0);
    int& column = column_of_parameter_[static_cast<std::size_t>(parameter)];
    if (column >= 0) {
      throw InvalidInput(fmt::format(
          "EquationEvaluator::simulate: sensitivities.columns must differ, got {} twice",
          parameter));
    }
    column = static_cast<int>(k);
  }
  const std::size_t room = equations::stage_room(model.program());
  work_.assign(room + 6 * nx * stride, 0.0);
  for (std::size_t i = 0; i < nx; ++i) {
    std::copy_n(sensitivities.start.data() + i * count, count, work_.data() + room + i * stride);
  }
  const equations::SensitivityView view{
      static_cast<long>(count),
      static_cast<long>(stride),
      column_of_parameter_.data(),
      work_.data() + room,
      sensitivities.outputs.data(),
      sensitivities.states.empty() ? nullptr : sensitivities.states.data()};
  double* states = x.empty() ? nullptr : x.data();
  const equations::TapeSet& tapes = content_->tapes;
  const long done =
      content_->native
          ? content_->native->functions().simulate_sensitivities(
                &record, registers_.data() + tapes.parameter_slot,
                registers_.data() + tapes.prepared_slot, x0.data(), y.data(), states, view.count,
                view.stride, view.column_of_parameter, view.work, view.outputs, view.states)
          : equations::simulate_record(*content_, record, x0.data(), y.data(), states, &view,
                                       registers_.data(), work_.data());
  return static_cast<std::size_t>(done);
}

}  // namespace alembert::model
