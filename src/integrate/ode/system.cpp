#include "alembert/integrate/ode/system.hpp"

#include "alembert/core/error.hpp"

namespace alembert::integrate::ode {

namespace {

[[noreturn]] void is_missing(const char* function) {
  throw InvalidInput({.function = "ode::System",
                      .argument = function,
                      .rule = "must be given for this method",
                      .value = "none"});
}

}  // namespace

void System::sensitive_derivative(double, const double*, const double*, const double*, double*,
                                  double*) {
  is_missing("sensitive_derivative");
}

std::vector<MatrixPlace> System::jacobian_pattern() const {
  std::vector<MatrixPlace> places;
  const auto n = static_cast<std::uint32_t>(states());
  for (std::uint32_t row = 0; row < n; ++row) {
    for (std::uint32_t column = 0; column < n; ++column) places.emplace_back(row, column);
  }
  return places;
}

void System::jacobian(double, const double*, const double*, double*, double*) {
  is_missing("jacobian");
}

void System::slopes(double, const double*, const double*, double*, double*) {
  is_missing("slopes");
}

}  // namespace alembert::integrate::ode
