#include "alembert/identify/linear_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "identify/linear/output_motion.hpp"

namespace alembert::identify {
namespace {

constexpr const char* kChoice = "identify_linear";

/// Why a method cannot be used; "" if it can.
struct Abilities {
  std::string weak_form, partial, subspace, nominal;
};

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
  if (like.outputs.empty()) result.partial = "needs a sensor at a single coordinate";
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
    default:
      return can.subspace;
  }
}

std::string why_not(const Abilities& can, LinearMethod method) {
  switch (method) {
    case LinearMethod::WeakForm:
      return can.weak_form;
    case LinearMethod::Subspace:
    case LinearMethod::Companion:
    case LinearMethod::CompanionMidpoint:
      return can.subspace;
    case LinearMethod::GreyBox:
      return can.nominal;
    default:
      return "";
  }
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
    return {.start = *options.start, .second = {}};
  }
  if (can.weak_form.empty()) {
    ChosenStart chosen{.start = StartMethod::WeakForm, .second = {}};
    if (can.partial.empty()) chosen.second = StartMethod::Partial;
    return chosen;
  }
  if (can.partial.empty()) return {.start = StartMethod::Partial, .second = {}};
  if (can.nominal.empty()) return {.start = StartMethod::Nominal, .second = {}};
  throw InvalidInput({.function = kChoice,
                      .argument = "start",
                      .rule = "cannot be found for these sensors: each is a combination of "
                              "coordinates; give a nominal model"});
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

bool has_subspace_step(StartMethod method) {
  return method == StartMethod::Subspace || method == StartMethod::Companion;
}

bool has_subspace_step(LinearMethod method) {
  return method == LinearMethod::Subspace || method == LinearMethod::Companion ||
         method == LinearMethod::CompanionMidpoint;
}

bool takes_smooth_forces(const LinearOptions& options) {
  return options.refine && options.refinement.hold == signal::BetweenSamples::Cubic &&
         options.refinement.method != integrate::Method::Variational;
}

}  // namespace alembert::identify
