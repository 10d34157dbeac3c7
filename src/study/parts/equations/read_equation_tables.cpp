#include "study/parts/equations/read_equation_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "study/parts/data/file_columns.hpp"

namespace alembert::study {
namespace {

std::vector<double> numbers_of(const signal::Record& record, const FileColumn& column) {
  const Eigen::Ref<const Eigen::VectorXd> values = record.values(column.column);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (std::isfinite(values(k))) continue;
    throw DataError(column.place, fmt::format("{}: column \"{}\" has no number at point {}",
                                              column.key, column.column, k + 1));
  }
  return {values.begin(), values.end()};
}

model::EquationTable read_curve(const TableReader& table, const std::string& name, bool with_units,
                                const FileContext& files) {
  model::EquationTable curve;
  curve.name = name;
  if (table.text("interpolation") == "cubic") {
    curve.interpolation = model::TableInterpolation::Cubic;
  }
  if (!files.read_files) {
    curve.x = {0.0, 1.0, 2.0, 3.0};
    curve.y = curve.x;
    return curve;
  }
  const DataFile file = data_file(table, "file", files);
  const FileColumn x{.key = table.name("x"), .column = table.text("x"), .place = table.place("x")};
  const FileColumn y{.key = table.name("y"), .column = table.text("y"), .place = table.place("y")};
  const signal::Records records = read_columns_without_time(table, file, {x, y});
  if (records.size() != 1) {
    throw DataError(file.place, fmt::format("{}: {} must hold exactly one record, got {}", file.key,
                                            file.name, records.size()));
  }
  const signal::Record& record = records.front();
  curve.x = numbers_of(record, x);
  curve.y = numbers_of(record, y);
  if (with_units) {
    const auto unit = [&](const FileColumn& column) {
      return record.channels()[static_cast<std::size_t>(record.find(column.column).value())].unit;
    };
    curve.x_unit = unit(x);
    curve.y_unit = unit(y);
  }
  return curve;
}

}  // namespace

std::vector<model::EquationTable> read_equation_tables(const TableReader& tables, bool with_units,
                                                       const FileContext& files) {
  std::vector<model::EquationTable> curves;
  for (const std::string& name : tables.keys()) {
    curves.push_back(read_curve(tables.table(name), name, with_units, files));
  }
  return curves;
}

}  // namespace alembert::study
