#include "alembert/identify/model_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;

[[noreturn]] void bad_candidate(const ModelCandidate& candidate, const std::string& rule) {
  throw InvalidInput({.function = "compare_models",
                      .item = fmt::format("candidate '{}'", candidate.name),
                      .rule = rule});
}

std::optional<double> value_named(const std::vector<optimize::Parameter>& parameters,
                                  const Eigen::VectorXd& values, const std::string& name) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name) return values(static_cast<Index>(i));
  }
  return {};
}

// Where the larger model equals the smaller one at its optimum.
std::vector<optimize::Parameter> embedded(const ModelCandidate& larger, const SmallerModel& inside,
                                          const std::vector<optimize::Parameter>& smaller,
                                          const Eigen::VectorXd& optimum) {
  std::vector<optimize::Parameter> from = larger.parameters;
  for (optimize::Parameter& parameter : from) {
    std::string source = parameter.name;
    for (const auto& [name, other] : inside.same_as) {
      if (name == parameter.name) source = other;
    }
    std::optional<double> value = value_named(smaller, optimum, source);
    for (const auto& [name, given] : inside.values) {
      if (name == parameter.name) value = given;
    }
    if (!value) {
      bad_candidate(
          larger, fmt::format("parameter '{}' has no value in the smaller model", parameter.name));
    }
    parameter.guess = std::clamp(*value, parameter.lower, parameter.upper);
  }
  return from;
}

double misfit_of(const OutputErrorResult& fit) {
  const Eigen::VectorXd& rms = fit.prediction.rms;
  if (rms.size() == 0 || !rms.allFinite()) return std::numeric_limits<double>::infinity();
  return std::exp(rms.array().log().mean());
}

void keep_better(OutputErrorResult found, std::optional<std::size_t> from, ComparedModel& best) {
  const double misfit = misfit_of(found);
  if (misfit < best.misfit) best = {std::move(found), from, misfit};
}

ComparedModel fitted_candidate(const std::vector<ModelCandidate>& candidates, std::size_t index,
                               const std::vector<ComparedModel>& before, const Experiments& data,
                               const OutputErrorOptions& options) {
  const ModelCandidate& candidate = candidates[index];
  ComparedModel best{.fit = {}, .misfit = std::numeric_limits<double>::infinity()};
  best.fit = output_error(*candidate.equations, candidate.parameters, data, options);
  best.misfit = misfit_of(best.fit);
  OutputErrorOptions once = options;
  once.starts = 1;
  double least = std::numeric_limits<double>::infinity();
  for (const SmallerModel& inside : candidate.inside) {
    if (inside.index >= index) bad_candidate(candidate, "smaller models must come before it");
    const ComparedModel& smaller = before[inside.index];
    const std::vector<optimize::Parameter> from =
        embedded(candidate, inside, candidates[inside.index].parameters, smaller.fit.parameters);
    keep_better(output_error(*candidate.equations, from, data, once), inside.index, best);
    if (inside.exact) least = std::min(least, smaller.misfit);
  }
  best.over_smaller = std::isfinite(least) ? best.misfit / least : 1.0;
  return best;
}

}  // namespace

std::vector<ComparedModel> compare_models(const std::vector<ModelCandidate>& candidates,
                                          const Experiments& data,
                                          const OutputErrorOptions& options) {
  std::vector<ComparedModel> models;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].equations == nullptr) bad_candidate(candidates[i], "needs equations");
    models.push_back(fitted_candidate(candidates, i, models, data, options));
  }
  return models;
}

bool nested_in_order(const std::vector<ComparedModel>& models, double tolerance) {
  return std::all_of(models.begin(), models.end(), [&](const ComparedModel& model) {
    return model.over_smaller <= 1.0 + tolerance;
  });
}

}  // namespace alembert::identify
