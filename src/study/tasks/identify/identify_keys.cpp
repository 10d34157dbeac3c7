#include "study/tasks/identify/identify_keys.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace alembert::study {
namespace {

using identify::LinearOptions;
using identify::RefineOptions;
using identify::StartMethod;
using identify::SubspaceOptions;
using integrate::Method;

constexpr const char* kNoEffect = "has no effect";

// The main method or a compared one starts by one of these.
std::function<bool(const LinearOptions&)> with_start(std::vector<StartMethod> starts) {
  return [starts = std::move(starts)](const LinearOptions& options) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](StartMethod start) { return identify::uses_start(options, start); });
  };
}

void add_start_keys(BoundKeys<LinearOptions>& keys) {
  keys.other({.name = "method",
              .forms = kText,
              .help = "how the matrices are found",
              .choices = {"variational"},
              .fallback = "\"variational\""})
      .key("start", &LinearOptions::start,
           {.help = "first estimate, before the refinement",
            .fallback_note = "weak-form with one kind of motion at all coordinates (partial if "
                             "that leads nowhere), else partial"})
      .key("window", &LinearOptions::window,
           {.help = "length of the test functions of start = \"weak-form\"",
            .unit = "s",
            .range = above(0.0),
            .fallback_note = "the best of a grid"})
      .used_when(with_start({StartMethod::WeakForm}), kNoEffect)
      .key("candidates", &LinearOptions::max_candidates,
           {.help = "at most so many attempts of start = \"partial\"",
            .range = within(1.0, 12.0),
            .argument = "max_candidates"})
      .used_when(with_start({StartMethod::Partial}), kNoEffect)
      .key("horizon", field_of(&LinearOptions::subspace, &SubspaceOptions::horizon),
           {.help = "block rows of the subspace step (subspace, companion)",
            .range = within(2.0, 1000.0),
            .fallback_note = "1.25 periods of the fastest motion"})
      .used_when(with_start({StartMethod::Subspace, StartMethod::Companion}), kNoEffect)
      .key("weighting", field_of(&LinearOptions::subspace, &SubspaceOptions::weighting),
           {.help = "of the subspace step (subspace, companion)"})
      .used_when(with_start({StartMethod::Subspace, StartMethod::Companion}), kNoEffect)
      .key("mass-scaling", &LinearOptions::mass_scaling,
           {.help = "what fixes the mass in start = \"subspace\""})
      .used_when(with_start({StartMethod::Subspace}), kNoEffect)
      .key("companion-input", &LinearOptions::companion_input,
           {.help = "input of the subspace step of start = \"companion\""})
      .used_when(with_start({StartMethod::Companion}), kNoEffect)
      .key("published-input", &LinearOptions::companion_input,
           {.help = "as companion-input",
            .fallback_note = "as companion-input",
            .now_called = "companion-input"})
      .used_when(with_start({StartMethod::Companion}), kNoEffect);
}

void add_refine_keys(BoundKeys<LinearOptions>& keys) {
  keys.other({.name = "refine",
              .forms = kText,
              .help = "time stepping of the refinement, or none",
              .choices = {"exact", "midpoint", "gauss", "none"},
              .fallback = "\"exact\""})
      .choice("hold", field_of(&LinearOptions::refinement, &RefineOptions::hold),
              integrate::hold_names(),
              {.help = "the forces between samples, but for refine = \"midpoint\""})
      .used_when(identify::uses_hold, kNoEffect)
      .key("stages", field_of(&LinearOptions::refinement, &RefineOptions::gauss_stages),
           {.help = "of refine = \"gauss\", whose order is 2 stages", .range = within(1.0, 3.0)})
      .used_when(identify::uses_gauss_stages, kNoEffect)
      .key("free-start", field_of(&LinearOptions::refinement, &RefineOptions::free_start),
           {.help = "estimate the state at the first sample; false: at rest"})
      .key("max-iterations", field_of(&LinearOptions::refinement, &RefineOptions::max_iterations),
           {.help = "of the refinement", .range = within(1.0, 10000.0)})
      .used_when(identify::uses_refinement, kNoEffect)
      .key("tolerance", field_of(&LinearOptions::refinement, &RefineOptions::tolerance),
           {.help = "relative decrease of the cost that ends the refinement",
            .range = within(1e-15, 1e-2)})
      .used_when(identify::uses_refinement, kNoEffect)
      .key("input-noise", field_of(&LinearOptions::refinement, &RefineOptions::input_noise),
           {.help = "standard deviation of white noise on each measured force, whose bias is then "
                    "taken off; one number: on all of them",
            .unit = "of the forces",
            .range = at_least(0.0),
            .forms = kNumber | kNumbers,
            .fallback_note = "0: the forces are exact"})
      .used_when(identify::uses_refinement, kNoEffect)
      .key("compare", &LinearOptions::compare,
           {.help = "other methods to run on the same data",
            .fallback_note = "none",
            .tasks = {"identify"}})
      .key("alternatives", &LinearOptions::alternatives,
           {.help = "where the fit is bad, try other signs, orders, units, delays and holds of the "
                    "columns",
            .tasks = {"identify"}});
}

}  // namespace

const BoundKeys<LinearOptions>& identify_keys() {
  static const BoundKeys<LinearOptions> keys = [] {
    BoundKeys<LinearOptions> list;
    add_start_keys(list);
    add_refine_keys(list);
    return list;
  }();
  return keys;
}

std::string refine_text(const LinearOptions& options) {
  if (!options.refine) return "none";
  switch (options.refinement.method) {
    case Method::Variational:
      return "midpoint";
    case Method::Gauss:
      return "gauss";
    default:
      return "exact";
  }
}

void read_identify_keys(const TableReader& identify, LinearOptions& options,
                        std::vector<std::string>& notes) {
  identify_keys().read(identify, options, &notes);
  // One key for two fields: whether to refine, and by which rule.
  const std::string rule = identify.text("refine");
  options.refine = rule != "none";
  options.refinement.method = rule == "midpoint" ? Method::Variational
                              : rule == "gauss"  ? Method::Gauss
                                                 : Method::Exact;
}

}  // namespace alembert::study
