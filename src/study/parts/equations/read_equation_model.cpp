#include "study/parts/equations/read_equation_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/equations/read_equation_tables.hpp"

namespace alembert::study {
namespace {

/// Builds the model and says where in the study its text is wrong.
class ModelReader {
 public:
  ModelReader(const TableReader& root, const EquationNames& names)
      : root_(root), names_(names), model_(root.table("model")), units_(model_.table("units")) {
    for (const std::string& name : names.inputs) setup_.inputs.push_back(symbol(name));
    for (const std::string& name : names.outputs) setup_.outputs.push_back(symbol(name));
    for (const std::string& name : names.parameters) setup_.parameters.push_back(symbol(name));
  }

  EquationReading read(const FileContext& files) {
    const TableReader constants = model_.table("constants");
    for (const std::string& name : constants.keys()) {
      setup_.constants.push_back({name, constants.number(name), symbol(name).unit});
    }
    std::vector<StartList> lists;
    const TableReader start = model_.table("start");
    for (const std::string& state : start.keys()) {
      if (start.form(state) == kNumbers) {
        lists.push_back({state, start.numbers(state)});
        // The equations must have the state, and its place is that of the list.
        setup_.starts.push_back({state, "0"});
        continue;
      }
      const bool number = start.form(state) == kNumber;
      setup_.starts.push_back({state, number ? shortest(start.number(state)) : start.text(state)});
    }
    for (const std::string& name : units_.keys()) {
      if (!taken(name)) setup_.units.push_back({name, units_.text(name)});
    }
    setup_.tables = read_equation_tables(model_.table("tables"), !units_.keys().empty(), files);
    try {
      return {setup_, model::parse_equations(model_.text("equations"), setup_), std::move(lists)};
    } catch (const model::EquationError& error) {
      if (error.place().file.rfind("tables.", 0) == 0) {
        throw DataError(place_of(error.place()), message_of(error));
      }
      const Place place = place_of(error.place());
      throw StudyError(place, without_key(place, message_of(error)));
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

  // The key of the study behind a part of the setup, "" for the keys of [model].
  [[nodiscard]] std::string key_of(const std::string& part) const {
    if (part == "inputs") return names_.inputs_key;
    if (part == "outputs") return names_.outputs_key;
    return part == "parameters" ? names_.parameters_key : "";
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
    if (table == "tables") return model_.table(table).place(key);
    if (!key.empty() && units_.has(key)) return units_.place(key);
    const std::string owner = key_of(table);
    if (owner.empty()) return model_.place(table);
    const std::size_t end = owner.find('.');
    return root_.table(owner.substr(0, end)).place(owner.substr(end + 1));
  }

  // The place of a value from the command line names its key already.
  [[nodiscard]] static std::string without_key(const Place& place, const std::string& message) {
    const std::size_t end = message.find(": ");
    const std::string key = " " + message.substr(0, end);
    const std::size_t length = place.file.size();
    const bool named = end != std::string::npos && place.line == 0 && length >= key.size() &&
                       place.file.compare(length - key.size(), key.size(), key) == 0;
    return named ? message.substr(end + 2) : message;
  }

  // Errors outside the equations name the key too.
  [[nodiscard]] std::string message_of(const model::EquationError& error) const {
    const std::string& part = error.place().file;
    if (part == "equations") return error.reason();
    const std::string table = part.substr(0, part.find('.'));
    const std::string owner = key_of(table);
    return fmt::format("{}{}: {}", owner.empty() ? "model." + table : owner,
                       part.substr(table.size()), error.reason());
  }

  const TableReader& root_;
  const EquationNames& names_;
  TableReader model_;
  TableReader units_;
  model::EquationSetup setup_;
};

}  // namespace

EquationReading read_equation_model(const TableReader& root, const EquationNames& names,
                                    const FileContext& files) {
  return ModelReader(root, names).read(files);
}

Eigen::MatrixXd read_start_values(const TableReader& root, const EquationReading& reading,
                                  Eigen::Index experiments) {
  if (reading.start_lists.empty()) return {};
  const TableReader start = root.table("model").table("start");
  const std::vector<std::string>& states = reading.model.states();
  Eigen::MatrixXd values =
      Eigen::MatrixXd::Constant(static_cast<Eigen::Index>(states.size()), experiments,
                                std::numeric_limits<double>::quiet_NaN());
  for (const StartList& list : reading.start_lists) {
    if (static_cast<Eigen::Index>(list.values.size()) != experiments) {
      start.fail(list.state, fmt::format("must hold a number for each of {} experiments, got {}",
                                         experiments, list.values.size()));
    }
    const auto row = std::find(states.begin(), states.end(), list.state) - states.begin();
    values.row(row) = Eigen::Map<const Eigen::RowVectorXd>(list.values.data(), values.cols());
  }
  return values;
}

std::string equation_unit(const TableReader& root, const model::EquationModel& model,
                          const std::string& name) {
  const TableReader units = root.table("model").table("units");
  if (units.has(name)) return units.text(name);
  // The start of a state has its unit as it is written, rad for example, which is a number.
  const TableReader start = root.table("model").table("start");
  for (const std::string& state : start.keys()) {
    const bool same = start.form(state) == kText && start.text(state) == name;
    if (same && units.has(state)) return units.text(state);
  }
  return model.unit_of(name);
}

}  // namespace alembert::study
