#include "alembert/integrate/ode/dormand_prince.hpp"

#include <algorithm>
#include <array>

namespace alembert::integrate::ode {

namespace {

constexpr std::array<double, 7> kNodes{0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};

using Row = std::array<double, 6>;
constexpr std::array<Row, 7> kFactors{
    Row{},
    Row{1.0 / 5},
    Row{3.0 / 40, 9.0 / 40},
    Row{44.0 / 45, -56.0 / 15, 32.0 / 9},
    Row{19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    Row{9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    Row{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

// Order 5 minus order 4.
constexpr std::array<double, 7> kError{71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

// The last term of the continuous extension.
constexpr std::array<double, 7> kDense{
    -12715105075.0 / 11282082432.0,  0.0,
    87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0};

}  // namespace

DormandPrince::DormandPrince(std::size_t states, std::size_t sensitivities)
    : memory_(room(states) + room(sensitivities)) {
  place(states, sensitivities, memory_.data(), memory_.data() + room(states));
}

DormandPrince::DormandPrince(std::size_t states, std::size_t sensitivities, double* work,
                             double* sensitivity_work) {
  place(states, sensitivities, work, sensitivity_work);
}

void DormandPrince::place(std::size_t states, std::size_t sensitivities, double* work,
                          double* more) {
  const auto part = [](std::size_t size, double* memory) {
    return Part{size, memory, memory + size, memory + 2 * size, memory + 3 * size};
  };
  x_ = part(states, work);
  if (sensitivities > 0) s_ = part(sensitivities, more);
}

void DormandPrince::Part::sum(const double* factors, int count, double* target) const {
  for (std::size_t i = 0; i < size; ++i) target[i] = factors[0] * stages[i];
  for (int j = 1; j < count; ++j) {
    const double* stage = stages + static_cast<std::size_t>(j) * size;
    const double factor = factors[j];
    if (factor == 0.0) continue;
    for (std::size_t i = 0; i < size; ++i) target[i] += factor * stage[i];
  }
}

void DormandPrince::Part::combine(const double* factors, int count, double h,
                                  double* target) const {
  sum(factors, count, target);
  for (std::size_t i = 0; i < size; ++i) target[i] = start[i] + h * target[i];
}

void DormandPrince::evaluate(System& system, std::size_t number, double t, const double* x,
                             const double* s, const double* u) {
  double* dx = x_.stages + number * x_.size;
  if (s_.size > 0) {
    system.sensitive_derivative(t, x, u, s, dx, s_.stages + number * s_.size);
  } else {
    system.derivative(t, x, u, dx);
  }
}

void DormandPrince::begin(System& system, double t, const PresentInputs& inputs) {
  evaluate(system, 0, t, x_.start, s_.start, inputs.at(t));
}

void DormandPrince::step(System& system, double t, double h, const PresentInputs& inputs) {
  h_ = h;
  for (int number = 1; number < 7; ++number) {
    const auto n = static_cast<std::size_t>(number);
    const double* factors = kFactors[n].data();
    const bool last = number == 6;
    double* x = last ? x_.end : x_.point;
    double* s = last ? s_.end : s_.point;
    x_.combine(factors, number, h, x);
    if (s_.size > 0) s_.combine(factors, number, h, s);
    const double at = t + kNodes[n] * h;
    evaluate(system, n, at, x, s, inputs.at(at));
  }
}

double DormandPrince::error(std::size_t i) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < kError.size(); ++j) sum += kError[j] * x_.stages[j * x_.size + i];
  return h_ * sum;
}

// x + θ (Δ + (1 - θ) (b + θ (c + (1 - θ) d)))
void DormandPrince::Part::between(double h, double place, double* target) const {
  const double rest = 1.0 - place;
  sum(kDense.data(), 7, target);
  for (std::size_t i = 0; i < size; ++i) {
    const double rise = end[i] - start[i];
    const double b = h * stages[i] - rise;
    const double c = rise - h * stages[6 * size + i] - b;
    target[i] = start[i] + place * (rise + rest * (b + place * (c + rest * (h * target[i]))));
  }
}

void DormandPrince::between(double place, double* x, double* s) const {
  x_.between(h_, place, x);
  if (s != nullptr) s_.between(h_, place, s);
}

void DormandPrince::move_to(double place) {
  for (Part* part : {&x_, &s_}) {
    part->between(h_, place, part->point);
    std::copy_n(part->point, part->size, part->start);
  }
}

void DormandPrince::accept() {
  for (Part* part : {&x_, &s_}) {
    std::copy_n(part->end, part->size, part->start);
    std::copy_n(part->stages + 6 * part->size, part->size, part->stages);
  }
}

}  // namespace alembert::integrate::ode
