#include "study/read_output_error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/transformation.hpp"
#include "study/mapped.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

optimize::Parameter read_parameter(const TableReader& parameters, const std::string& name) {
  optimize::Parameter parameter{.name = name};
  if (parameters.form(name) == kNumber) {
    parameter.guess = parameters.number(name);
    return parameter;
  }
  const TableReader table = parameters.table(name);
  parameter.guess = table.optional_number("guess").value_or(0.0);
  parameter.lower = table.optional_number("lower").value_or(parameter.lower);
  parameter.upper = table.optional_number("upper").value_or(parameter.upper);
  parameter.scale = table.optional_number("scale").value_or(0.0);
  parameter.logarithmic = table.boolean("log");
  parameter.fixed = table.boolean("fixed");
  if (table.has("tied-to")) {
    parameter.tie = optimize::Tie{table.text("tied-to"), table.number("factor")};
  }
  if (table.has("prior")) {
    const TableReader prior = table.table("prior");
    parameter.prior = optimize::Prior{prior.number("mean"), prior.number("std")};
  }
  return parameter;
}

// Finds rules that parameters break together; the message names the parameter in quotes.
void check_parameters_together(const TableReader& table,
                               const std::vector<optimize::Parameter>& parameters) {
  try {
    const optimize::Transformation transformation(parameters);
    if (transformation.free_size() > 0) return;
  } catch (const InvalidInput& error) {
    const std::string rule = rule_of(error);
    for (const optimize::Parameter& one : parameters) {
      if (rule.find("'" + one.name + "'") != rule.find('\'')) continue;
      throw StudyError(table.place(one.name), table.name(one.name) + ": " + rule);
    }
    throw StudyError(table.place(""), "identify.parameters: " + rule);
  }
  throw StudyError(table.place(""), "identify.parameters: at least one must be free");
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

// The choice that a key names, in the order of its description.
template <typename Choice>
Choice chosen(const TableReader& table, const std::string& key,
              const std::vector<std::pair<std::string, Choice>>& choices) {
  const std::string text = table.text(key);
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.first == text; })
      ->second;
}

identify::SimulationOptions simulation_options(const TableReader& table) {
  using identify::Interpolation;
  using identify::StartState;
  identify::SimulationOptions options;
  options.between = chosen<Interpolation>(table, "between",
                                          {{"held", Interpolation::Held},
                                           {"linear", Interpolation::Linear},
                                           {"cubic", Interpolation::Cubic},
                                           {"band-limited", Interpolation::BandLimited}});
  options.start = chosen<StartState>(
      table, "start", {{"model", StartState::Model}, {"periodic", StartState::Periodic}});
  options.substeps = table.integer("substeps");
  if (options.between == Interpolation::BandLimited && options.start == StartState::Model) {
    table.fail("between",
               "= \"band-limited\" takes each record for one period; set identify.start = "
               "\"periodic\" with it");
  }
  return options;
}

void read_search(const TableReader& table, OutputErrorStudy& study) {
  using optimize::Solver;
  identify::OutputErrorOptions& options = study.options;
  options.simulation = simulation_options(table);
  options.search.solver = chosen<Solver>(table, "solver",
                                         {{"levenberg-marquardt", Solver::LevenbergMarquardt},
                                          {"nelder-mead", Solver::NelderMead},
                                          {"sbplx", Solver::Sbplx},
                                          {"bobyqa", Solver::Bobyqa},
                                          {"mads", Solver::Mads}});
  options.starts = table.integer("starts");
  options.seed = static_cast<std::uint64_t>(table.integer("seed"));
  options.search.seed = options.seed;
  if (table.has("max-evaluations")) {
    options.search.max_evaluations = static_cast<long>(table.integer("max-evaluations"));
  }
  study.engine = chosen<model::EngineKind>(table, "engine",
                                           {{"automatic", model::EngineKind::Automatic},
                                            {"interpreter", model::EngineKind::Interpreter},
                                            {"native", model::EngineKind::Native}});
}

void read_weights(const TableReader& table, std::size_t outputs, OutputErrorStudy& study) {
  if (!table.has("weights")) return;
  study.options.weights = table.vector("weights");
  const auto given = static_cast<std::size_t>(study.options.weights.size());
  if (given == outputs) return;
  table.fail("weights",
             fmt::format("must hold one number for each output, {}, got {}", outputs, given));
}

/// Builds the model and says where in the study its text is wrong.
class ModelReader {
 public:
  ModelReader(const TableReader& root, const std::vector<NamedColumn>& inputs,
              const std::vector<NamedColumn>& outputs)
      : root_(root), model_(root.table("model")), units_(model_.table("units")) {
    for (const NamedColumn& one : inputs) setup_.inputs.push_back(symbol(one.name));
    for (const NamedColumn& one : outputs) setup_.outputs.push_back(symbol(one.name));
  }

