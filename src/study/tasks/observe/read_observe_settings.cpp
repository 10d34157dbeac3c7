#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/enum_names.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/observe/read_observe.hpp"

namespace alembert::study {
namespace {

using estimate::AccelerationScheme;
using estimate::Discretisation;
using estimate::KinematicObserverOptions;
using estimate::MotionModel;
using estimate::ObserverFilter;
using estimate::ObserverForm;

void refuse(const TableReader& table, const std::string& key, const std::string& reason) {
  if (table.has(key)) table.fail_at_key(key, table.name(key) + " has no place " + reason);
}

// The value of an enum that a key names; the key has been checked.
template <NamedEnum Enum>
Enum named(const TableReader& table, const std::string& key) {
  return enum_named<Enum>(table.text(key)).value_or(Enum{});
}

// Keys of the other form do nothing, so that they are an error.
void check_form(const TableReader& table, ObserverForm form) {
  const std::vector<std::string> of_output = {"motion", "density", "fit-sigma", "lengths",
                                              "biases"};
  const std::vector<std::string> of_input = {"inputs", "discretisation",    "scheme", "gamma",
                                             "noise",  "noise-from-inputs", "switch"};
  const bool output = form == ObserverForm::Output;
  for (const std::string& key : output ? of_input : of_output) {
    refuse(table, key, fmt::format("with form = \"{}\"", output ? "output" : "input"));
  }
}

Eigen::VectorXd one_for_each(const TableReader& table, const std::string& key,
                             const ObserveStudy& study) {
  const Eigen::VectorXd numbers = table.vector(key);
  if (numbers.size() != study.mechanism->coordinates()) {
    table.fail(key, fmt::format("must hold one number for each coordinate, {}, got {}",
                                study.mechanism->coordinates(), numbers.size()));
  }
  return numbers;
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
  estimate::ObserverStart& start = study.options.start;
  study.options.given = {.coordinates = table.has("coordinates"),
                         .velocities = table.has("velocities"),
                         .accelerations = table.has("accelerations"),
                         .coordinate_sigma = table.has("coordinate-sigma"),
                         .velocity_sigma = table.has("velocity-sigma"),
                         .acceleration_sigma = table.has("acceleration-sigma")};
  if (table.has("coordinates")) start.z = one_for_each(table, "coordinates", study);
  if (table.has("velocities")) start.zd = one_for_each(table, "velocities", study);
  if (table.has("accelerations")) start.zdd = one_for_each(table, "accelerations", study);
  start.sigma_z = table.optional_number("coordinate-sigma").value_or(start.sigma_z);
  start.sigma_zd = table.optional_number("velocity-sigma").value_or(start.sigma_zd);
  start.sigma_zdd = table.optional_number("acceleration-sigma").value_or(start.sigma_zdd);
  start.sigma_zddd = table.number("jerk-sigma");
  if (study.options.form == ObserverForm::Input ||
      study.options.output.motion == MotionModel::WhiteJerk) {
    refuse(table, "jerk-sigma", "without motion = \"white-snap\"");
  }
}

void read_density(const TableReader& table, ObserveStudy& study) {
  study.options.fit_density = !table.has("density");
  if (study.options.fit_density) return;
  std::vector<double>& density = study.options.output_noise.density;
  if (table.form("density") == kNumbers) {
    const Eigen::VectorXd numbers = one_for_each(table, "density", study);
    density.assign(numbers.begin(), numbers.end());
  } else {
    density = {table.number("density")};
  }
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

// A number for all, or one for each.
std::vector<double> one_or_each(const TableReader& table, const std::string& key, int count,
                                const std::string& what) {
  if (table.form(key) != kNumbers) {
    return std::vector<double>(static_cast<std::size_t>(count), table.number(key));
  }
  std::vector<double> numbers = table.numbers(key);
  if (static_cast<int>(numbers.size()) == count) return numbers;
  table.fail(key, fmt::format("must hold one number for each {}, {}, got {}", what, count,
                              numbers.size()));
}

void read_output_form(const TableReader& table, ObserveStudy& study) {
  KinematicObserverOptions& options = study.options;
  options.output.motion = named<MotionModel>(table, "motion");
  read_density(table, study);
  if (table.has("fit-sigma")) read_fit_sigma(table, study);
  if (table.has("lengths")) {
    const TableReader lengths = table.table("lengths");
    if (study.mechanism->parameters() == 0) {
      table.fail_at_key("lengths",
                        "observe.lengths needs [mechanism.parameters]: which lengths there are");
    }
    options.output.geometry = true;
    options.start.sigma_parameters =
        one_or_each(lengths, "sigma", study.mechanism->parameters(), "length");
    options.output_noise.parameter_density = lengths.number("walk");
  }
  if (table.has("biases")) {
    const TableReader biases = table.table("biases");
    options.output.biases = sensors_named(biases, "sensors", study);
    options.start.sigma_biases =
        one_or_each(biases, "sigma", static_cast<int>(options.output.biases.size()), "sensor");
    options.output_noise.bias_density = biases.number("walk");
  }
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

void read_switch(const TableReader& table, KinematicObserverOptions& options) {
  if (table.has("noise")) options.input_noise.kinematic = table.numbers("noise");
  options.input_noise.from_inputs = table.boolean("noise-from-inputs");
  if (!table.has("switch")) return;
  const TableReader rule = table.table("switch");
  options.switching.threshold = rule.number("threshold");
  options.switching.release_ratio = rule.number("release");
  options.switching.look_ahead = rule.number("look-ahead");
  if (rule.has("noise")) options.input_noise.random_walk = rule.numbers("noise");
}

void read_input_form(const TableReader& table, ObserveStudy& study) {
  KinematicObserverOptions& options = study.options;
  study.options.fit_density = false;  // it has none
  options.input.inputs = table.has("inputs") ? sensors_named(table, "inputs", study)
                                             : default_inputs(*study.mechanism);
  for (int i = 0; i < study.mechanism->sensors(); ++i) {
    if (study.mechanism->sensor_order(i) == 0) options.input.outputs.push_back(i);
  }
  const int wanted = study.mechanism->coordinates();
  if (static_cast<int>(options.input.inputs.size()) < wanted) {
    table.fail(table.has("inputs") ? "inputs" : "form",
               fmt::format("= \"input\" needs accelerometers or rate sensors for {} coordinates, "
                           "got {}",
                           wanted, options.input.inputs.size()));
  }
  options.input.discretisation = named<Discretisation>(table, "discretisation");
  options.input.scheme = named<AccelerationScheme>(table, "scheme");
  if (study.mechanism->sensor_order(options.input.inputs.front()) == 1) {
    refuse(table, "scheme", "with rates as inputs");
    options.input.scheme = AccelerationScheme::None;
  }
  options.input.gamma = table.number("gamma");
  if (options.input.scheme != AccelerationScheme::Newmark &&
      options.input.scheme != AccelerationScheme::NewmarkConstraint) {
    refuse(table, "gamma", "without a newmark scheme");
  }
  read_switch(table, options);
}

void read_adaptation(const TableReader& observe, KinematicObserverOptions& options) {
  if (!observe.has("adapt")) return;
  const TableReader table = observe.table("adapt");
  const bool output = options.form == ObserverForm::Output;
  if (!output) refuse(table, "density", "with form = \"input\"");
  options.adapt.window = static_cast<int>(table.integer("window"));
  options.adapt.outputs = table.boolean("sensors");
  options.adapt.process =
      output && (table.has("density") ? table.boolean("density") : !options.adapt.outputs);
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

void read_filter(const TableReader& table, KinematicObserverOptions& options) {
  options.filter = named<ObserverFilter>(table, "filter");
  const bool simplex = options.filter.rule == estimate::FilterRule::Simplex;
  if (!simplex) refuse(table, "central-weight", "without a simplex filter");
  if (table.has("central-weight")) options.central_weight = table.number("central-weight");
  if (table.has("gate")) {
    const TableReader gate = table.table("gate");
    options.gate.probability = gate.number("probability");
    options.gate.each_output = gate.boolean("each-sensor");
  }
  read_adaptation(table, options);
}

void read_workspace(const TableReader& observe, ObserveStudy& study) {
  if (!observe.has("workspace")) return;
  const TableReader table = observe.table("workspace");
  estimate::Workspace& workspace = study.options.workspace;
  workspace.lower = one_for_each(table, "lower", study);
  workspace.upper = one_for_each(table, "upper", study);
  for (Eigen::Index i = 0; i < workspace.lower.size(); ++i) {
    if (workspace.lower(i) < workspace.upper(i)) continue;
    table.fail("upper", fmt::format("must be above lower, got {} and {} for coordinate {}",
                                    workspace.upper(i), workspace.lower(i), i + 1));
  }
  if (!table.has("points")) return;
  workspace.points = static_cast<int>(table.integer("points"));
  double places = 1.0;
  for (int i = 0; i < study.mechanism->coordinates(); ++i) places *= workspace.points;
  if (places > 1e5) {
    table.fail("points", fmt::format("must give 1e5 places at most, got {:.3g}", places));
  }
}

}  // namespace

void read_observe_settings(const TableReader& observe, ObserveStudy& study) {
  study.options.form = named<ObserverForm>(observe, "form");
  check_form(observe, study.options.form);
  read_filter(observe, study.options);
  if (study.options.form == ObserverForm::Output) {
    read_output_form(observe, study);
  } else {
    read_input_form(observe, study);
  }
  read_start(observe, study);
  read_workspace(observe, study);
  study.options.smooth = observe.boolean("smooth");
  study.options.scored_from = observe.optional_number("scored-from");
}

}  // namespace alembert::study
