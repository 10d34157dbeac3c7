#include "study/tasks/output_error/read_output_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/transformation.hpp"
#include "core/mapped.hpp"
#include "study/parts/equations/read_equation_model.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/output_error/output_error_keys.hpp"

namespace alembert::study {
namespace {

optimize::Parameter read_parameter(const TableReader& parameters, const std::string& name) {
  optimize::Parameter parameter{.name = name};
  if (parameters.form(name) == kNumber) {
    parameter.guess = parameters.number(name);
    return parameter;
  }
  const TableReader table = parameters.table(name);
  parameter_keys().read(table, parameter);
  if (table.has("tied-to")) parameter.tie = tie_keys().read(table);
  if (table.has("prior")) parameter.prior = prior_keys().read(table.table("prior"));
  return parameter;
}

// Where a parameter is given: in the command line if a part of it is.
Place parameter_place(const TableReader& table, const std::string& name) {
  if (table.form(name) == kNumber) return table.place(name);
  const TableReader parts = table.table(name);
  for (const std::string& key : parts.keys()) {
    const Place place = parts.place(key);
    if (place.line == 0) return place;
  }
  return table.place(name);
}

// Finds rules that parameters break together.
void check_parameters_together(const TableReader& table,
                               const std::vector<optimize::Parameter>& parameters) {
  try {
    (void)optimize::Transformation(parameters);
  } catch (const InvalidInput& error) {
    for (const optimize::Parameter& one : parameters) {
      if (error.parts().item != optimize::item_of(one.name)) continue;
      throw StudyError(parameter_place(table, one.name),
                       table.name(one.name) + ": " + error.reason());
    }
    throw StudyError(table.place(""), "identify.parameters: " + error.reason());
  }
}

void read_parameters(const TableReader& identify, OutputErrorStudy& study) {
  const TableReader table = identify.table("parameters");
  study.parameters =
      mapped(table.keys(), [&](const std::string& name) { return read_parameter(table, name); });
  check_parameters_together(table, study.parameters);
  for (const optimize::Parameter& one : study.parameters) {
    if (!one.prior || identify.has("weights")) continue;
    throw StudyError(table.table(one.name).place("prior"),
                     fmt::format("{}.prior needs identify.weights, one over the noise of each "
                                 "output, to be weighed against the data",
                                 table.name(one.name)));
  }
}

identify::EquationFitOptions read_fit_options(const TableReader& table) {
  identify::EquationFitOptions options = output_error_keys().read(table);
  // A hold that the study does not name is found.
  options.compare_holds = !table.has("between");
  // One key for two fields.
  options.output_error.search.seed = options.output_error.seed;
  options.engine = read_engine(table);
  return options;
}

void check_weights(const TableReader& table, std::size_t outputs, const OutputErrorStudy& study) {
  const auto given = static_cast<std::size_t>(study.options.output_error.weights.size());
  if (!table.has("weights") || given == outputs) return;
  table.fail("weights",
             fmt::format("must hold one number for each output, {}, got {}", outputs, given));
}

// The free parameters whose profile is wanted.
void read_profiles(const TableReader& table, OutputErrorStudy& study) {
  const auto is_free = [](const optimize::Parameter& one) { return !one.fixed && !one.tie; };
  std::vector<std::string>& wanted = study.options.profiles;
  std::vector<std::string> names;
  for (const optimize::Parameter& one : study.parameters) {
    if (is_free(one)) names.push_back(one.name);
  }
  if (table.form("profile") != kTexts) {
    if (table.boolean("profile")) wanted = names;
    return;
  }
  for (const std::string& name : table.texts("profile")) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      table.fail("profile", fmt::format("must name free parameters, got \"{}\"{}", name,
                                        suggestion(name, names)));
    }
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      table.fail("profile", fmt::format("must name different parameters, got \"{}\" twice", name));
    }
    wanted.push_back(name);
  }
}

// A parameter that does nothing cannot be found; other unused names are only odd.
void check_unused(const TableReader& identify, OutputErrorStudy& study) {
  const TableReader table = identify.table("parameters");
  for (const std::string& name : study.model.unused()) {
    const auto found =
        std::find_if(study.parameters.begin(), study.parameters.end(),
                     [&](const optimize::Parameter& one) { return one.name == name; });
    if (found != study.parameters.end() && !found->fixed) {
      throw StudyError(
          table.key_place(name),
          fmt::format("{} has no effect on the outputs; fix it or take it out", table.name(name)));
    }
    study.notes.push_back(fmt::format("{} has no effect on the outputs", name));
  }
}

// The starts that the values of [model.start] have no part in.
bool is_replaced(const std::string& state, const OutputErrorStudy& study) {
  using identify::StartState;
  const StartState start = study.options.output_error.simulation.start;
  if (start == StartState::Periodic || start == StartState::Free) return true;
  const std::vector<std::string>& outputs = study.model.outputs();
  return start == StartState::Data &&
         std::find(outputs.begin(), outputs.end(), state) != outputs.end();
}

// A start that is found replaces the start values, so that a parameter in them alone does nothing.
void check_replaced_starts(const TableReader& identify, const OutputErrorStudy& study) {
  const identify::StartState start = study.options.output_error.simulation.start;
  if (start == identify::StartState::Model) return;
  const TableReader table = identify.table("parameters");
  model::EquationSetup without_starts = study.setup;
  std::erase_if(without_starts.starts,
                [&](const model::EquationStart& one) { return is_replaced(one.state, study); });
  const model::EquationModel model = model::parse_equations(study.equations, without_starts);
  for (const optimize::Parameter& one : study.parameters) {
    const std::vector<std::string>& unused = model.unused();
    if (one.fixed || std::find(unused.begin(), unused.end(), one.name) == unused.end()) continue;
    throw StudyError(
        table.key_place(one.name),
        fmt::format(
            "{} stands in model.start alone, which {} = \"{}\" does not use; fix it or take "
            "it out",
            table.name(one.name), identify.name("start"), name_of(start)));
  }
}

