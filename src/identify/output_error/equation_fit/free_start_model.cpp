#include "identify/output_error/equation_fit/free_start_model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Whether the caller may mean something by a name.
bool is_taken(const FitProblem& problem, const std::string& name) {
  const auto in = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  };
  return problem.equations.find(name) != std::string::npos || in(problem.setup.inputs) ||
         in(problem.setup.parameters) || in(problem.setup.constants);
}

model::EquationSetup with_free_start(const FitProblem& problem) {
  model::EquationSetup setup = problem.setup;
  setup.starts.clear();
  for (const std::string& state : problem.model.model().states()) {
    std::string name = fmt::format("start_{}", setup.starts.size() + 1);
    while (is_taken(problem, name)) name += '_';
    setup.starts.push_back({state, name});
    setup.parameters.push_back({name, ""});
  }
  return setup;
}

VectorXd start_of_model(const model::EquationModel& model, const VectorXd& parameters) {
  const model::CompiledEquations plain(model, {.kind = model::EngineKind::Interpreter});
  model::EquationEvaluator evaluator(plain);
  evaluator.set_parameters({parameters.data(), static_cast<std::size_t>(parameters.size())});
  VectorXd start(static_cast<Index>(model.states().size()));
  evaluator.start({start.data(), static_cast<std::size_t>(start.size())});
  return start;
}

}  // namespace

FreeStartModel::FreeStartModel(const FitProblem& problem, const VectorXd& parameters)
    : setup_(with_free_start(problem)),
      model_(model::parse_equations(problem.equations, setup_), {.kind = problem.options.engine}),
      parameters_(parameters),
      start_(start_of_model(problem.model.model(), parameters)) {}

VectorXd FreeStartModel::with_start(const VectorXd& start) const {
  VectorXd all(parameters_.size() + start.size());
  all << parameters_, start;
  return all;
}

std::vector<optimize::Parameter> FreeStartModel::unknowns(const VectorXd& guess) const {
  std::vector<optimize::Parameter> list;
  const VectorXd values = with_start(guess);
  for (std::size_t k = 0; k < setup_.parameters.size(); ++k) {
    const auto at = static_cast<Index>(k);
    list.push_back(
        {.name = setup_.parameters[k].name, .guess = values(at), .fixed = at < parameters_.size()});
  }
  return list;
}

}  // namespace alembert::identify
