#include "study/parts/mechanism/read_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/signal/spline.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

using model::planar::Coordinate;

constexpr Eigen::Index kLeastCurvePoints = 6;  // of a quintic spline

std::vector<model::EquationConstant> read_constants(const TableReader& constants) {
  std::vector<model::EquationConstant> list;
  for (const std::string& name : constants.keys()) {
    list.push_back({name, constants.number(name), ""});
  }
  return list;
}

model::TimeFormula read_formula(const TableReader& simulate, const TableReader& motion,
                                const std::string& key,
                                const std::vector<model::EquationConstant>& constants) {
  const std::string text =
      motion.form(key) == kText ? motion.text(key) : shortest(motion.number(key));
  try {
    return model::TimeFormula(text, constants);
  } catch (const model::EquationError& error) {
    const Place& place = error.place();
    if (place.file != "formula") {
      throw StudyError(simulate.place("constants"),
                       fmt::format("simulate.{}: {}", place.file, error.reason()));
    }
    throw StudyError(motion.place_in(key, place.line, place.column),
                     fmt::format("{}: {}", motion.name(key), error.reason()));
  }
}

signal::Record read_curve(const TableReader& curve, const DataFile& file,
                          const FileColumn& column) {
  const signal::Records records = read_columns(curve, file, {column});
  if (records.size() != 1 || records.front().size() < kLeastCurvePoints) {
    throw DataError(file.place, fmt::format("{}: {} must hold one record of at least {} samples",
                                            file.key, file.name, kLeastCurvePoints));
  }
  check_complete(records.front(), column);
  return records.front();
}

CoordinateMotion motion_of_file(const TableReader& motion, const std::string& key,
                                const FileContext& files, const std::string& unit, double last,
                                std::vector<std::string>& notes) {
  const TableReader curve = motion.table(key);
  const DataFile file = data_file(curve, "file", files);
  const FileColumn column{
      .key = curve.name("column"), .column = curve.text("column"), .place = curve.place("column")};
  const signal::Record record = read_curve(curve, file, column);
  const Eigen::VectorXd times = record.time().times();
  const double tolerance = 1e-6 * record.time().median_step();  // times are written in decimals
  if (times(0) > tolerance || times(times.size() - 1) < last - tolerance) {
    throw DataError(file.place,
                    fmt::format("{}: {} must cover 0 to {:.6g} s, covers {:.6g} to "
                                "{:.6g} s",
                                file.key, file.name, last, times(0), times(times.size() - 1)));
  }
  const auto channel = static_cast<std::size_t>(record.find(column.column).value());
  const double factor = column_factor(column, record.channels()[channel].unit, unit, notes);
  return {.coordinate = key,
          .words = fmt::format("column {} of {}", column.column, file.name),
          .law = signal::quintic_spline(times, factor * record.values(column.column))};
}

// The entry of each coordinate, which may be written with other blanks.
std::vector<std::string> entries_of(const TableReader& motion,
                                    const std::vector<Coordinate>& coordinates) {
  const std::vector<std::string> names =
      mapped(coordinates, [](const Coordinate& one) { return model::planar::to_string(one); });
  std::vector<std::string> entries(names.size());
  for (const std::string& key : motion.keys()) {
    std::string name = key;
    try {
      name = model::planar::to_string(model::planar::parse_coordinate(key));
    } catch (const InvalidInput&) {
      // It is reported as what it is: no coordinate of this mechanism.
    }
    const Eigen::Index at = index_of(names, name);
    if (at < 0) {
      motion.fail_at_key(key, fmt::format("{}: the mechanism has no coordinate \"{}\"{}",
                                          motion.name(key), key, suggestion(name, names)));
    }
    std::string& entry = entries[static_cast<std::size_t>(at)];
    if (!entry.empty()) {
      motion.fail_at_key(key, fmt::format("simulate.motion gives {} twice", name));
    }
    entry = key;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!entries[i].empty()) continue;
    throw StudyError(
        motion.place(""),
        fmt::format("[simulate.motion] needs the key \"{}\": how that coordinate moves", names[i]));
  }
  return entries;
}

bool is_used(const MovedMechanism& moved, const std::string& constant) {
  const auto uses = [&](const ForceLaw& one) { return one.law.uses(constant); };
  if (std::any_of(moved.forces.begin(), moved.forces.end(), uses)) return true;
  return std::any_of(moved.motion.begin(), moved.motion.end(), [&](const CoordinateMotion& one) {
    const auto* formula = std::get_if<model::TimeFormula>(&one.law);
    return formula != nullptr && formula->uses(constant);
  });
}

// The forces that the study has a word in: all where the mechanism is let go, else the unknown
// ones.
std::vector<std::string> acting_forces(const MovedMechanism& moved) {
  std::vector<std::string> names;
  for (const model::planar::Force& force : moved.mechanism->description().forces) {
    if (moved.released || !force.known) names.push_back(force.name);
  }
  return names;
}

