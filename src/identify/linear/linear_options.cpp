#include "alembert/identify/linear_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/identify/coverage.hpp"
#include "identify/linear/output_motion.hpp"

namespace alembert::identify {
namespace {

constexpr const char* kChoice = "identify_linear";

/// Why a method cannot be used; "" if it can.
struct Abilities {
  std::string weak_form, partial, subspace, nominal;
};

// A start from few sensors takes those of one kind of motion; they and the forces must reach all.
std::string why_not_partial(const LinearOptions& options, const LikeOutputs& like) {
  if (like.outputs.empty()) return "needs a sensor at a single coordinate";
  const std::vector<std::string>& names = options.names.coordinates;
  const Coverage covered = coverage(options.L, selected_map(options.outputs, like.outputs), names);
  // What all sensors together cannot tell is said elsewhere.
  if (covered.identifiable || !coverage(options.L, options.outputs, names).identifiable) return "";
  return fmt::format("takes sensors of one kind, and with {} alone {}", name_of(like.motion),
                     covered.advice);
}

Abilities abilities(const LinearOptions& options) {
  Abilities result;
  const Eigen::MatrixXd& L = options.L;
  const auto n = static_cast<std::size_t>(L.rows());
  const LikeOutputs like = like_outputs(options.outputs);
  if (like.outputs.size() < n) {
    result.weak_form =
        fmt::format("needs one kind of motion at all {} coordinates, {} of {} is measured", n,
                    name_of(like.motion), like.outputs.size());
  }
  result.partial = why_not_partial(options, like);
  result.subspace = result.weak_form;
  if (result.subspace.empty() && like.motion != model::Motion::Displacement) {
    result.subspace =
        fmt::format("needs displacements, the sensors measure {}", name_of(like.motion));
  }
  if (result.subspace.empty() && L.cols() != L.rows()) {
    result.subspace =
        fmt::format("needs as many forces as coordinates, {}, got {}", L.rows(), L.cols());
  }
  if (!options.nominal) result.nominal = "needs a nominal model";
  return result;
}

const std::string& why_not(const Abilities& can, StartMethod method) {
  switch (method) {
    case StartMethod::WeakForm:
      return can.weak_form;
    case StartMethod::Partial:
      return can.partial;
    case StartMethod::Nominal:
      return can.nominal;
    case StartMethod::Subspace:
    case StartMethod::Companion:
      break;
  }
  return can.subspace;
}

std::string why_not(const Abilities& can, LinearMethod method) {
  const std::optional<StartMethod> start = steps_of(method).start;
  return start ? why_not(can, *start) : "";
}

// Whether the steps of a compared method have a property.
template <typename Property>
bool any_compared(const LinearOptions& options, const Property& property) {
  return std::any_of(options.compare.begin(), options.compare.end(),
                     [&](LinearMethod method) { return property(steps_of(method)); });
}

// The coordinate that a row sees alone with weight 1; -1: a combination.
Eigen::Index single_coordinate(const Eigen::RowVectorXd& row) {
  Eigen::Index place = -1;
  if ((row.array() != 0.0).count() != 1 || row.maxCoeff(&place) != 1.0) return -1;
  return place;
}

const Eigen::MatrixXd& map_part(const model::OutputMap& map, model::Motion motion) {
  return motion == model::Motion::Velocity       ? map.velocity
         : motion == model::Motion::Acceleration ? map.acceleration
                                                 : map.displacement;
}

LikeOutputs outputs_of(const model::OutputMap& map, model::Motion motion) {
  std::vector<std::pair<Eigen::Index, Eigen::Index>> found;  // coordinate, output
  for (Eigen::Index i = 0; i < map.outputs(); ++i) {
    if (motion_of_output(map, i) != motion) continue;
    const Eigen::Index coordinate = single_coordinate(map_part(map, motion).row(i));
    if (coordinate >= 0) found.emplace_back(coordinate, i);
  }
  std::sort(found.begin(), found.end());
  LikeOutputs group{.motion = motion, .outputs = {}, .coordinates = {}};
  for (const auto& [coordinate, output] : found) {
    if (!group.coordinates.empty() && group.coordinates.back() == coordinate) continue;
    group.coordinates.push_back(coordinate);
    group.outputs.push_back(output);
  }
  return group;
}

}  // namespace

LikeOutputs like_outputs(const model::OutputMap& outputs) {
  std::vector<LikeOutputs> groups;
  for (const model::Motion motion : kMotions) groups.push_back(outputs_of(outputs, motion));
  return *std::max_element(groups.begin(), groups.end(),
                           [](const LikeOutputs& a, const LikeOutputs& b) {
                             return a.outputs.size() < b.outputs.size();
                           });
}

bool all_entries_free(const Parametrisation& unknowns) {
  const Eigen::Index n = unknowns.degrees_of_freedom;
  return !unknowns.proportional_damping && unknowns.basis.cols() == 3 * n * (n + 1) / 2;
}

ChosenStart choose_start(const LinearOptions& options) {
  const Abilities can = abilities(options);
  if (options.start) {
    const std::string& reason = why_not(can, *options.start);
    if (!reason.empty()) {
      throw InvalidInput({.function = kChoice,
                          .argument = "start",
                          .rule = fmt::format("= \"{}\" {}", name_of(*options.start), reason)});
    }
    return {.start = *options.start, .second = {}, .second_with_gaps = {}};
  }
  if (can.weak_form.empty()) {
    ChosenStart chosen;
    if (can.partial.empty()) chosen.second = chosen.second_with_gaps = StartMethod::Partial;
    // Where everything is moved and seen, a subspace tells the modes without any matrices before.
    if (can.subspace.empty()) chosen.second = StartMethod::Subspace;
    return chosen;
  }
  for (const auto& [reason, start] : {std::pair{can.partial, StartMethod::Partial},
                                      std::pair{can.nominal, StartMethod::Nominal}}) {
    if (reason.empty()) return {.start = start, .second = {}, .second_with_gaps = {}};
  }
  throw InvalidInput(
      {.function = kChoice,
       .argument = "start",
       .rule = fmt::format("cannot be found for these sensors: {}; or give a nominal model",
                           like_outputs(options.outputs).outputs.empty()
                               ? "each is a combination of coordinates"
                               : "it " + can.partial)});
}

void check_compared(const LinearOptions& options) {
  const Abilities can = abilities(options);
  const auto begin = options.compare.begin();
  for (auto at = begin; at != options.compare.end(); ++at) {
    const std::string_view name = name_of(*at);
    if (std::find(begin, at, *at) != at) {
      throw InvalidInput({.function = kChoice,
                          .argument = "compare",
                          .rule = "must hold different methods",
                          .value = fmt::format("\"{}\" twice", name)});
    }
    const std::string reason = why_not(can, *at);
    if (reason.empty()) continue;
    throw InvalidInput({.function = kChoice,
                        .argument = "compare",
                        .rule = fmt::format("\"{}\" {}", name, reason)});
  }
}

MethodSteps steps_of(LinearMethod method) {
  using integrate::Method;
  switch (method) {
    case LinearMethod::WeakForm:
      return {StartMethod::WeakForm, false, Method::Exact};
    case LinearMethod::Subspace:
      return {StartMethod::Subspace, false, Method::Exact};
    case LinearMethod::Companion:
      return {StartMethod::Companion, false, Method::Variational};
    case LinearMethod::CompanionMidpoint:
      return {StartMethod::Companion, true, Method::Variational};
    case LinearMethod::GreyBox:
      return {StartMethod::Nominal, true, Method::Exact};
    case LinearMethod::Exact:
      return {{}, true, Method::Exact};
    case LinearMethod::Midpoint:
      return {{}, true, Method::Variational};
    case LinearMethod::Gauss:
      break;
  }
  return {{}, true, Method::Gauss};
}

bool has_subspace_step(StartMethod method) {
  switch (method) {
    case StartMethod::Subspace:
    case StartMethod::Companion:
      return true;
    case StartMethod::WeakForm:
    case StartMethod::Partial:
    case StartMethod::Nominal:
      break;
  }
  return false;
}

bool has_subspace_step(LinearMethod method) {
  const std::optional<StartMethod> start = steps_of(method).start;
  return start && has_subspace_step(*start);
}

bool uses_start(const LinearOptions& options, StartMethod start) {
  return choose_start(options).start == start ||
         any_compared(options, [&](const MethodSteps& steps) { return steps.start == start; });
}

bool uses_refinement(const LinearOptions& options) {
  return options.refine ||
         any_compared(options, [](const MethodSteps& steps) { return steps.refine; });
}

bool uses_gauss_stages(const LinearOptions& options) {
  using integrate::Method;
  return (options.refine && options.refinement.method == Method::Gauss) ||
         any_compared(options, [](const MethodSteps& steps) {
           return steps.refine && steps.rule == Method::Gauss;
         });
}

bool uses_hold(const LinearOptions& options) {
  using integrate::Method;
  // The midpoint rule takes the forces at the samples only.
  return options.refinement.method != Method::Variational ||
         uses_start(options, StartMethod::WeakForm) || uses_start(options, StartMethod::Partial) ||
         any_compared(options, [](const MethodSteps& steps) {
           return steps.refine && steps.rule != Method::Variational;
         });
}

bool takes_smooth_forces(const LinearOptions& options) {
  return options.refine && options.refinement.hold == signal::BetweenSamples::Cubic &&
         options.refinement.method != integrate::Method::Variational;
}

}  // namespace alembert::identify