  model::EquationModel read(const std::vector<optimize::Parameter>& parameters) {
    for (const optimize::Parameter& one : parameters) {
      setup_.parameters.push_back(symbol(one.name));
    }
    const TableReader constants = model_.table("constants");
    for (const std::string& name : constants.keys()) {
      setup_.constants.push_back({name, constants.number(name), symbol(name).unit});
    }
    const TableReader start = model_.table("start");
    for (const std::string& state : start.keys()) {
      const bool number = start.form(state) == kNumber;
      setup_.starts.push_back({state, number ? shortest(start.number(state)) : start.text(state)});
    }
    for (const std::string& name : units_.keys()) {
      if (!taken(name)) setup_.units.push_back({name, units_.text(name)});
    }
    try {
      return model::parse_equations(model_.text("equations"), setup_);
    } catch (const model::EquationError& error) {
      throw StudyError(place_of(error.place()), message_of(error));
    }
  }

 private:
  [[nodiscard]] model::EquationSymbol symbol(const std::string& name) const {
    return {name, units_.optional_text(name).value_or("")};
  }

  // Whether the unit of a name went to the setup with the name.
  [[nodiscard]] bool taken(const std::string& name) const {
    const auto holds = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& one) { return one.name == name; });
    };
    return holds(setup_.inputs) || holds(setup_.outputs) || holds(setup_.parameters) ||
           holds(setup_.constants);
  }

  [[nodiscard]] Place place_of(const Place& in_text) const {
    const std::string& part = in_text.file;
    if (part == "equations") return model_.place_in(part, in_text.line, in_text.column);
    const std::size_t dot = part.find('.');
    const std::string table = part.substr(0, dot);
    const std::string key = dot == std::string::npos ? "" : part.substr(dot + 1);
    if (table == "start") {
      return model_.table(table).place_in(key, in_text.line, in_text.column);
    }
    if (!key.empty() && units_.has(key)) return units_.place(key);
    if (table == "inputs" || table == "outputs") return root_.table("data").place(table);
    if (table == "parameters") return root_.table("identify").place(table);
    return model_.place(table);
  }

  // Errors outside the equations name the key too.
  [[nodiscard]] static std::string message_of(const model::EquationError& error) {
    const std::string& part = error.place().file;
    if (part == "equations") return error.reason();
    const std::string table = part.substr(0, part.find('.'));
    const std::string owner = table == "inputs" || table == "outputs" ? "data"
                              : table == "parameters"                 ? "identify"
                                                                      : "model";
    return fmt::format("{}.{}: {}", owner, part, error.reason());
  }

  const TableReader& root_;
  TableReader model_;
  TableReader units_;
  model::EquationSetup setup_;
};

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

void read_equations(const TableReader& root, const std::vector<NamedColumn>& inputs,
                    const std::vector<NamedColumn>& outputs, OutputErrorStudy& study) {
  study.equations = root.table("model").text("equations");
  study.model = ModelReader(root, inputs, outputs).read(study.parameters);
  check_unused(root.table("identify"), study);
  const TableReader units = root.table("model").table("units");
  study.parameter_units = mapped(study.parameters, [&](const optimize::Parameter& one) {
    return units.optional_text(one.name).value_or(study.model.unit_of(one.name));
  });
  const auto use = [&](const NamedColumn& column) {
    return ColumnUse{.name = column.name,
                     .column = column.column.column,
                     .column_unit = "",
                     .unit = units.optional_text(column.name).value_or("")};
  };
  study.inputs = mapped(inputs, use);
  study.outputs = mapped(outputs, use);
}

}  // namespace

OutputErrorStudy read_output_error(const TableReader& root, const FileContext& files,
                                   std::vector<Problem>& problems) {
  OutputErrorStudy study;
  const TableReader data = root.table("data");
  const TableReader identify = root.table("identify");
  std::vector<NamedColumn> inputs;
  std::vector<NamedColumn> outputs;
  attempt(problems, [&] {
    if (data.has("inputs")) inputs = read_named_columns(data, "inputs", "u");
    outputs = read_named_columns(data, "outputs", "y");
    read_weights(identify, outputs.size(), study);
  });
  attempt(problems, [&] { read_parameters(identify, study); });
  attempt(problems, [&] { read_search(identify, study); });
  if (!problems.empty()) return study;
  const bool understood = attempt(problems, [&] { read_equations(root, inputs, outputs, study); });
  if (!understood) return study;
  attempt(problems, [&] { read_equation_data(data, inputs, outputs, files, study); });
  return study;
}

}  // namespace alembert::study