// A start from data needs outputs that are states.
void check_start_from_data(const TableReader& identify, const OutputErrorStudy& study) {
  using identify::StartState;
  const StartState start = study.options.output_error.simulation.start;
  if (start == StartState::Free && study.model.states().empty()) {
    identify.fail("start", "= \"free\" needs a model with states");
  }
  if (start != StartState::Data) return;
  check_states_measured(identify, study);
}

void read_equations(const TableReader& root, const std::vector<NamedColumn>& inputs,
                    const std::vector<NamedColumn>& outputs, const FileContext& files,
                    EquationReading& reading, OutputErrorStudy& study) {
  const auto name_of = [](const auto& one) { return one.name; };
  study.equations = root.table("model").text("equations");
  reading = read_equation_model(root,
                                {.inputs = mapped(inputs, name_of),
                                 .outputs = mapped(outputs, name_of),
                                 .parameters = mapped(study.parameters, name_of),
                                 .inputs_key = "data.inputs",
                                 .outputs_key = "data.outputs",
                                 .parameters_key = "identify.parameters"},
                                files);
  study.setup = reading.setup;
  study.model = reading.model;
  check_unused(root.table("identify"), study);
  check_replaced_starts(root.table("identify"), study);
  check_start_from_data(root.table("identify"), study);
  study.parameter_units = mapped(study.parameters, [&](const optimize::Parameter& one) {
    return equation_unit(root, study.model, one.name);
  });
  const TableReader units = root.table("model").table("units");
  const auto use = [&](const NamedColumn& column) {
    return ColumnUse{.name = column.name,
                     .column = column.column.column,
                     .column_unit = "",
                     .unit = units.optional_text(column.name).value_or("")};
  };
  study.inputs = mapped(inputs, use);
  study.outputs = mapped(outputs, use);
}

// The parameters that other equations use: their own, then those of the study.
std::vector<optimize::Parameter> compared_parameters(const TableReader& own,
                                                     const OutputErrorStudy& study) {
  std::vector<optimize::Parameter> all =
      mapped(own.keys(), [&](const std::string& name) { return read_parameter(own, name); });
  const std::vector<std::string> names = own.keys();
  for (const optimize::Parameter& one : study.parameters) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) all.push_back(one);
  }
  return all;
}

// Names without effect in a set of equations.
std::vector<std::string> unused_parameters(const identify::EquationSet& set,
                                           const model::EquationSetup& given) {
  return model::parse_equations(set.equations, identify::setup_of(set, given)).unused();
}

identify::EquationSet read_compared_set(const TableReader& compare, const std::string& name,
                                        const OutputErrorStudy& study) {
  identify::EquationSet set{.name = name, .equations = {}, .parameters = {}};
  const bool text = compare.form(name) == kText;
  const TableReader table = text ? compare : compare.table(name);
  set.equations = table.text(text ? name : "equations");
  if (!text) {
    const TableReader start = table.table("start");
    for (const std::string& state : start.keys()) {
      const bool number = start.form(state) == kNumber;
      set.starts.push_back({state, number ? shortest(start.number(state)) : start.text(state)});
    }
  }
  set.parameters = text ? study.parameters : compared_parameters(table.table("parameters"), study);
  try {
    const std::vector<std::string> unused = unused_parameters(set, study.setup);
    std::erase_if(set.parameters, [&](const optimize::Parameter& one) {
      return std::find(unused.begin(), unused.end(), one.name) != unused.end();
    });
    (void)optimize::Transformation(set.parameters);
  } catch (const model::EquationError& error) {
    const std::string key = text ? name : "equations";
    throw StudyError(table.place_in(key, error.place().line, error.place().column),
                     fmt::format("{}: {}", table.name(key), error.reason()));
  } catch (const InvalidInput& error) {
    throw StudyError(compare.place(name), compare.name(name) + ": " + error.reason());
  }
  return set;
}

void read_compared_sets(const TableReader& identify, OutputErrorStudy& study) {
  const TableReader compare = identify.table("compare");
  for (const std::string& name : compare.keys()) {
    study.options.compare.push_back(read_compared_set(compare, name, study));
  }
}

}  // namespace

OutputErrorStudy read_output_error(const TableReader& root, const FileContext& files,
                                   std::vector<Problem>& problems) {
  OutputErrorStudy study;
  const TableReader data = root.table("data");
  const TableReader identify = root.table("identify");
  attempt(problems, [&] { study.options = read_fit_options(identify); });
  ChannelColumns channels;
  attempt(problems, [&] {
    channels = read_channel_columns(data, "u", "y");
    check_weights(identify, channels.outputs.size(), study);
  });
  attempt(problems, [&] { read_parameters(identify, study); });
  attempt(problems,
          [&] { study.options.output_error.simulation = read_simulation_options(identify); });
  attempt(problems, [&] { read_profiles(identify, study); });
  if (!problems.empty()) return study;
  EquationReading reading;
  const bool understood = attempt(problems, [&] {
    read_equations(root, channels.inputs, channels.outputs, files, reading, study);
    read_validation_settings(root, !reading.start_lists.empty(), study);
    read_compared_sets(identify, study);
  });
  if (!understood) return study;
  attempt(problems, [&] {
    read_equation_data(data, channels.inputs, channels.outputs, files.noting(study.notes), study);
    study.options.output_error.simulation.start_values =
        read_start_values(root, reading, static_cast<Eigen::Index>(study.data.experiments.size()));
  });
  return study;
}

}  // namespace alembert::study
