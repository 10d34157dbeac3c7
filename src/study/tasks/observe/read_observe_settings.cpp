#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"
#include "study/tasks/observe/tables_observe.hpp"

namespace alembert::study {
namespace {

using estimate::ObserveOptions;
using estimate::ObserverForm;

// Reads keys into the options. Keys that do nothing with these settings are an error.
void read_keys(const ObserveKeys& keys, const TableReader& table, ObserveStudy& study) {
  keys.read(table, study.options, &study.notes);
  keys.refuse_unused(table, study.options);
}

void check_one_for_each(const TableReader& table, const std::string& key,
                        const ObserveStudy& study) {
  if (table.form(key) != kNumbers) return;
  const Eigen::Index count = table.vector(key).size();
  if (count == study.mechanism->coordinates()) return;
  table.fail(key, fmt::format("must hold one number for each coordinate, {}, got {}",
                              study.mechanism->coordinates(), count));
}

// Places of sensors by name in the mechanism.
std::vector<int> sensors_named(const TableReader& table, const std::string& key,
                               const ObserveStudy& study) {
  const std::vector<std::string> names =
      mapped(study.mechanism->description().sensors, [](const auto& one) { return one.name; });
  std::vector<int> places;
  for (const std::string& name : table.texts(key)) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      table.fail(key, fmt::format("names \"{}\", which is no sensor of [data.sensors]{}", name,
                                  suggestion(name, names)));
    }
    const int place = static_cast<int>(found - names.begin());
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      table.fail(key, fmt::format("must name different sensors, got \"{}\" twice", name));
    }
    places.push_back(place);
  }
  return places;
}

void read_start(const TableReader& observe, ObserveStudy& study) {
  const TableReader table = observe.table("start");
  for (const char* key : {"coordinates", "velocities", "accelerations"}) {
    check_one_for_each(table, key, study);
  }
  read_keys(observe_start_keys(), table, study);
  study.options.given = {.coordinates = table.has("coordinates"),
                         .velocities = table.has("velocities"),
                         .accelerations = table.has("accelerations"),
                         .coordinate_sigma = table.has("coordinate-sigma"),
                         .velocity_sigma = table.has("velocity-sigma"),
                         .acceleration_sigma = table.has("acceleration-sigma")};
}

void read_fit_sigma(const TableReader& table, ObserveStudy& study) {
  study.options.fit_sigma = sensors_named(table, "fit-sigma", study);
  for (const int sensor : study.options.fit_sigma) {
    const model::planar::Sensor& one =
        study.mechanism->description().sensors[static_cast<std::size_t>(sensor)];
    if (one.sigma > 0.0) continue;
    table.fail("fit-sigma", fmt::format("names \"{}\", which needs a sigma as a guess", one.name));
  }
}

// A number for all becomes one for each.
void spread_to_each(const TableReader& table, const std::string& key, int count,
                    const std::string& what, std::vector<double>& numbers) {
  const auto wanted = static_cast<std::size_t>(count);
  if (table.form(key) != kNumbers) numbers.resize(wanted, numbers.front());
  if (numbers.size() == wanted) return;
  table.fail(key, fmt::format("must hold one number for each {}, {}, got {}", what, count,
                              numbers.size()));
}

void read_length_errors(const TableReader& observe, ObserveStudy& study) {
  if (!observe.has("lengths")) return;
  const int count = study.mechanism->parameters();
  if (count == 0) {
    observe.fail_at_key("lengths",
                        "observe.lengths needs [mechanism.parameters]: which lengths there are");
  }
  const TableReader table = observe.table("lengths");
  read_keys(observe_length_keys(), table, study);
  study.options.output.geometry = true;
  spread_to_each(table, "sigma", count, "length", study.options.start.sigma_parameters);
}

