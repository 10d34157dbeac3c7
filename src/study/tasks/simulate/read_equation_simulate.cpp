#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "study/parts/data/read_inputs.hpp"
#include "study/parts/data/sensor_errors.hpp"
#include "study/parts/equations/read_equation_model.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/parts/names.hpp"
#include "study/tasks/simulate/read_simulate.hpp"
#include "study/tasks/simulate/tables_equation_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

void add_once(const std::string& name, std::vector<std::string>& names) {
  if (index_of(names, name) < 0) names.push_back(name);
}

/// Reads a study step by step; each needs those before it.
class EquationSimulateReader {
 public:
  EquationSimulateReader(const TableReader& root, const FileContext& files)
      : root_(root), simulate_(root.table("simulate")), files_(files) {}

  EquationSystem read_model(std::vector<std::string>& notes) {
    EquationSystem equations;
    equations.text = root_.table("model").text("equations");
    EquationNames names = names_of_study();
    // The states are known only after reading, and truth.csv is to have them all.
    std::vector<std::string> signals = read_equation_model(root_, names, files_).model.states();
    for (const std::string& seen : names.outputs) add_once(seen, signals);
    names.outputs = signals;
    EquationReading reading = read_equation_model(root_, names, files_);
    if (!reading.start_lists.empty()) {
      root_.table("model").table("start").fail(
          reading.start_lists.front().state,
          "is a list for several experiments, and a simulation is one; give a number");
    }
    equations.model = std::move(reading.model);
    equations.signals = std::move(signals);
    for (const std::string& signal : equations.signals) {
      equations.signal_units.push_back(equation_unit(root_, equations.model, signal));
    }
    const TableReader parameters = simulate_.table("parameters");
    equations.parameters.resize(static_cast<Eigen::Index>(names.parameters.size()));
    for (std::size_t i = 0; i < names.parameters.size(); ++i) {
      equations.parameters(static_cast<Eigen::Index>(i)) = parameters.number(names.parameters[i]);
      equations.parameter_units.push_back(
          equation_unit(root_, equations.model, names.parameters[i]));
    }
    for (const std::string& name : equations.model.unused()) {
      notes.push_back(fmt::format("{} has no effect", name));
    }
    equations.simulation = read_simulation_options(simulate_, kSimulateSubsteps);
    check_start(equations.simulation.start);
    equations.engine = read_engine(simulate_);
    const TableReader units = root_.table("model").table("units");
    equations.inputs = names.inputs;
    for (const std::string& name : names.inputs) {
      equations.input_units.push_back(units.optional_text(name).value_or(""));
    }
    return equations;
  }

  // Nothing is measured that a start could be found from.
  void check_start(identify::StartState start) const {
    if (start == identify::StartState::Model || start == identify::StartState::Periodic) return;
    simulate_.fail("start", fmt::format("= \"{}\" is for [identify], which has measured outputs",
                                        name_of(start)));
  }

  // Units that the model leaves open are those of the file.
  [[nodiscard]] std::optional<DataInputs> read_data(EquationSystem& equations) const {
    if (!root_.has("data")) return std::nullopt;
    DataInputs data =
        read_data_inputs(root_.table("data"), {equations.inputs, equations.input_units}, files_);
    for (std::size_t i = 0; i < data.inputs.size(); ++i) {
      if (data.inputs[i] && equations.input_units[i].empty()) {
        equations.input_units[i] = data.inputs[i]->unit;
      }
    }
    return data;
  }

  [[nodiscard]] std::vector<SensorDescription> read_sensors(const EquationSystem& equations,
                                                            const SampleGrid& grid,
                                                            std::vector<Problem>& problems) const {
    const TableReader sensors = simulate_.table("sensors");
    std::vector<SensorDescription> list;
    for (const std::string& name : sensors.keys()) {
      attempt(problems, [&] {
        check_sensor_name(sensors, name, equations.inputs);
        list.push_back(read_sensor(sensors.table(name), name, equations, grid));
      });
    }
    return list;
  }

 private:
  static std::string seen_by(const TableReader& sensor, const std::string& name) {
    return sensor.optional_text("measures").value_or(name);
  }

  [[nodiscard]] EquationNames names_of_study() const {
    EquationNames names;
    names.inputs_key = "simulate.inputs";
    names.outputs_key = "simulate.sensors";
    names.parameters_key = "simulate.parameters";
    const TableReader data = root_.table("data");
    const TableReader inputs = simulate_.table("inputs");
    if (data.form("inputs") == kTable) names.inputs = data.table("inputs").keys();
    for (const std::string& name : inputs.keys()) {
      if (name == "all") {
        inputs.fail_at_key(name, inputs.name(name) +
                                     ": equations have no inputs but those named; "
                                     "name each");
      }
      add_once(name, names.inputs);
    }
    const TableReader sensors = simulate_.table("sensors");
    for (const std::string& name : sensors.keys()) {
      add_once(seen_by(sensors.table(name), name), names.outputs);
    }
    if (names.outputs.empty()) simulate_.fail("sensors", "must name at least one sensor");
    names.parameters = simulate_.table("parameters").keys();
    return names;
  }

  [[nodiscard]] static SensorDescription read_sensor(const TableReader& table,
                                                     const std::string& name,
                                                     const EquationSystem& equations,
                                                     const SampleGrid& grid) {
    SensorDescription sensor;
    sensor.name = name;
    sensor.quantity = Quantity::Signal;
    sensor.place = seen_by(table, name);
    const Eigen::Index at = index_of(equations.signals, sensor.place);
    sensor.weights = Eigen::VectorXd::Unit(static_cast<Eigen::Index>(equations.signals.size()), at);
    const std::string& unit = equations.signal_units[static_cast<std::size_t>(at)];
    // A signal without unit takes that of its sensor.
    read_sensor_unit(table, unit.empty() ? table.optional_text("unit").value_or("") : unit, sensor);
    read_sensor_errors(table, grid, sensor);
    return sensor;
  }

  const TableReader& root_;
  TableReader simulate_;
  const FileContext& files_;
};

}  // namespace

SimulateStudy read_equation_simulate(const TableReader& root, const FileContext& files,
                                     std::vector<Problem>& problems) {
  SimulateStudy study;
  EquationSystem equations;
  const TableReader simulate = root.table("simulate");
  EquationSimulateReader reader(root, files);
  std::optional<DataInputs> data;
  const bool ready = attempt(problems, [&] {
    equations = reader.read_model(study.notes);
    data = reader.read_data(equations);
    read_time(simulate, data, study);
  });
  // Without model and times nothing else can be judged.
  if (!ready) return study;
  use_data(data, study);
  simulate_count_keys().read(simulate, study);
  study.inputs = read_inputs(simulate.table("inputs"), {equations.inputs, equations.input_units},
                             std::move(data), grid_of(study), problems);
  study.sensors = reader.read_sensors(equations, grid_of(study), problems);
  study.model = std::move(equations);
  return study;
}

}  // namespace alembert::study
