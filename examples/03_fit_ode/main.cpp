// Gravity and drag of a falling ball from the distance that it has fallen.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/identify/equation_fit.hpp>
#include <cmath>

int main() {
  // The record: here the closed form s = ln cosh(t √(g c))/c with noise, else what was measured.
  const double g = 9.81, c = 0.05, h = 0.01;  // m/s², 1/m, s
  alembert::RandomStream random(1);
  Eigen::MatrixXd s(300, 1);  // m
  for (Eigen::Index k = 0; k < s.rows(); ++k) {
    const double t = h * static_cast<double>(k);
    s(k, 0) = std::log(std::cosh(t * std::sqrt(g * c))) / c + 0.005 * random.normal();
  }

  alembert::model::EquationSetup names;
  names.outputs = {{"s", ""}};
  const auto fit = alembert::identify::fit_equations(
      "s'' = g - c*s'^2", names,
      {{.name = "g", .guess = 5.0}, {.name = "c", .guess = 0.01, .lower = 0.0}},
      {{.input = Eigen::MatrixXd(s.rows(), 0), .output = s, .step = h}});
  fmt::print("{}", fit.summary());
  return fit.ok() ? 0 : 1;
}
