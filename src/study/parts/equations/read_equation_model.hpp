#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "alembert/model/equations.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

/// What [identify] and [simulate] share where the model is given as equations.
namespace alembert::study {

/// The names that the task gives to the equations, and the keys that name them.
struct EquationNames {
  std::vector<std::string> inputs, outputs, parameters;
  std::string inputs_key, outputs_key, parameters_key;  ///< "data.inputs", ..., for messages
};

/// Numbers for the start of one state, one for each experiment.
struct StartList {
  std::string state;
  std::vector<double> values;
};

/// A model with the setup that it was read from.
struct EquationReading {
  model::EquationSetup setup;
  model::EquationModel model{nullptr};
  std::vector<StartList> start_lists;  ///< the setup has no start of these states
};

/// Reads equations, constants, start values, tables and units of [model].
/// @throws StudyError at the place in the text of the study, DataError for a file of a table.
[[nodiscard]] EquationReading read_equation_model(const TableReader& root,
                                                  const EquationNames& names,
                                                  const FileContext& files);

/// The starts of the lists as SimulationOptions::start_values; empty without lists.
/// @throws StudyError at a list that has not one number for each experiment.
[[nodiscard]] Eigen::MatrixXd read_start_values(const TableReader& root,
                                                const EquationReading& reading,
                                                Eigen::Index experiments);

/// The unit of a name: as [model.units] has it, else as the equations imply; "" if not known.
[[nodiscard]] std::string equation_unit(const TableReader& root, const model::EquationModel& model,
                                        const std::string& name);

/// The choice that a key names, in the order of its description.
template <typename Choice>
Choice chosen(const TableReader& table, const std::string& key,
              const std::vector<std::pair<std::string, Choice>>& choices) {
  const std::string text = table.text(key);
  for (const auto& [name, choice] : choices) {
    if (name == text) return choice;
  }
  return choices.front().second;
}

}  // namespace alembert::study
