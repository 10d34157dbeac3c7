#include "study/tasks/monte_carlo/runs/runs_csv.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::study {
namespace {

// A cell of a CSV file: quoted where it must be. A comma between words becomes a semicolon, since
// numpy.genfromtxt cuts quoted cells too.
std::string csv_cell(std::string text) {
  for (std::size_t at = text.find(", "); at != std::string::npos; at = text.find(", ", at)) {
    text[at] = ';';
  }
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::vector<std::string> ready;
  ready.reserve(cells.size());
  for (const std::string& cell : cells) ready.push_back(csv_cell(cell));
  return join(ready, ",") + "\n";
}

}  // namespace

std::string csv_number(double value) { return std::isfinite(value) ? shortest(value) : ""; }

void write_cells(const std::filesystem::path& file,
                 const std::vector<std::vector<std::string>>& rows) {
  std::ofstream stream(file, std::ios::binary);
  for (const std::vector<std::string>& cells : rows) stream << csv_line(cells);
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace alembert::study
