#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "alembert/study/repeat.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

double number_at(const ResultTree& tree, std::string_view path) {
  const ResultTree* found = tree.find(path);
  return found == nullptr ? kNaN : found->number();
}

std::string text_at(const ResultTree& tree, std::string_view path) {
  const ResultTree* found = tree.find(path);
  return found != nullptr && found->kind() == ResultTree::Kind::Text ? found->text() : "";
}

// Parameters that were not estimated have nothing to show.
bool is_estimated(const ResultTree& item) {
  const std::string role = text_at(item, "role");
  return role.empty() || role == "free";
}

void add_estimate_figures(const ResultTree& list, RunFigures& figures) {
  for (const ResultTree& item : list.entries()) {
    const double value = number_at(item, "value");
    if (!std::isfinite(value) || !is_estimated(item)) continue;
    figures.estimates.push_back({.name = text_at(item, "name"),
                                 .unit = text_at(item, "unit"),
                                 .value = value,
                                 .deviation = number_at(item, "deviation"),
                                 .margin = number_at(item, "margin"),
                                 .truth = number_at(item, "truth")});
  }
}

void add_state_figures(const ResultTree& list, RunFigures& figures) {
  for (const ResultTree& item : list.entries()) {
    figures.states.push_back({.name = text_at(item, "name"),
                              .unit = text_at(item, "unit"),
                              .bias = number_at(item, "bias"),
                              .rms = number_at(item, "rms"),
                              .reported = number_at(item, "reported"),
                              .covered = number_at(item, "covered"),
                              .nees = number_at(item, "nees/mean"),
                              .effective = number_at(item, "nees/effective_samples")});
  }
}

}  // namespace

RunFigures figures_of(const ResultTree& result) {
  RunFigures figures;
  for (const char* list : {"parameters", "unknowns"}) {
    if (const ResultTree* found = result.find(list)) add_estimate_figures(*found, figures);
  }
  if (const ResultTree* states = result.find("truth/states")) add_state_figures(*states, figures);
  if (const ResultTree* nees = result.find("truth/nees")) {
    figures.nees = RunNees{.mean = number_at(*nees, "mean"),
                           .expected = number_at(*nees, "expected"),
                           .effective = number_at(*nees, "effective_samples")};
  }
  return figures;
}

}  // namespace alembert::study
