#include "study/tasks/identify/identify_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alembert::study {
namespace {

using identify::LinearMethod;
using identify::LinearOptions;
using identify::RefineOptions;
using identify::StartMethod;
using identify::SubspaceOptions;
using integrate::Method;

constexpr const char* kNoEffect = "has no effect";

bool starts_with(const LinearOptions& options, StartMethod method) {
  return identify::choose_start(options).start == method;
}

bool compares(const LinearOptions& options, LinearMethod method) {
  return std::find(options.compare.begin(), options.compare.end(), method) != options.compare.end();
}

bool uses_weak_form(const LinearOptions& options) {
  return starts_with(options, StartMethod::WeakForm) || compares(options, LinearMethod::WeakForm);
}

bool uses_partial(const LinearOptions& options) {
  return starts_with(options, StartMethod::Partial);
}

bool uses_projection(const LinearOptions& options) {
  return starts_with(options, StartMethod::Subspace) || compares(options, LinearMethod::Subspace);
}

bool uses_companion(const LinearOptions& options) {
  return starts_with(options, StartMethod::Companion) ||
         compares(options, LinearMethod::Companion) ||
         compares(options, LinearMethod::CompanionMidpoint);
}

bool uses_subspace(const LinearOptions& options) {
  return uses_projection(options) || uses_companion(options);
}

bool uses_refinement(const LinearOptions& options) {
  return options.refine || compares(options, LinearMethod::CompanionMidpoint) ||
         compares(options, LinearMethod::GreyBox) || compares(options, LinearMethod::Exact) ||
         compares(options, LinearMethod::Midpoint) || compares(options, LinearMethod::Gauss);
}

bool uses_gauss(const LinearOptions& options) {
  return (options.refine && options.refinement.method == Method::Gauss) ||
         compares(options, LinearMethod::Gauss);
}

bool uses_hold(const LinearOptions& options) {
  return uses_weak_form(options) || uses_partial(options) || uses_gauss(options) ||
         options.refinement.method == Method::Exact || compares(options, LinearMethod::Exact) ||
         compares(options, LinearMethod::GreyBox);
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
      .used_when(uses_weak_form, kNoEffect)
      .key("candidates", &LinearOptions::max_candidates,
           {.help = "at most so many attempts of start = \"partial\"",
            .range = within(1.0, 12.0),
            .argument = "max_candidates"})
      .used_when(uses_partial, kNoEffect)
      .key("horizon", field_of(&LinearOptions::subspace, &SubspaceOptions::horizon),
           {.help = "block rows of the subspace step (subspace, companion)",
            .range = within(2.0, 1000.0),
            .fallback_note = "1.25 periods of the fastest motion"})
      .used_when(uses_subspace, kNoEffect)
      .key("weighting", field_of(&LinearOptions::subspace, &SubspaceOptions::weighting),
           {.help = "of the subspace step (subspace, companion)"})
      .used_when(uses_subspace, kNoEffect)
      .key("mass-scaling", &LinearOptions::mass_scaling,
           {.help = "what fixes the mass in start = \"subspace\""})
      .used_when(uses_projection, kNoEffect)
      .key("companion-input", &LinearOptions::companion_input,
           {.help = "input of the subspace step of start = \"companion\""})
      .used_when(uses_companion, kNoEffect)
      .key("published-input", &LinearOptions::companion_input,
           {.help = "as companion-input",
            .fallback_note = "as companion-input",
            .now_called = "companion-input"})
      .used_when(uses_companion, kNoEffect);
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
      .used_when(uses_hold, kNoEffect)
      .key("stages", field_of(&LinearOptions::refinement, &RefineOptions::gauss_stages),
           {.help = "of refine = \"gauss\", whose order is 2 stages", .range = within(1.0, 3.0)})
      .used_when(uses_gauss, kNoEffect)
      .key("free-start", field_of(&LinearOptions::refinement, &RefineOptions::free_start),
           {.help = "estimate the state at the first sample; false: at rest"})
      .key("max-iterations", field_of(&LinearOptions::refinement, &RefineOptions::max_iterations),
           {.help = "of the refinement", .range = within(1.0, 10000.0)})
      .used_when(uses_refinement, kNoEffect)
      .key("tolerance", field_of(&LinearOptions::refinement, &RefineOptions::tolerance),
           {.help = "relative decrease of the cost that ends the refinement",
            .range = within(1e-15, 1e-2)})
      .used_when(uses_refinement, kNoEffect)
      .key("compare", &LinearOptions::compare,
           {.help = "other methods to run on the same data",
            .fallback_note = "none",
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
