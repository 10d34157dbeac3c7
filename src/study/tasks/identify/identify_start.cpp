#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "study/tasks/identify/identify_steps.hpp"

namespace alembert::study {
namespace {

using identify::Matrices;

// The data of some outputs only, in the given order.
identify::Experiments with_outputs(const identify::Experiments& data,
                                   const std::vector<Eigen::Index>& outputs) {
  identify::Experiments selected;
  for (const identify::Experiment& experiment : data) {
    selected.push_back({.input = experiment.input,
                        .output = experiment.output(Eigen::all, outputs),
                        .step = experiment.step});
  }
  return selected;
}

void copy_outcome(const Outcome& from, Outcome& to) {
  to.status = from.status;
  to.message = from.message;
}

StartEstimate weak_start(const IdentifyStudy& study, const LikeOutputs& like) {
  const identify::WeakFormEstimate found = identify::weak_form(
      study.unknowns, with_outputs(study.data.experiments, like.outputs), study.model.system.L,
      like.motion, {.window = study.settings.window, .hold = study.settings.refinement.hold});
  StartEstimate start;
  copy_outcome(found, start);
  start.words = fmt::format("weak form, window {} s",
                            shortest(std::stod(fmt::format("{:.3g}", found.window))));
  start.matrices = found.matrices;
  start.window = found.window;
  start.windows = found.trials;
  return start;
}

void take_subspace(const identify::SubspaceModel& model, StartEstimate& start) {
  start.order = model.order;
  start.horizon = model.horizon;
  start.singular_values = model.singular_values;
}

StartEstimate subspace_start(const IdentifyStudy& study, const LikeOutputs& like) {
  const identify::RivalEstimate found = identify::rival_method(
      with_outputs(study.data.experiments, like.outputs), study.model.system.L,
      {.subspace = study.settings.subspace, .scaling = study.settings.mass_scaling});
  StartEstimate start;
  copy_outcome(found, start);
  take_subspace(found.subspace, start);
  start.words =
      fmt::format("subspace, order {}, horizon {}, matrix logarithm", start.order, start.horizon);
  start.matrices = found.matrices;
  start.asymmetry = found.asymmetry;
  return start;
}

StartEstimate published_start(const IdentifyStudy& study, const LikeOutputs& like) {
  const identify::VariationalStart found = identify::variational_start(
      with_outputs(study.data.experiments, like.outputs), study.model.system.L,
      {.input = study.settings.published_input, .subspace = study.settings.subspace});
  StartEstimate start;
  copy_outcome(found, start);
  take_subspace(found.subspace, start);
  start.words = fmt::format("published pipeline, order {}, horizon {}", start.order, start.horizon);
  start.matrices = found.matrices;
  start.asymmetry = found.asymmetry;
  return start;
}

bool all_entries_free(const identify::Parametrisation& unknowns) {
  const Eigen::Index n = unknowns.degrees_of_freedom;
  return !unknowns.proportional_damping && unknowns.basis.cols() == 3 * n * (n + 1) / 2;
}

model::OutputMap selected_map(const model::OutputMap& map,
                              const std::vector<Eigen::Index>& outputs) {
  return {map.displacement(outputs, Eigen::all), map.velocity(outputs, Eigen::all),
          map.acceleration(outputs, Eigen::all)};
}

FoundStart partial_start(const IdentifyStudy& study, const LikeOutputs& like,
                         const RunOptions& options) {
  const bool all = like.outputs.size() == study.outputs.size();
  identify::RefineOptions refine = study.settings.refinement;
  refine.stop = options.stop;
  if (refine.weights.size() > 0) refine.weights = refine.weights(like.outputs).eval();
  identify::PartialSensing found = identify::identify_partially_sensed(
      with_outputs(study.data.experiments, like.outputs), study.model.system.L,
      selected_map(output_map(study), like.outputs), like.motion,
      {.hold = refine.hold, .max_candidates = study.settings.candidates, .refine = refine});
  FoundStart result;
  StartEstimate& start = result.estimate;
  copy_outcome(found, start);
  start.words = fmt::format("partial sensing, {} candidate{}", found.candidates.size(),
                            found.candidates.size() == 1 ? "" : "s");
  start.candidates = found.candidates;
  start.matrices = found.start;
  if (found.refinement.system.M.size() == 0) return result;
  // The outputs come in the order of the coordinates, which the study need not share.
  const bool same_order = std::is_sorted(like.outputs.begin(), like.outputs.end());
  if (all && same_order && all_entries_free(study.unknowns) && study.settings.refine) {
    result.refinement = std::move(found.refinement);
  } else {
    start.matrices = matrices_of(found.refinement.system);
  }
  return result;
}

}  // namespace

bool usable(const Matrices& matrices) {
  return matrices.M.size() > 0 && matrices.M.allFinite() && matrices.D.allFinite() &&
         matrices.K.allFinite();
}

FoundStart find_start(const IdentifyStudy& study, StartMethod method, const RunOptions& options) {
  const LikeOutputs like = like_outputs(study.outputs);
  switch (method) {
    case StartMethod::WeakForm:
      return {weak_start(study, like), {}};
    case StartMethod::Partial:
      return partial_start(study, like, options);
    case StartMethod::Subspace:
      return {subspace_start(study, like), {}};
    case StartMethod::Published:
      return {published_start(study, like), {}};
    case StartMethod::Model:
      break;
  }
  StartEstimate start;
  start.words = "nominal model of the study";
  start.matrices = matrices_of(study.model.system);
  return {std::move(start), {}};
}

identify::Refinement refined(const IdentifyStudy& study, const Matrices& start,
                             const identify::RefineOptions& options) {
  return identify::refine({study.model.system.L, output_map(study), study.unknowns},
                          study.data.experiments, start, options);
}

}  // namespace alembert::study
