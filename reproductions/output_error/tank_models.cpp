#include "reproductions/output_error/tank_models.hpp"

#include <fmt/format.h>

#include "alembert/io/csv.hpp"

namespace alembert::reproductions {

namespace {

using optimize::Parameter;

constexpr double kTankStep = 4.0;  // s

model::CompiledEquations compiled_tanks(const std::string& text,
                                        const std::vector<Parameter>& parameters,
                                        std::vector<model::EquationStart> starts,
                                        const std::string& output) {
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{output, {}}};
  for (const Parameter& parameter : parameters) setup.parameters.push_back({parameter.name, {}});
  setup.starts = std::move(starts);
  return model::CompiledEquations(model::parse_equations(text, setup));
}

Parameter bounded(const std::string& name, double guess, double lower, double upper) {
  return {.name = name, .guess = guess, .lower = lower, .upper = upper};
}

std::vector<Parameter> extended_parameters(const TankTerms& terms) {
  std::vector<Parameter> all{bounded("k1", 0.05, 1e-3, 0.3), bounded("k4", 0.03, 1e-3, 0.3),
                             bounded("bu", 0.0, -4.0, 2.0),  bounded("x10", 5.0, 0.0, 12.0),
                             bounded("x20", 5.2, 0.0, 10.0), bounded("kov1", 0.5, 0.0, 4.0)};
  if (terms.own_outlets) {
    all.push_back(bounded("k2", 0.05, 1e-3, 0.3));
    all.push_back(bounded("k3", 0.05, 1e-3, 0.3));
    all.push_back(bounded("alpha", 1.0, 0.0, 3.0));
  }
  if (terms.curved) {
    all.push_back(bounded("l1", 0.0, -0.05, 0.05));
    all.push_back(bounded("l2", 0.0, -0.05, 0.05));
  }
  if (terms.overflow) {
    all.push_back(bounded("kov2", 0.5, 0.0, 4.0));
    all.push_back(bounded("vm2", 9.9, 8.0, 10.0));
  }
  if (terms.lag) all.push_back(bounded("tp", 4.0, 0.5, 20.0));
  return all;
}

}  // namespace

TankModel published_tanks() {
  const std::string text = R"(
    v1  = min(x1, 10)
    ov  = max(x1 - 10, 0)
    out = p1*sqrt(2*9.81)*sqrt(max(v1, 0))
    x1' = -out + p1*p2*(u - bu) - kover*ov
    d2  = out - p1*sqrt(2*9.81)*sqrt(max(x2, 0)) + kover*ov
    x2' = if(x2 >= 10 and d2 > 0, 0, d2)
  )";
  std::vector<Parameter> parameters{
      {.name = "p1", .guess = 0.07, .logarithmic = true},
      {.name = "p2", .guess = 2.25, .logarithmic = true},
      {.name = "v10", .guess = 5.0},
      {.name = "v20", .guess = 5.21},
      {.name = "bu", .guess = 0.0},
      {.name = "kover", .guess = 0.16, .lower = 1e-3, .upper = 13.0, .logarithmic = true}};
  model::CompiledEquations equations =
      compiled_tanks(text, parameters, {{"x1", "v10"}, {"x2", "v20"}}, "x2");
  return {"as published", std::move(equations), std::move(parameters)};
}

TankModel extended_tanks(const std::string& name, const TankTerms& terms) {
  const std::string pump = terms.lag ? "w" : "u";
  const std::string text = fmt::format(
      R"(
    {}
    e1  = max(x1 - 10, 0)
    v1  = max(x1 - e1, 0)
    v2  = max(x2, 0)
    x1' = -k1*sqrt(v1){} + k4*max({} - bu, 0) - kov1*e1
    x2' = {}*sqrt(v1) - {}*sqrt(v2){} + {}kov1*e1 - {}
    y   = min(x2, 10)
  )",
      terms.lag ? "w' = (u - w)/tp" : "", terms.curved ? " - l1*v1" : "", pump,
      terms.own_outlets ? "k2" : "k1", terms.own_outlets ? "k3" : "k1",
      terms.curved ? " - l2*v2" : "", terms.own_outlets ? "alpha*" : "",
      terms.overflow ? "kov2*max(x2 - vm2, 0)" : "3*max(x2 - 10, 0)");
  std::vector<Parameter> parameters = extended_parameters(terms);
  std::vector<model::EquationStart> starts{{"x1", "x10"}, {"x2", "x20"}};
  if (terms.lag) starts.push_back({"w", "3.2"});
  model::CompiledEquations equations = compiled_tanks(text, parameters, std::move(starts), "y");
  return {name, std::move(equations), std::move(parameters)};
}

TankData read_tanks(const std::filesystem::path& file) {
  const signal::Record record =
      io::read_csv(file, {.step = kTankStep, .channels = {"uEst", "yEst", "uVal", "yVal"}});
  const Eigen::MatrixXd& samples = record.samples();
  return {{{.input = samples.col(0), .output = samples.col(1), .step = kTankStep}},
          {{.input = samples.col(2), .output = samples.col(3), .step = kTankStep}}};
}

}  // namespace alembert::reproductions
