#include "identify/linear/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "alembert/core/text.hpp"
#include "identify/linear/output_motion.hpp"

namespace alembert::identify {
namespace {

void copy_outcome(const Outcome& from, Outcome& to) {
  to.status = from.status;
  to.message = from.message;
}

StartEstimate weak_start(const LinearSetup& setup) {
  const LinearOptions& options = setup.options;
  const WeakFormEstimate found =
      weak_form(options.unknowns, setup.like_data(), options.L, setup.like.motion,
                {.window = options.window, .hold = options.refinement.hold});
  StartEstimate start;
  copy_outcome(found, start);
  start.words = fmt::format("weak form, window {} s",
                            shortest(std::stod(fmt::format("{:.3g}", found.window))));
  start.matrices = found.matrices;
  start.window = found.window;
  start.windows = found.trials;
  return start;
}

// Of either method with a subspace step.
template <typename Estimate>
StartEstimate subspace_start(const Estimate& found, const char* before, const char* behind) {
  StartEstimate start;
  copy_outcome(found, start);
  start.order = found.subspace.order;
  start.horizon = found.subspace.horizon;
  start.singular_values = found.subspace.singular_values;
  start.words =
      fmt::format("{}, order {}, horizon {}{}", before, start.order, start.horizon, behind);
  start.matrices = found.matrices;
  start.asymmetry = found.asymmetry;
  return start;
}

FoundStart partial_start(const LinearSetup& setup) {
  const LinearOptions& options = setup.options;
  const LikeOutputs& like = setup.like;
  RefineOptions refine = options.refinement;
  if (refine.weights.size() > 0) refine.weights = refine.weights(like.outputs).eval();
  PartialSensing found = identify_partially_sensed(
      setup.like_data(), options.L, selected_map(options.outputs, like.outputs), like.motion,
      {.hold = refine.hold, .max_candidates = options.max_candidates, .refine = refine});
  FoundStart result;
  StartEstimate& start = result.estimate;
  copy_outcome(found, start);
  start.words = fmt::format("partial sensing, {} candidate{}", found.candidates.size(),
                            found.candidates.size() == 1 ? "" : "s");
  start.candidates = found.candidates;
  start.matrices = found.start;
  if (found.refinement.system.M.size() == 0) return result;
  // The like outputs come in the order of the coordinates, which the records need not share.
  const bool all = setup.selected.empty();
  if (all && all_entries_free(options.unknowns) && options.refine) {
    result.refinement = std::move(found.refinement);
  } else {
    start.matrices = matrices_of(found.refinement.system);
  }
  return result;
}

FoundStart start_by(const LinearSetup& setup, StartMethod method) {
  const LinearOptions& options = setup.options;
  switch (method) {
    case StartMethod::WeakForm:
      return {weak_start(setup), {}};
    case StartMethod::Partial:
      return partial_start(setup);
    case StartMethod::Subspace:
      return {subspace_start(projected_subspace(
                                 setup.like_data(), options.L,
                                 {.subspace = options.subspace, .scaling = options.mass_scaling}),
                             "subspace", ", matrix logarithm"),
              {}};
    case StartMethod::Companion:
      return {subspace_start(variational_start(
                                 setup.like_data(), options.L,
                                 {.input = options.companion_input, .subspace = options.subspace}),
                             "subspace in companion form", ""),
              {}};
    case StartMethod::Nominal:
      break;
  }
  FoundStart found;
  found.estimate.words = "nominal model";
  found.estimate.matrices = *options.nominal;
  return found;
}

}  // namespace

bool usable(const Matrices& matrices) {
  return matrices.M.size() > 0 && matrices.M.allFinite() && matrices.D.allFinite() &&
         matrices.K.allFinite();
}

bool StartEstimate::usable() const { return identify::usable(matrices); }

FoundStart find_start(const LinearSetup& setup, StartMethod method) {
  FoundStart found = start_by(setup, method);
  found.estimate.method = method;
  return found;
}

Matrices refinable(const Matrices& matrices, StartMethod method) {
  return method == StartMethod::Nominal ? matrices : clipped(matrices);
}

Prediction prediction_of(const LinearSetup& setup, const Matrices& matrices,
                         const RefineOptions& options) {
  // An indefinite estimate could not be simulated; what is nearest to it can.
  const Matrices stable = clipped(matrices);
  return predict({stable.M, stable.D, stable.K, setup.options.L}, setup.options.outputs, setup.data,
                 options);
}

}  // namespace alembert::identify
