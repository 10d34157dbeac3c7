#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/integrate/equation_simulator.hpp"
#include "support/data.hpp"
#include "support/equation_support.hpp"

// Simulations of text models for the tests of the integrators.
namespace alembert::test {

inline model::CompiledEquations interpreted(const model::EquationModel& model) {
  return model::CompiledEquations(model, {.kind = model::EngineKind::Interpreter});
}

/// One cache for all tests of the program: each model is compiled once.
inline std::string cache_folder() {
  static const TemporaryFolder kFolder;
  return (kFolder.path() / "cache").string();
}

inline model::CompiledEquations native(
    const model::EquationModel& model,
    integrate::Integrator integrator = integrate::Integrator::RungeKutta4) {
  return model::CompiledEquations(model, {.kind = model::EngineKind::Native,
                                          .cache_folder = cache_folder(),
                                          .loops = integrate::native_loops(integrator)});
}

/// A record by a method that chooses its steps; the absolute tolerance is a part of the other.
inline integrate::RecordTask adaptive_task(integrate::Integrator method, std::size_t samples,
                                           double step, double tolerance, double absolute_part) {
  return {.samples = samples,
          .step = step,
          .substeps = 4,
          .method = method,
          .adaptive = {.relative_tolerance = tolerance,
                       .absolute_tolerance = absolute_part * tolerance}};
}

/// A model with the outputs, parameters and start values given.
inline model::EquationModel text_model(const std::string& text,
                                       const std::vector<std::string>& outputs,
                                       const std::vector<std::string>& parameters = {},
                                       const std::vector<model::EquationStart>& starts = {},
                                       const std::vector<std::string>& inputs = {}) {
  model::EquationSetup setup;
  for (const std::string& name : outputs) setup.outputs.push_back({name, ""});
  for (const std::string& name : parameters) setup.parameters.push_back({name, ""});
  for (const std::string& name : inputs) setup.inputs.push_back({name, ""});
  setup.starts = starts;
  return model::parse_equations(text, setup);
}

struct EquationRun {
  std::vector<double> y, x;
  std::vector<double> dy, dx;  ///< all parameters, then each start value
  std::size_t columns = 0;
  std::size_t done = 0;
};

/// Simulates from the model's start, or from x0; with sensitivities to all parameters and all start
/// values.
inline EquationRun run_equations(const model::CompiledEquations& compiled,
                                 const integrate::RecordTask& task, const std::vector<double>& p,
                                 bool sensitive = false, const std::vector<double>& x0 = {}) {
  const std::size_t nx = compiled.model().states().size();
  integrate::EquationSimulator evaluator(compiled);
  evaluator.set_parameters(p);
  auto start = evaluator.start_jacobians();
  evaluator.start(start);
  if (!x0.empty()) start.values = x0;
  EquationRun run;
  run.y.resize(task.samples * compiled.model().outputs().size());
  run.x.resize(task.samples * nx);
  if (!sensitive) {
    run.done = evaluator.simulate(task, start.values, run.y, run.x);
    return run;
  }
  const std::size_t count = p.size() + nx;
  run.columns = count;
  std::vector<int> columns;
  for (std::size_t k = 0; k < count; ++k) {
    columns.push_back(k < p.size() ? static_cast<int>(k) : -1);
  }
  std::vector<double> s0(nx * count);
  for (std::size_t i = 0; i < nx; ++i) {
    for (std::size_t k = 0; k < p.size() && x0.empty(); ++k) {
      s0[i * count + k] = start.by_parameter[k * nx + i];
    }
    s0[i * count + p.size() + i] = 1.0;
  }
  run.dy.resize(run.y.size() * count);
  run.dx.resize(run.x.size() * count);
  run.done =
      evaluator.simulate(task, start.values, run.y, run.x,
                         {.columns = columns, .start = s0, .outputs = run.dy, .states = run.dx});
  return run;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0.0 : 1e300;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
    const double next = std::fabs(a[k] - b[k]);
    largest = next <= largest ? largest : next;  // NaN stays
  }
  return largest;
}

/// Largest |S - central difference| over the size of its column, over all columns: parameters with
/// steps h|p|, then start values with steps h.
inline double sensitivity_error(const model::CompiledEquations& compiled,
                                const integrate::RecordTask& task, const std::vector<double>& p,
                                const std::vector<double>& x0, double h) {
  const EquationRun run = run_equations(compiled, task, p, true, x0);
  double worst = run.done == task.samples ? 0.0 : 1e300;
  for (std::size_t c = 0; c < run.columns; ++c) {
    std::vector<double> p1 = p, p2 = p, x1 = x0, x2 = x0;
    double& up = c < p.size() ? p1[c] : x1[c - p.size()];
    double& down = c < p.size() ? p2[c] : x2[c - p.size()];
    const double step = h * std::max(c < p.size() ? std::fabs(up) : 1.0, 1e-3);
    up += step;
    down -= step;
    const EquationRun plus = run_equations(compiled, task, p1, false, x1);
    const EquationRun minus = run_equations(compiled, task, p2, false, x2);
    double size = 1e-300;
    double error = 0.0;
    for (std::size_t i = 0; i < run.x.size(); ++i) {
      const double s = run.dx[i * run.columns + c];
      size = std::max(size, std::fabs(s));
      const double next = std::fabs(s - (plus.x[i] - minus.x[i]) / (2 * step));
      error = next <= error ? error : next;
    }
    worst = error / size <= worst ? worst : error / size;
  }
  return worst;
}

/// Oscillator with Bouc-Wen hysteresis, with parameters m, c, k, alpha, beta, gamma, delta, nu.
inline model::EquationModel bouc_wen() {
  return text_model(
      "y'' = (u - c*y' - k*y - z)/m\n"
      "z'  = alpha*y' - beta*(gamma*abs(y')*abs(z)^(nu - 1)*z + delta*y'*abs(z)^nu)\n",
      {"y"}, {"m", "c", "k", "alpha", "beta", "gamma", "delta", "nu"}, {}, {"u"});
}

inline const std::vector<double> kBoucWen{2.0, 10.0, 5e4, 5e4, 1e3, 0.8, -1.1, 1.1};

/// u(t) = 60 (sin 200 t + sin(331 t + 1)) at every half substep of samples at 750 Hz.
inline std::vector<double> bouc_wen_input(std::size_t samples, std::size_t substeps) {
  std::vector<double> u;
  for (std::size_t k = 0; k <= 2 * substeps * (samples - 1); ++k) {
    const double t = static_cast<double>(k) / (1500.0 * static_cast<double>(substeps));
    u.push_back(60.0 * std::sin(200.0 * t) + 60.0 * std::sin(331.0 * t + 1.0));
  }
  return u;
}

}  // namespace alembert::test