void read_sensor_biases(const TableReader& observe, ObserveStudy& study) {
  if (!observe.has("biases")) return;
  const TableReader table = observe.table("biases");
  read_keys(observe_bias_keys(), table, study);
  std::vector<int>& biases = study.options.output.biases;
  biases = sensors_named(table, "sensors", study);
  spread_to_each(table, "sigma", static_cast<int>(biases.size()), "sensor",
                 study.options.start.sigma_biases);
}

// Whether unknown forces can be sought, and how they move.
void read_observed_forces(const TableReader& observe, ObserveStudy& study) {
  study.options.output.forces = observe.text("method") == "force";
  if (!study.options.output.forces) {
    if (!observe.has("forces")) return;
    observe.fail_at_key("forces", "observe.forces has no place without method = \"force\"");
  }
  try {
    if (study.options.form != ObserverForm::Dynamic) {
      (void)estimate::ForceBalance(*study.mechanism);
    } else {
      estimate::check_unknown_forces("observe", *study.mechanism);
    }
  } catch (const InvalidInput& error) {
    throw StudyError(observe.place("method"),
                     "observe.method = \"force\" is not possible: " + error.reason());
  }
  read_keys(observe_force_keys(), observe.table("forces"), study);
}

// Levels of motion and forces are given both or found both.
void check_levels(const TableReader& observe, const std::string& key, const ObserveStudy& study) {
  const TableReader forces = observe.table("forces");
  if (!study.options.output.forces || forces.has("density") == observe.has(key)) return;
  if (study.options.output.force_model == estimate::ForceModel::Constant) return;
  const auto& all = study.mechanism->description().forces;
  if (std::all_of(all.begin(), all.end(), [](const auto& one) { return one.known; })) return;
  const bool of_forces = forces.has("density");
  (of_forces ? forces : observe)
      .fail(of_forces ? "density" : key,
            fmt::format("needs the other: give observe.{} and observe.forces.density both, or "
                        "neither, and they are found from the readings",
                        key));
}

// Lengths, biases and sigma that are estimated too.
void read_constants_sought(const TableReader& table, ObserveStudy& study) {
  if (table.has("fit-sigma")) read_fit_sigma(table, study);
  read_length_errors(table, study);
  read_sensor_biases(table, study);
}

void read_output_form(const TableReader& table, ObserveStudy& study) {
  read_observed_forces(table, study);
  check_levels(table, "density", study);
  study.options.fit_density = !table.has("density");
  study.options.fit_motion = study.options.fit_density && !table.has("motion");
  check_one_for_each(table, "density", study);
  read_constants_sought(table, study);
}

void read_dynamic_form(const TableReader& table, ObserveStudy& study) {
  if (table.text("method") != "force") {
    table.fail("form", "= \"dynamic\" needs method = \"force\"");
  }
  read_observed_forces(table, study);
  check_levels(table, "noise", study);
  study.options.fit_density = !table.has("noise");
  read_constants_sought(table, study);
}

// All accelerometers, else all rates.
std::vector<int> default_inputs(const model::planar::Mechanism& mechanism) {
  for (const int order : {2, 1}) {
    std::vector<int> found;
    for (int i = 0; i < mechanism.sensors(); ++i) {
      if (mechanism.sensor_order(i) == order) found.push_back(i);
    }
    if (!found.empty()) return found;
  }
  return {};
}

void read_input_form(const TableReader& table, ObserveStudy& study) {
  estimate::InputFormOptions& input = study.options.input;
  study.options.fit_density = false;  // it has none
  input.inputs = table.has("inputs") ? sensors_named(table, "inputs", study)
                                     : default_inputs(*study.mechanism);
  for (int i = 0; i < study.mechanism->sensors(); ++i) {
    if (study.mechanism->sensor_order(i) == 0) input.outputs.push_back(i);
  }
  const int wanted = study.mechanism->coordinates();
  if (static_cast<int>(input.inputs.size()) < wanted) {
    table.fail(table.has("inputs") ? "inputs" : "form",
               fmt::format("= \"input\" needs accelerometers or rate sensors for {} coordinates, "
                           "got {}",
                           wanted, input.inputs.size()));
  }
  if (study.mechanism->sensor_order(input.inputs.front()) == 1) {
    if (table.has("scheme")) {
      table.fail_at_key("scheme", table.name("scheme") + " has no place with rates as inputs");
    }
    input.scheme = estimate::AccelerationScheme::None;
  }
  read_keys(observe_switch_keys(), table.table("switch"), study);
}

