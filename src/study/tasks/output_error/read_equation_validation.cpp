#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/equations/held_back_keys.hpp"
#include "study/tasks/output_error/read_output_error.hpp"

namespace alembert::study {
namespace {

using identify::ValidationStart;

bool is_periodic(const OutputErrorStudy& study) {
  return study.options.output_error.simulation.start == identify::StartState::Periodic;
}

ValidationStart default_start(const TableReader& validation, const OutputErrorStudy& study) {
  if (validation.has("fraction")) return ValidationStart::Continue;
  return is_periodic(study) ? ValidationStart::Periodic : ValidationStart::Model;
}

// The start must fit the data and the simulation.
void check_start(const TableReader& validation, ValidationStart start,
                 const OutputErrorStudy& study) {
  const bool part = validation.has("fraction");
  if (part && (is_periodic(study) || start == ValidationStart::Periodic)) {
    validation.fail("fraction",
                    "cuts the records, which start = \"periodic\" takes for whole ones");
  }
  if (start == ValidationStart::Continue && !part) {
    validation.fail("start", "= \"continue\" is for data.validation.fraction");
  }
  const bool band =
      study.options.output_error.simulation.between == signal::BetweenSamples::BandLimited;
  if (band && start != ValidationStart::Periodic) {
    validation.fail("start", "must be \"periodic\" with identify.between = \"band-limited\"");
  }
  const std::vector<std::string>& states = study.model.states();
  if (start == ValidationStart::Estimate && states.empty()) {
    validation.fail("start", "= \"estimate\" needs a model with states");
  }
  if (start != ValidationStart::Data) return;
  const bool seen = std::any_of(states.begin(), states.end(), [&](const std::string& state) {
    return std::any_of(study.outputs.begin(), study.outputs.end(),
                       [&](const ColumnUse& output) { return output.name == state; });
  });
  if (seen) return;
  validation.fail(
      "start",
      fmt::format(
          "= \"data\" needs an output that is a state; the states are "
          "{}, the outputs {}",
          join(states, ", "),
          join(mapped(study.outputs, [](const ColumnUse& one) { return one.name; }), ", ")));
}

}  // namespace

void read_validation_settings(const TableReader& root, OutputErrorStudy& study) {
  const TableReader validation = root.table("data").table("validation");
  identify::ValidationSettings& settings = study.options.validation;
  settings.start = default_start(validation, study);
  held_back_keys().read(validation, settings);
  check_start(validation, settings.start, study);
  if (settings.start != ValidationStart::Estimate) {
    if (validation.has("start-samples")) {
      validation.fail("start-samples", "is for start = \"estimate\"");
    }
  } else if (!validation.has("start-samples")) {
    settings.start_samples =
        identify::kStartSamplesPerState * static_cast<Eigen::Index>(study.model.states().size());
  }
}

}  // namespace alembert::study
