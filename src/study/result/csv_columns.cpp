#include "study/result/csv_columns.hpp"

#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include "alembert/core/error.hpp"
#include "alembert/io/csv.hpp"

namespace alembert::study {
namespace {

ResultColumns columns_of(const signal::Record& record) {
  ResultColumns found;
  found.columns.push_back({"t", {Eigen::VectorXd(record.time().times()), "s"}});
  found.units.push_back({"t", {std::string("s")}});
  for (std::size_t c = 0; c < record.channels().size(); ++c) {
    const signal::Channel& channel = record.channels()[c];
    const Eigen::VectorXd values = record.samples().col(static_cast<Eigen::Index>(c));
    found.columns.push_back({channel.name, {values, channel.unit}});
    found.units.push_back({channel.name, {channel.unit}});
  }
  return found;
}

// The cells of one line, in which runs.csv quotes those that hold a comma or a quote.
std::vector<std::string> cells_of_line(std::istream& stream) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (int letter = stream.get(); letter != EOF && (quoted || letter != '\n');
       letter = stream.get()) {
    if (letter == '"') {
      const bool doubled = quoted && stream.peek() == '"';
      if (doubled) cells.back() += static_cast<char>(stream.get());
      if (!doubled) quoted = !quoted;
    } else if (letter == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += static_cast<char>(letter);
    }
  }
  return cells;
}

// "f1 [Hz]": name and unit.
io::TreeField split_heading(const std::string& heading) {
  const std::size_t bracket = heading.rfind(" [");
  if (bracket == std::string::npos || heading.back() != ']') return {heading, {std::string()}};
  return {heading.substr(0, bracket), {heading.substr(bracket + 2, heading.size() - bracket - 3)}};
}

// Numbers where all cells are some, NaN for empty ones; else the texts.
io::TreeValue value_of_cells(const std::vector<std::string>& cells) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(cells.size()));
  bool all_numbers = true;
  io::TreeValue::List texts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    double& number = numbers(static_cast<Eigen::Index>(i));
    number = std::numeric_limits<double>::quiet_NaN();
    const char* end = cells[i].data() + cells[i].size();
    const bool is_number = std::from_chars(cells[i].data(), end, number).ptr == end;
    all_numbers = all_numbers && (is_number || cells[i].empty());
    texts.push_back({cells[i]});
  }
  return all_numbers ? io::TreeValue{numbers} : io::TreeValue{std::move(texts)};
}

ResultColumns columns_of_table(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<std::string> headings = cells_of_line(stream);
  std::vector<std::vector<std::string>> columns(headings.size());
  while (stream.peek() != EOF) {
    const std::vector<std::string> cells = cells_of_line(stream);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].push_back(c < cells.size() ? cells[c] : "");
    }
  }
  ResultColumns found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    io::TreeField unit = split_heading(headings[c]);
    io::TreeValue values = value_of_cells(columns[c]);
    values.unit = std::get<std::string>(unit.value.value);
    found.columns.push_back({unit.name, std::move(values)});
    found.units.push_back(std::move(unit));
  }
  return found;
}

}  // namespace

ResultColumns result_columns(const std::filesystem::path& file) {
  // Records say their time; a table of runs has none, and words among its cells.
  try {
    return columns_of(io::read_csv(file));
  } catch (const DataError&) {
    return columns_of_table(file);
  }
}

}  // namespace alembert::study
