#include "model/equations/interpreter/batch.hpp"

#include <algorithm>

namespace alembert::model::equations {

namespace {

constexpr std::size_t kPoints = BatchEvaluator::kPoints;

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

BatchEvaluator::BatchEvaluator(const Program& program)
    : program_(program),
      tapes_(make_tapes(program)),
      tape_(without_inputs(tapes_.f_jacobians, tapes_)),
      lanes_(tapes_.size * kPoints, 0.0),
      scalars_(tapes_.size, 0.0) {
  for (std::size_t k = 0; k < tapes_.constants.size(); ++k) spread(k, tapes_.constants[k]);
  if (program.parameters.empty()) set_parameters({});
}

void BatchEvaluator::spread(std::size_t slot, double value) {
  scalars_[slot] = value;
  std::fill_n(lane(slot), kPoints, value);
}

void BatchEvaluator::set_parameters(std::span<const double> parameters) {
  std::copy(parameters.begin(), parameters.end(), scalars_.begin() + tapes_.parameter_slot);
  equations::run(tapes_.prepare, program_.graph.curves(), scalars_.data());
  for (std::size_t k = tapes_.parameter_slot; k < tapes_.time_slot; ++k) spread(k, scalars_[k]);
}

void BatchEvaluator::run(std::size_t count) {
  for (const Instruction& i : tape_.code) {
    run_block(i, program_.graph.curves(), lanes_.data(), count);
  }
}

const double* BatchEvaluator::find(const std::vector<EntrySlot>& entries, std::size_t row,
                                   std::size_t column) const {
  for (const EntrySlot& entry : entries) {
    if (entry.row == row && entry.column == column) return lane(entry.slot);
  }
  return nullptr;
}

}  // namespace alembert::model::equations
