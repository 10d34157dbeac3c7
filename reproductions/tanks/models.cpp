#include "reproductions/tanks/models.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::tanks {

namespace {

using optimize::Parameter;

constexpr double kStep = 4.0;  // s

model::CompiledEquations compiled(const std::string& text, const std::vector<Parameter>& parameters,
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

std::vector<Parameter> extended_parameters(const Terms& terms) {
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

Model published_model(const std::filesystem::path& record) {
  const std::string name = "tanks/published.toml";
  const study::LoadedStudy loaded = study::load_study_text(
      study_text(name), name,
      {.overrides = {{.key = "data.file", .value = study::toml_string(record.string())}}});
  if (loaded.as<study::OutputErrorStudy>() == nullptr)
    throw StudyError({.file = name}, to_string(loaded.problems.front()));
  const study::OutputErrorStudy& study = *loaded.as<study::OutputErrorStudy>();
  return {"as published", model::CompiledEquations(study.model), study.parameters};
}

Model extended_model(const std::string& name, const Terms& terms) {
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
  model::CompiledEquations equations = compiled(text, parameters, std::move(starts), "y");
  return {name, std::move(equations), std::move(parameters)};
}

Data read_data(const std::filesystem::path& file) {
  const signal::Record record =
      io::read_csv(file, {.step = kStep, .channels = {"uEst", "yEst", "uVal", "yVal"}});
  const Eigen::MatrixXd& samples = record.samples();
  return {{{.input = samples.col(0), .output = samples.col(1), .step = kStep}},
          {{.input = samples.col(2), .output = samples.col(3), .step = kStep}}};
}

}  // namespace alembert::reproductions::tanks
