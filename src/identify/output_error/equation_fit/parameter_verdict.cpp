#include "identify/output_error/equation_fit/parameter_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/student.hpp"

namespace alembert::identify {
namespace {

// -1 if the name is not there.
Eigen::Index place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

}  // namespace

double known_deviation(const optimize::EstimateStatistics& statistics, const std::string& name) {
  const Eigen::Index at = place_of(statistics.names, name);
  return at < 0 || at >= statistics.deviations.size() ? std::numeric_limits<double>::quiet_NaN()
                                                      : statistics.deviations(at);
}

double known_relative_deviation(const optimize::EstimateStatistics& statistics,
                                const std::string& name) {
  const Eigen::Index at = place_of(statistics.names, name);
  return at < 0 ? std::numeric_limits<double>::infinity() : statistics.relative_deviations(at);
}

ParameterVerdict parameter_verdict(const EquationFit& fit, std::size_t index) {
  using Role = ParameterVerdict::Role;
  const optimize::Parameter& parameter = fit.parameters.at(index);
  const OutputErrorResult& estimate = fit.estimate;
  ParameterVerdict verdict{.value = estimate.parameters(static_cast<Eigen::Index>(index))};
  if (parameter.fixed) {
    verdict.role = Role::Fixed;
    return verdict;
  }
  std::string name = parameter.name;
  double factor = 1.0;
  if (parameter.tie) {
    verdict.role = Role::Tied;
    name = parameter.tie->other;
    factor = std::abs(parameter.tie->factor);
  }
  if (std::find(estimate.at_bound.begin(), estimate.at_bound.end(), parameter.name) !=
      estimate.at_bound.end()) {
    verdict.role = Role::AtBound;
  }
  verdict.white = factor * known_deviation(estimate.statistics, name);
  verdict.deviation = factor * known_deviation(estimate.trusted(), name);
  verdict.freedom = static_cast<double>(std::max<Eigen::Index>(estimate.statistics.freedom, 0));
  const Eigen::Index at = place_of(estimate.statistics.names, name);
  if (at >= 0 && at < estimate.coloured.freedom.size()) {
    verdict.freedom = estimate.coloured.freedom(at);
    verdict.knowledge = estimate.coloured.knowledge_of[static_cast<std::size_t>(at)];
  }
  verdict.margin = std::numeric_limits<double>::quiet_NaN();
  if (verdict.freedom > 0.0) {
    verdict.margin = optimize::student_quantile(0.975, verdict.freedom) * verdict.deviation;
  }
  return verdict;
}

ParameterVerdict EquationFit::parameter(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return parameter_verdict(*this, i);
    names.push_back(parameters[i].name);
  }
  throw InvalidInput({.function = "EquationFit::parameter",
                      .argument = "name",
                      .rule = "must be one of " + join(names, ", "),
                      .value = fmt::format("\"{}\"", name)});
}

}  // namespace alembert::identify
