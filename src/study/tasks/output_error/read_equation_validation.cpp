#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/text.hpp"
#include "study/parts/equations/held_back_keys.hpp"
#include "study/tasks/output_error/read_output_error.hpp"

namespace alembert::study {
namespace {

using identify::ValidationStart;

bool is_periodic(const OutputErrorStudy& study) {
  return study.options.output_error.simulation.start == identify::StartState::Periodic;
}

ValidationStart default_start(const TableReader& validation, bool start_lists,
                              const OutputErrorStudy& study) {
  using identify::StartState;
  if (validation.has("fraction")) return ValidationStart::Continue;
  switch (study.options.output_error.simulation.start) {
    case StartState::Periodic:
      return ValidationStart::Periodic;
    case StartState::Free:
      return ValidationStart::Estimate;
    case StartState::Data:
      return ValidationStart::Data;
    case StartState::Model:
      break;
  }
  return start_lists ? ValidationStart::Estimate : ValidationStart::Model;
}

// The start must fit the data and the simulation.
void check_start(const TableReader& validation, ValidationStart start, bool start_lists,
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
  const bool fitted = start == ValidationStart::Estimate || start == ValidationStart::Free;
  if (fitted && study.model.states().empty()) {
    validation.fail("start", fmt::format("= \"{}\" needs a model with states", name_of(start)));
  }
  if (start == ValidationStart::Model && start_lists) {
    validation.fail("start",
                    "= \"model\" has no start of the held-back data: the lists of model.start are "
                    "those of the data used; set \"estimate\", \"free\" or \"data\"");
  }
  if (start == ValidationStart::Data) check_states_measured(validation, study);
}

}  // namespace

void check_states_measured(const TableReader& table, const OutputErrorStudy& study) {
  const std::vector<std::string>& states = study.model.states();
  const std::vector<std::string>& outputs = study.model.outputs();
  const bool seen = std::any_of(states.begin(), states.end(), [&](const std::string& state) {
    return std::find(outputs.begin(), outputs.end(), state) != outputs.end();
  });
  if (seen) return;
  table.fail("start", fmt::format("= \"data\" needs an output that is a state; the states are {}, "
                                  "the outputs {}",
                                  join(states, ", "), join(outputs, ", ")));
}

void read_validation_settings(const TableReader& root, bool start_lists, OutputErrorStudy& study) {
  const TableReader validation = root.table("data").table("validation");
  identify::ValidationSettings& settings = study.options.validation;
  settings.start = default_start(validation, start_lists, study);
  held_back_keys().read(validation, settings);
  check_start(validation, settings.start, start_lists, study);
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
