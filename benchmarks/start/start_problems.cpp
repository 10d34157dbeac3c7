#include "benchmarks/start/start_problems.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/random.hpp"

namespace alembert::benchmarks {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Recipe {
  std::string name, equations;
  std::vector<std::string> inputs, outputs;
  std::vector<std::pair<std::string, double>> truth;
  std::vector<bool> guessed;
  std::vector<model::EquationStart> starts;
  MatrixXd input;
  double step = 0.01;
  double noise = 0.01;  // relative to the standard deviation of each output
  Index substeps = 4;
};

StartProblem make(const Recipe& recipe) {
  model::EquationSetup setup;
  for (const std::string& name : recipe.inputs) setup.inputs.push_back({name, ""});
  for (const std::string& name : recipe.outputs) setup.outputs.push_back({name, ""});
  for (const auto& [name, value] : recipe.truth) setup.parameters.push_back({name, ""});
  setup.starts = recipe.starts;
  StartProblem problem{
      .name = recipe.name,
      .model = model::CompiledEquations(model::parse_equations(recipe.equations, setup)),
      .names = {},
      .truth = VectorXd(static_cast<Index>(recipe.truth.size())),
      .guessed = recipe.guessed,
      .data = {},
      .simulation = {.substeps = recipe.substeps}};
  for (std::size_t k = 0; k < recipe.truth.size(); ++k) {
    problem.names.push_back(recipe.truth[k].first);
    problem.truth(static_cast<Index>(k)) = recipe.truth[k].second;
  }
  const auto outputs = static_cast<Index>(recipe.outputs.size());
  problem.data = {{.input = recipe.input,
                   .output = MatrixXd::Zero(recipe.input.rows(), outputs),
                   .step = recipe.step}};
  identify::SimulationOptions fine = problem.simulation;
  fine.substeps *= 4;
  MatrixXd y = simulate_equations(problem.model, problem.truth, problem.data, fine).outputs[0];
  RandomStream random(2024);
  for (Index i = 0; i < outputs; ++i) {
    const double mean = y.col(i).mean();
    const double size = std::sqrt((y.col(i).array() - mean).square().mean());
    problem.noise = recipe.noise * size;
    y.col(i) += recipe.noise * size * random.normal_vector(y.rows());
  }
  problem.data[0].output = y;
  return problem;
}

// Sum of sines of random phases at equally spaced frequencies, in Hz, of rms 1.
MatrixXd multisine(Index samples, double step, double lowest, double highest, int lines,
                   std::uint64_t seed) {
  RandomStream random(seed);
  VectorXd u = VectorXd::Zero(samples);
  for (int line = 0; line < lines; ++line) {
    const double frequency = lowest + (highest - lowest) * line / std::max(lines - 1, 1);
    const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
    for (Index k = 0; k < samples; ++k) {
      u(k) += std::sin(2.0 * std::numbers::pi * frequency * step * static_cast<double>(k) + phase);
    }
  }
  return u * std::sqrt(2.0 / lines);
}

// Random levels that are held for `hold` samples each.
MatrixXd levels(Index samples, Index hold, double low, double high, std::uint64_t seed) {
  RandomStream random(seed);
  VectorXd u(samples);
  for (Index k = 0; k < samples; ++k) {
    u(k) = k % hold == 0 ? random.uniform(low, high) : u(k - 1);
  }
  return u;
}

std::vector<Recipe> driven_recipes() {
  return {{"pendulum with friction",
           "q'' = (km*u - d*q' - c*tanh(q'/0.05) - 0.5*9.81*l*sin(q))/(0.5*l^2)",
           {"u"},
           {"q"},
           {{"l", 0.32}, {"km", 0.08}, {"d", 0.01}, {"c", 0.03}, {"q0", 1.2}},
           {true, true, true, true, true},
           {{"q", "q0"}},
           3.0 * multisine(1500, 0.01, 0.1, 2.0, 20, 1),
           0.01,
           0.01},
          {"duffing oscillator",
           "q'' = (u - c*q' - k*q - k3*q^3)/m",
           {"u"},
           {"q"},
           {{"m", 1.0}, {"c", 0.4}, {"k", 40.0}, {"k3", 300.0}},
           {true, true, true, true},
           {},
           12.0 * multisine(2000, 0.02, 0.2, 3.0, 25, 2),
           0.02,
           0.01},
          {"two-mass drive",
           R"(
  phi' = w1 - w2
  torque = k*phi + d*(w1 - w2)
  w1' = (u - torque - b1*w1)/j1
  w2' = (torque - b2*w2)/j2
)",
           {"u"},
           {"w1"},
           {{"j1", 0.02}, {"j2", 0.05}, {"k", 30.0}, {"d", 0.02}, {"b1", 0.05}, {"b2", 0.08}},
           {true, true, true, true, true, true},
           {},
           multisine(2000, 0.002, 0.3, 20.0, 40, 3),
           0.002,
           0.01},
          {"bouc-wen",
           R"(
  z'  = a*q' - b*abs(q')*z - g*q'*abs(z)
  q'' = (u - c*q' - k*q - z)/m
)",
           {"u"},
           {"q"},
           {{"m", 2.0}, {"c", 10.0}, {"k", 5e4}, {"a", 5e4}, {"b", 800.0}, {"g", -1100.0}},
           {true, true, true, true, true, true},
           {},
           50.0 * multisine(1500, 1.0 / 750.0, 5.0, 150.0, 200, 4),
           1.0 / 750.0,
           0.01,
           8}};
}

std::vector<Recipe> other_recipes() {
  const MatrixXd still = MatrixXd::Zero(2000, 0);
  return {{"van der pol",
           "x'' = mu*(1 - a*x^2)*x' - w2*x",
           {},
           {"x"},
           {{"mu", 1.5}, {"a", 1.0}, {"w2", 4.0}, {"x0", 1.0}, {"v0", 0.5}},
           {true, true, true, false, false},
           {{"x", "x0"}, {"x'", "v0"}},
           still,
           0.02,
           0.02},
          {"cascaded tanks",
           R"(
  v1  = max(min(x1, 10), 0)
  ov  = max(x1 - 10, 0)
  x1' = -p1*sqrt(2*9.81)*sqrt(v1) + p1*p2*(u - bu) - 0.5*ov
  x2' = p1*sqrt(2*9.81)*(sqrt(v1) - sqrt(max(x2, 0))) + 0.5*ov
)",
           {"u"},
           {"x2"},
           {{"p1", 0.0094}, {"p2", 4.87}, {"bu", 0.67}, {"v10", 4.9}, {"v20", 5.2}},
           {true, true, true, true, false},
           {{"x1", "v10"}, {"x2", "v20"}},
           levels(1000, 40, 1.0, 5.0, 5),
           4.0,
           0.02},
          {"lorenz, 60 s",
           "x' = s*(y - x)\ny' = x*(r - z) - y\nz' = x*y - b*z",
           {},
           {"x"},
           {{"s", 10.0}, {"r", 28.0}, {"b", 8.0 / 3.0}, {"x0", 1.0}, {"y0", 2.0}, {"z0", 20.0}},
           {true, true, true, false, false, false},
           {{"x", "x0"}, {"y", "y0"}, {"z", "z0"}},
           MatrixXd::Zero(3000, 0),
           0.02,
           0.02},
          {"duffing in chaos",
           "q'' = f*cos(1.2*t) - d*q' - k1*q - k3*q^3",
           {},
           {"q"},
           {{"f", 0.5}, {"d", 0.3}, {"k1", -1.0}, {"k3", 1.0}, {"q0", 0.5}, {"v0", 0.1}},
           {true, true, true, true, false, false},
           {{"q", "q0"}, {"q'", "v0"}},
           MatrixXd::Zero(3000, 0),
           0.1,
           0.02}};
}

}  // namespace

std::vector<StartProblem> start_problems() {
  std::vector<StartProblem> problems;
  for (const Recipe& recipe : driven_recipes()) problems.push_back(make(recipe));
  for (const Recipe& recipe : other_recipes()) problems.push_back(make(recipe));
  return problems;
}

std::vector<optimize::Parameter> poor_guesses(const StartProblem& problem, double least,
                                              double most, bool logarithmic, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<optimize::Parameter> parameters;
  for (std::size_t k = 0; k < problem.names.size(); ++k) {
    const double truth = problem.truth(static_cast<Index>(k));
    optimize::Parameter parameter{.name = problem.names[k], .guess = truth};
    const double factor = std::exp(random.uniform(std::log(least), std::log(most)));
    const bool times = random.uniform() < 0.5;
    if (problem.guessed[k]) {
      parameter.guess = times ? truth * factor : truth / factor;
      parameter.logarithmic = logarithmic && truth > 0.0;
      if (!logarithmic) (truth > 0.0 ? parameter.lower : parameter.upper) = 0.0;
    } else {
      parameter.guess = truth * (times ? 1.2 : 0.8);
    }
    parameters.push_back(parameter);
  }
  return parameters;
}

}  // namespace alembert::benchmarks
