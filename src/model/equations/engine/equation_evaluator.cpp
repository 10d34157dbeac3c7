#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/model/equation_engine.hpp"
#include "model/equations/engine/engine_content.hpp"

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

}  // namespace

EquationEvaluator::EquationEvaluator(const CompiledEquations& compiled)
    : content_(compiled.content()), registers_(content_->tapes.size) {
  std::copy(content_->tapes.constants.begin(), content_->tapes.constants.end(), registers_.begin());
  has_parameters_ = content_->model.parameters().empty();
}

void EquationEvaluator::check_parameters(const char* function) const {
  if (!has_parameters_) {
    throw InvalidInput({.function = fmt::format("EquationEvaluator::{}", function),
                        .argument = "set_parameters",
                        .rule = "must come first",
                        .value = "none"});
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

// What of the start depends on inputs; the rest was prepared with the parameters.
void EquationEvaluator::run_start(std::span<const double> inputs) {
  const Tape& tape = content_->tapes.start;
  if (tape.code.empty() && !content_->model.start_uses_inputs()) return;
  check::size("EquationEvaluator::start", "inputs", static_cast<long long>(inputs.size()),
              static_cast<long long>(content_->model.inputs().size()));
  std::copy(inputs.begin(), inputs.end(), registers_.data() + content_->tapes.input_slot);
  equations::run(tape, content_->model.program().graph.curves(), registers_.data());
}

void EquationEvaluator::start(std::span<double> x, std::span<const double> inputs) {
  const Tape& tape = content_->tapes.start;
  check::size("EquationEvaluator::start", "x", static_cast<long long>(x.size()),
              static_cast<long long>(tape.values.size()));
  check_parameters("start");
  run_start(inputs);
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    x[k] = registers_[tape.values[k]];
  }
}

void EquationEvaluator::start(EquationJacobians& result, std::span<const double> inputs) {
  check_parameters("start");
  check_room("EquationEvaluator::start", result, content_->model.states().size(),
             content_->model.program());
  run_start(inputs);
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

const EquationModel& EquationEvaluator::model() const { return content_->model; }

std::span<const double> EquationEvaluator::parameters() const {
  return {registers_.data() + content_->tapes.parameter_slot, content_->model.parameters().size()};
}

equations::EquationPoint EquationEvaluator::point() {
  return {content_->model.program(), content_->tapes,
          content_->native ? &content_->native->functions() : nullptr, registers_.data()};
}

std::optional<long> EquationEvaluator::run_native(NativeLoops loops,
                                                  const equations::RecordView& record,
                                                  const double* x0, double* y, double* xs,
                                                  const equations::SensitivityView* view,
                                                  double* room) {
  const NativeFunctions* native = content_->native_loops(loops);
  if (native == nullptr) return std::nullopt;
  const double* p = registers_.data() + content_->tapes.parameter_slot;
  const double* w = registers_.data() + content_->tapes.prepared_slot;
  const equations::SensitivityView none;
  const equations::SensitivityView& s = view == nullptr ? none : *view;
  if (loops == NativeLoops::Newmark) {
    return native->newmark(&record, p, w, x0, y, xs, s.count, s.stride, s.column_of_parameter,
                           s.work, s.outputs, s.states, room);
  }
  if (view == nullptr) return native->simulate(&record, p, w, x0, y, xs);
  return native->simulate_sensitivities(&record, p, w, x0, y, xs, s.count, s.stride,
                                        s.column_of_parameter, s.work, s.outputs, s.states);
}

}  // namespace alembert::model
