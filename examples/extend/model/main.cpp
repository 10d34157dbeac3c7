// A model of one's own as equations: a cart on a rail with dry friction and a spring that hardens.
#include <fmt/core.h>

#include <alembert/core/random.hpp>
#include <alembert/identify/equation_fit.hpp>
#include <alembert/integrate/equation_simulator.hpp>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

// Definitions have names of their own and may be outputs. tanh stands for the sign, so that the
// equations have derivatives everywhere.
constexpr const char* kEquations = R"(
  friction = f*tanh(x'/v0)
  spring = k*x + k3*x^3
  x'' = (u - friction - spring)/m
)";

alembert::model::EquationSetup names() {
  alembert::model::EquationSetup setup;
  setup.inputs = {{"u", ""}};   // N
  setup.outputs = {{"x", ""}};  // m
  return setup;
}

// What a record with these parameters would hold, in N and m.
Eigen::MatrixXd simulate(const std::vector<double>& parameters, const Eigen::MatrixXd& u,
                         double step) {
  alembert::model::EquationSetup setup = names();
  setup.parameters = {{"f", ""}, {"k", ""}, {"k3", ""}, {"m", ""}, {"v0", ""}};
  const alembert::model::CompiledEquations compiled(
      alembert::model::parse_equations(kEquations, setup));
  alembert::integrate::EquationSimulator simulator(compiled);
  simulator.set_parameters(parameters);
  Eigen::MatrixXd x(u.rows(), 1);
  const auto samples = static_cast<std::size_t>(u.rows());
  const std::array start{0.0, 0.0};
  if (simulator.simulate(
          {.samples = samples, .step = step, .substeps = 16, .inputs = {u.data(), samples}}, start,
          {x.data(), samples}) != samples) {
    throw std::runtime_error("the simulation did not reach its end");
  }
  return x;
}

}  // namespace

int main() {
  // The record: here from the same equations with known parameters, else what was measured.
  const double step = 0.005;                                     // s
  const std::vector<double> truth{2.0, 80.0, 900.0, 1.5, 0.05};  // f, k, k3, m, v0
  Eigen::MatrixXd u(4000, 1);
  for (Eigen::Index k = 0; k < u.rows(); ++k) {
    const double t = step * static_cast<double>(k);
    u(k, 0) = 12.0 * std::sin(2.0 * t) + 6.0 * std::sin(9.0 * t);  // N
  }
  Eigen::MatrixXd x = simulate(truth, u, step);
  alembert::RandomStream random(1);
  x.col(0) += 2e-4 * random.normal_vector(x.rows());  // m

  const auto fit = alembert::identify::fit_equations(kEquations, names(),
                                                     {{.name = "f", .guess = 1.0, .lower = 0.0},
                                                      {.name = "k", .guess = 50.0},
                                                      {.name = "k3", .guess = 100.0},
                                                      {.name = "m", .guess = 1.0, .lower = 0.1},
                                                      {.name = "v0", .guess = 0.05, .fixed = true}},
                                                     {{.input = u, .output = x, .step = step}});
  fmt::print("{}", fit.summary());
  // Each estimate within four of its own standard deviations.
  for (const auto& [name, value] : {std::pair{"f", 2.0}, {"k", 80.0}, {"k3", 900.0}, {"m", 1.5}}) {
    const auto found = fit.parameter(name);
    if (!(std::abs(found.value - value) < 4.0 * found.deviation)) return 1;
  }
  return fit.ok() ? 0 : 1;
}