// The first stage as if it were alone, then how the forces walk along it.
void read_two_stages(const TableReader& table, ObserveStudy& study) {
  if (table.text("method") != "force") {
    table.fail("form", "= \"two-stage\" needs method = \"force\"");
  }
  read_observed_forces(table, study);
  if (study.options.stages.motion == ObserverForm::Input) {
    read_input_form(table, study);
    study.options.fit_density = !table.table("forces").has("density");
    return;
  }
  check_levels(table, "density", study);
  study.options.fit_density = !table.has("density");
  study.options.fit_motion = study.options.fit_density && !table.has("motion");
  check_one_for_each(table, "density", study);
  read_constants_sought(table, study);
}

void read_adaptation(const TableReader& observe, ObserveStudy& study) {
  if (!observe.has("adapt")) return;
  const TableReader table = observe.table("adapt");
  read_keys(observe_adapt_keys(), table, study);
  ObserveOptions& options = study.options;
  if (!table.has("density")) {
    options.adapt.process = options.form == ObserverForm::Output && !options.adapt.outputs;
  }
  if (options.adapt.process && options.adapt.outputs) {
    table.fail_at_key("density",
                      "observe.adapt follows the density or the sensors, not both: the readings do "
                      "not tell them apart");
  }
  if (options.adapt.outputs && options.gate.probability < 0.999) {
    observe.table("gate").fail("probability",
                               "must be at least 0.999 with observe.adapt.sensors, which would "
                               "take the readings that pass for all noise");
  }
  if (options.adapt.process || options.adapt.outputs) return;
  table.fail_at_key("window", "observe.adapt has nothing to adapt: neither density nor sensors");
}

void read_workspace(const TableReader& observe, ObserveStudy& study) {
  if (!observe.has("workspace")) return;
  const TableReader table = observe.table("workspace");
  for (const char* key : {"lower", "upper"}) check_one_for_each(table, key, study);
  read_keys(observe_workspace_keys(), table, study);
  const estimate::Workspace& workspace = study.options.workspace;
  for (Eigen::Index i = 0; i < workspace.lower.size(); ++i) {
    if (workspace.lower(i) < workspace.upper(i)) continue;
    table.fail("upper", fmt::format("must be above lower, got {} and {} for coordinate {}",
                                    workspace.upper(i), workspace.lower(i), i + 1));
  }
  if (!table.has("points")) return;
  double places = 1.0;
  for (int i = 0; i < study.mechanism->coordinates(); ++i) places *= workspace.points;
  if (places > 1e5) {
    table.fail("points", fmt::format("must give 1e5 places at most, got {:.3g}", places));
  }
}

}  // namespace

void read_observe_settings(const TableReader& observe, ObserveStudy& study) {
  observe_stage_keys().read(observe.table("stages"), study.options, &study.notes);
  read_keys(observe_keys(), observe, study);
  read_keys(observe_gate_keys(), observe.table("gate"), study);
  read_adaptation(observe, study);
  switch (study.options.form) {
    case ObserverForm::Output:
      read_output_form(observe, study);
      break;
    case ObserverForm::Dynamic:
      read_dynamic_form(observe, study);
      break;
    case ObserverForm::TwoStage:
      read_two_stages(observe, study);
      break;
    case ObserverForm::Input:
      if (observe.text("method") == "force") {
        observe.fail("method", "= \"force\" needs form = \"output\", \"dynamic\" or \"two-stage\"");
      }
      read_input_form(observe, study);
      break;
  }
  read_start(observe, study);
  read_workspace(observe, study);
}

}  // namespace alembert::study
