#include "alembert/study/detail/option_keys.hpp"

#include <algorithm>
#include <memory>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "study/parts/data/tables_inputs.hpp"
#include "study/parts/data/tables_sensors.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/schema/check_value.hpp"
#include "study/tasks/acceleration/acceleration_keys.hpp"
#include "study/tasks/identify/identify_keys.hpp"
#include "study/tasks/observe/tables_observe.hpp"
#include "study/tasks/output_error/output_error_keys.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

using identify::EquationFitOptions;
using identify::OutputErrorOptions;
using Tables = std::vector<OptionTable>;
using TablesOfTypes = std::unordered_map<std::type_index, Tables>;

/// A document of one table, as TableReader takes it.
struct TableAlone {
  Document document;
  TableSpec spec;

  TableAlone(const Value& table, const std::vector<KeySpec>& keys)
      : document{.root = table, .sources = {""}}, spec{.path = "", .help = "", .keys = keys} {}
  [[nodiscard]] TableReader reader() const { return {document, spec}; }
};

// Keys that are more than a field (names, other tables), which the readers of the tasks look at.
bool is_more_than_a_field(const KeySpec& key) {
  static const std::vector<std::string> names = {"method", "refine",  "fit-sigma",
                                                 "inputs", "profile", "engine"};
  return key.table != nullptr || std::find(names.begin(), names.end(), key.name) != names.end();
}

// Keys of today that lead to a field.
std::vector<KeySpec> field_keys(std::vector<KeySpec> keys) {
  std::erase_if(keys, [](const KeySpec& key) {
    return !key.now_called.empty() || is_more_than_a_field(key);
  });
  return keys;
}

/// Adds the keys of a table; `inside` leads from the options of the function to the table's own.
template <typename Options, typename Table, typename Inside>
void take_keys(TablesOfTypes& all, const BoundKeys<Table>& table, const Inside& inside) {
  const std::vector<KeySpec> every = table.specs();
  const auto copy = std::make_shared<const BoundKeys<Table>>(table);
  all[typeid(Options)].push_back(
      {field_keys(table.specs_of_fields()),
       [copy, every, inside](const Value& given, void* options) {
         const TableAlone alone(given, every);
         copy->read(alone.reader(), inside(*static_cast<Options*>(options)));
       },
       [copy, every, inside](const Value& given, const void* options) -> WrongOption {
         const TableAlone alone(given, every);
         auto& own = *static_cast<Options*>(const_cast<void*>(options));
         const std::vector<UnusedKey> unused = copy->unused(alone.reader(), inside(own));
         if (unused.empty()) return {};
         return {unused.front().key, unused.front().rule};
       }});
}

template <typename Options>
void take_keys(TablesOfTypes& all, const BoundKeys<Options>& table) {
  take_keys<Options>(all, table, [](Options& options) -> Options& { return options; });
}

void take_equation_keys(TablesOfTypes& all) {
  take_keys(all, output_error_keys());
  // The defaults of the library.
  const BoundKeys<identify::SimulationOptions> simulation =
      simulation_keys(identify::SimulationOptions{}.substeps);
  take_keys(all, simulation);
  take_keys<EquationFitOptions>(all, simulation,
                                [](EquationFitOptions& options) -> identify::SimulationOptions& {
                                  return options.output_error.simulation;
                                });
  take_keys<OutputErrorOptions>(all, simulation,
                                [](OutputErrorOptions& options) -> identify::SimulationOptions& {
                                  return options.simulation;
                                });
}

void take_signal_keys(TablesOfTypes& all) {
  take_keys(all, spline_noise_keys());
  take_keys(all, multisine_keys());
  take_keys(all, chirp_keys());
  take_keys(all, prbs_keys());
  take_keys(all, steps_keys());
  take_keys(all, pulses_keys());
  take_keys(all, sensor_error_keys());
}

TablesOfTypes made_tables() {
  TablesOfTypes all;
  take_keys(all, identify_keys());
  take_keys(all, acceleration_keys());
  take_keys(all, observe_keys());
  take_keys(all, method_keys());
  take_keys(all, newmark_keys());
  take_equation_keys(all);
  take_signal_keys(all);
  return all;
}

}  // namespace

const KeySpec* OptionTable::find(const std::string& key) const {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const KeySpec& one) { return one.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::vector<OptionTable>& option_tables(const std::type_info& options) {
  static const TablesOfTypes all = made_tables();
  static const Tables none;
  const auto found = all.find(options);
  return found == all.end() ? none : found->second;
}

WrongOption wrong_with(const KeySpec& key, const Value& value) {
  std::vector<Problem> problems;
  const Document nowhere{.root = {Table{}, {}}, .sources = {""}};
  check_value(nowhere, value, key, "", problems);
  if (problems.empty()) return {};
  const std::string& message = problems.front().message;
  return {key.name, message.substr(message.find_first_not_of(' ')), form_of(value, key.forms) == 0};
}

}  // namespace alembert::study
