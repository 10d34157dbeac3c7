#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"

namespace alembert::identify::test_texts {

/// A model as text with its true parameters.
struct Truth {
  std::string equations;
  std::vector<std::string> inputs, outputs;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<model::EquationStart> starts = {};
};

inline model::CompiledEquations compiled(const Truth& truth) {
  model::EquationSetup setup;
  for (const std::string& name : truth.inputs) setup.inputs.push_back({name, ""});
  for (const std::string& name : truth.outputs) setup.outputs.push_back({name, ""});
  for (const auto& [name, value] : truth.parameters) setup.parameters.push_back({name, ""});
  setup.starts = truth.starts;
  return model::CompiledEquations(model::parse_equations(truth.equations, setup),
                                  {.kind = model::EngineKind::Interpreter});
}

inline Eigen::VectorXd values_of(const Truth& truth) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(truth.parameters.size()));
  for (std::size_t k = 0; k < truth.parameters.size(); ++k) {
    values(static_cast<Eigen::Index>(k)) = truth.parameters[k].second;
  }
  return values;
}

/// The true parameters times these factors as guesses.
inline std::vector<optimize::Parameter> off_by(const Truth& truth,
                                               const std::vector<double>& factors) {
  std::vector<optimize::Parameter> parameters;
  for (std::size_t k = 0; k < truth.parameters.size(); ++k) {
    const auto& [name, value] = truth.parameters[k];
    parameters.push_back({.name = name, .guess = value * factors[k]});
  }
  return parameters;
}

/// Held random levels, `hold` samples each, uniform in (-size, size).
inline Eigen::MatrixXd random_levels(Eigen::Index samples, Eigen::Index hold, double size,
                                     std::uint64_t seed) {
  RandomStream random(seed);
  Eigen::MatrixXd u(samples, 1);
  for (Eigen::Index k = 0; k < samples; ++k) {
    u(k, 0) = k % hold == 0 ? random.uniform(-size, size) : u(k - 1, 0);
  }
  return u;
}

/// The simulated outputs with white noise of this part of their standard deviation.
inline Experiment measured(const Truth& truth, Eigen::MatrixXd input, double step, double noise,
                           std::uint64_t seed, SimulationOptions options = {}) {
  const auto outputs = static_cast<Eigen::Index>(truth.outputs.size());
  Experiment experiment{.input = std::move(input), .output = {}, .step = step};
  experiment.output = Eigen::MatrixXd::Zero(experiment.input.rows(), outputs);
  Eigen::MatrixXd y =
      simulate_equations(compiled(truth), values_of(truth), {experiment}, options).outputs[0];
  RandomStream random(seed);
  for (Eigen::Index i = 0; i < outputs; ++i) {
    const double mean = y.col(i).mean();
    const double size = std::sqrt((y.col(i).array() - mean).square().mean());
    y.col(i) += noise * size * random.normal_vector(y.rows());
  }
  experiment.output = y;
  return experiment;
}

}  // namespace alembert::identify::test_texts