void check_force_names(const TableReader& table, const std::vector<std::string>& names,
                       const MovedMechanism& moved) {
  for (const std::string& key : table.keys()) {
    if (index_of(names, key) >= 0) continue;
    table.fail_at_key(
        key, moved.released
                 ? fmt::format("{}: [mechanism.forces] has no force \"{}\"{}", table.name(key), key,
                               suggestion(key, names))
                 : fmt::format("{}: [mechanism.forces] has no unknown force \"{}\"{}; known ones "
                               "follow from the motion",
                               table.name(key), key, suggestion(key, names)));
  }
  if (moved.has_forces() || table.keys().empty()) return;
  table.fail_at_key(table.keys().front(),
                    "simulate.forces has no effect without a sensor of kind force or torque");
}

// Forces are zero where nothing is said of them.
std::vector<ForceLaw> laws_of(const TableReader& simulate, const std::vector<std::string>& names,
                              const std::vector<model::EquationConstant>& constants) {
  const TableReader table = simulate.table("forces");
  std::vector<ForceLaw> laws;
  for (const std::string& name : names) {
    if (table.has(name)) {
      laws.push_back({name,
                      table.form(name) == kText ? table.text(name) : shortest(table.number(name)),
                      read_formula(simulate, table, name, constants)});
    } else {
      laws.push_back({name, "0", model::TimeFormula("0")});
    }
  }
  return laws;
}

void read_forces_of_time(const TableReader& simulate,
                         const std::vector<model::EquationConstant>& constants,
                         MovedMechanism& moved) {
  const TableReader table = simulate.table("forces");
  const std::vector<std::string> names = acting_forces(moved);
  check_force_names(table, names, moved);
  if (moved.has_forces()) moved.forces = laws_of(simulate, names, constants);
}

Eigen::VectorXd one_for_each(const TableReader& start, const std::string& key, Eigen::Index n) {
  Eigen::VectorXd numbers = start.vector(key);
  if (numbers.size() != n) {
    start.fail(key, fmt::format("must hold one number for each coordinate, {}, got {}", n,
                                numbers.size()));
  }
  return numbers;
}

void read_release(const TableReader& simulate, MovedMechanism& moved) {
  moved.place = simulate.key_place("start");
  moved.released = read_released(simulate.table("start"), moved.mechanism->coordinates());
}

void read_laws(const TableReader& simulate, const FileContext& files, double last,
               const std::vector<model::EquationConstant>& constants, MovedMechanism& moved,
               std::vector<std::string>& notes) {
  const TableReader motion = simulate.table("motion");
  moved.place = simulate.key_place("motion");
  const std::vector<Coordinate>& coordinates = moved.mechanism->description().coordinates;
  const std::vector<std::string> entries = entries_of(motion, coordinates);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& key = entries[i];
    const bool angle = coordinates[i].kind == model::planar::CoordinateKind::Angle;
    if (motion.form(key) == kTable) {
      moved.motion.push_back(motion_of_file(motion, key, files, angle ? "rad" : "m", last, notes));
    } else {
      moved.motion.push_back(
          {.coordinate = key,
           .words = motion.form(key) == kText ? motion.text(key) : shortest(motion.number(key)),
           .law = read_formula(simulate, motion, key, constants)});
    }
    moved.motion.back().coordinate = model::planar::to_string(coordinates[i]);
  }
}

}  // namespace

ReleasedMechanism read_released(const TableReader& start, Eigen::Index n) {
  return {.z = one_for_each(start, "coordinates", n),
          .zd = start.has("velocities") ? one_for_each(start, "velocities", n)
                                        : Eigen::VectorXd(Eigen::VectorXd::Zero(n))};
}

std::vector<ForceLaw> read_force_laws(const TableReader& simulate,
                                      const std::vector<std::string>& names,
                                      std::vector<std::string>& notes) {
  const TableReader table = simulate.table("forces");
  for (const std::string& key : table.keys()) {
    if (index_of(names, key) >= 0) continue;
    table.fail_at_key(key, fmt::format("{}: [mechanism.forces] has no force \"{}\"{}",
                                       table.name(key), key, suggestion(key, names)));
  }
  const std::vector<model::EquationConstant> constants =
      read_constants(simulate.table("constants"));
  std::vector<ForceLaw> laws = laws_of(simulate, names, constants);
  for (const model::EquationConstant& constant : constants) {
    const auto uses = [&](const ForceLaw& one) { return one.law.uses(constant.name); };
    if (std::any_of(laws.begin(), laws.end(), uses)) continue;
    notes.push_back(fmt::format("simulate.constants.{} has no effect", constant.name));
  }
  return laws;
}

void read_motion(const TableReader& simulate, const FileContext& files, double last,
                 MovedMechanism& moved, std::vector<std::string>& notes) {
  const std::vector<model::EquationConstant> constants =
      read_constants(simulate.table("constants"));
  if (simulate.has("start")) {
    read_release(simulate, moved);
  } else {
    read_laws(simulate, files, last, constants, moved, notes);
  }
  read_forces_of_time(simulate, constants, moved);
  for (const model::EquationConstant& constant : constants) {
    if (!is_used(moved, constant.name)) {
      notes.push_back(fmt::format("simulate.constants.{} has no effect", constant.name));
    }
  }
}

}  // namespace alembert::study
