#include "alembert/model/equation_batch.hpp"

#include <algorithm>

#include "model/equations/interpreter/tape.hpp"

namespace alembert::model {

namespace equations {
namespace {

constexpr std::size_t kPoints = EquationBatch::kPoints;

template <typename Function>
void each(double* target, const double* a, std::size_t count, Function function) {
  for (std::size_t i = 0; i < count; ++i) target[i] = function(a[i]);
}

template <typename Function>
void each(double* target, const double* a, const double* b, std::size_t count, Function function) {
  for (std::size_t i = 0; i < count; ++i) target[i] = function(a[i], b[i]);
}

void run_block(const Instruction& i, const std::vector<Curve>& curves, double* lanes,
               std::size_t n) {
  double* target = lanes + i.target * kPoints;
  const double* a = lanes + i.a * kPoints;
  const bool table = i.op == Op::Table || i.op == Op::TableSlope;
  const double* b = table ? a : lanes + i.b * kPoints;
  const double* c = lanes + i.c * kPoints;
  switch (i.op) {
    case Op::Add:
      return each(target, a, b, n, [](double x, double y) { return x + y; });
    case Op::Sub:
      return each(target, a, b, n, [](double x, double y) { return x - y; });
    case Op::Mul:
      return each(target, a, b, n, [](double x, double y) { return x * y; });
    case Op::Div:
      return each(target, a, b, n, [](double x, double y) { return x / y; });
    case Op::Neg:
      return each(target, a, n, [](double x) { return -x; });
    case Op::Abs:
      return each(target, a, n, [](double x) { return std::fabs(x); });
    case Op::Sign:
      return each(target, a, n, [](double x) { return sign_of(x); });
    default:
      break;
  }
  const Curve* curve = table ? &curves[i.b] : nullptr;
  for (std::size_t k = 0; k < n; ++k) target[k] = evaluate(i.op, a[k], b[k], c[k], curve);
}

}  // namespace
}  // namespace equations

struct EquationBatch::Code {
  explicit Code(const equations::Program& program)
      : tapes(equations::make_tapes(program)),
        tape(equations::without_inputs(tapes.f_jacobians, tapes)) {}

  equations::TapeSet tapes;
  equations::Tape tape;
};

namespace {

// The register of an entry, or -1.
long slot_of(const std::vector<equations::EntrySlot>& entries, std::size_t row,
             std::size_t column) {
  for (const equations::EntrySlot& entry : entries) {
    if (entry.row == row && entry.column == column) return static_cast<long>(entry.slot);
  }
  return -1;
}

}  // namespace

EquationBatch::EquationBatch(const EquationModel& model)
    : model_(model),
      code_(std::make_shared<const Code>(model.program())),
      lanes_(code_->tapes.size * kPoints, 0.0),
      scalars_(code_->tapes.size, 0.0) {
  const std::vector<double>& constants = code_->tapes.constants;
  for (std::size_t k = 0; k < constants.size(); ++k) spread(k, constants[k]);
  if (model.parameters().empty()) set_parameters({});
}

void EquationBatch::spread(std::size_t slot, double value) {
  scalars_[slot] = value;
  std::fill_n(lane(slot), kPoints, value);
}

void EquationBatch::set_parameters(std::span<const double> parameters) {
  const equations::TapeSet& tapes = code_->tapes;
  std::copy(parameters.begin(), parameters.end(), scalars_.begin() + tapes.parameter_slot);
  equations::run(tapes.prepare, model_.program().graph.curves(), scalars_.data());
  for (std::size_t k = tapes.parameter_slot; k < tapes.time_slot; ++k) spread(k, scalars_[k]);
}

double* EquationBatch::time() { return lane(code_->tapes.time_slot); }
double* EquationBatch::state(std::size_t k) { return lane(code_->tapes.state_slot + k); }
double* EquationBatch::input(std::size_t k) { return lane(code_->tapes.input_slot + k); }

void EquationBatch::run(std::size_t count) {
  for (const equations::Instruction& i : code_->tape.code) {
    equations::run_block(i, model_.program().graph.curves(), lanes_.data(), count);
  }
}

const double* EquationBatch::value(std::size_t row) const { return lane(code_->tape.values[row]); }

const double* EquationBatch::by_state(std::size_t row, std::size_t column) const {
  const long slot = slot_of(code_->tape.by_state, row, column);
  return slot < 0 ? nullptr : lane(static_cast<std::size_t>(slot));
}

const double* EquationBatch::by_parameter(std::size_t row, std::size_t column) const {
  const long slot = slot_of(code_->tape.by_parameter, row, column);
  return slot < 0 ? nullptr : lane(static_cast<std::size_t>(slot));
}

}  // namespace alembert::model
