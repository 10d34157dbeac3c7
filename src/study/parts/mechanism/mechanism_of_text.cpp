#include <utility>

#include "alembert/study/detail/toml.hpp"
#include "alembert/study/mechanism.hpp"
#include "study/parts/mechanism/flexible/read_flexible.hpp"
#include "study/parts/mechanism/read_mechanism.hpp"
#include "study/parts/mechanism/read_mechanism_sensors.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/parts/mechanism/tables_mechanism_data.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& mechanism_alone_table() {
  static const TableSpec table{.path = "",
                               .help = "A mechanism and its sensors.",
                               .keys = {{.name = "mechanism",
                                         .forms = kTable,
                                         .help = "bodies and joints",
                                         .required = true,
                                         .table = &mechanism_table()},
                                        {.name = "data",
                                         .forms = kTable,
                                         .help = "its sensors",
                                         .table = &mechanism_data_table()}}};
  return table;
}

// What belongs to a mechanism: [mechanism], and [data] if it has sensors.
void keep_mechanism(Value& root) {
  Table& entries = std::get<Table>(root.data);
  std::erase_if(entries, [](const Entry& entry) {
    if (entry.key == "mechanism") return false;
    return entry.key != "data" || entry.value.find("sensors") == nullptr;
  });
}

}  // namespace

std::shared_ptr<const model::planar::Mechanism> mechanism_of_text(
    const std::string& text, const std::filesystem::path& file) {
  Document document = parse_toml(text, file.string());
  keep_mechanism(document.root);
  const std::vector<Problem> problems = check_keys(document, mechanism_alone_table(), "");
  if (!problems.empty()) raise(problems.front());
  const TableReader root(document, mechanism_alone_table());
  MechanismPlaces places;
  if (root.has("data")) return read_mechanism_with_sensors(root, places);
  const TableReader mechanism = root.table("mechanism");
  refuse_flexible(mechanism);
  try {
    return std::make_shared<const model::planar::Mechanism>(read_mechanism(mechanism, places));
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

std::shared_ptr<const model::planar::Mechanism> mechanism_of_file(
    const std::filesystem::path& file) {
  return mechanism_of_text(read_study_text(file), file);
}

}  // namespace alembert::study
