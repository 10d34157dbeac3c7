#pragma once

#include <string>

#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A table with its caption above; columns of numbers are aligned at the decimal point.
/// @throws InvalidInput if a row is longer than the header.
std::string table_html(const Table& table, const std::string& id, int number);

/// A label with its unit, "frequency [Hz]", the unit set apart.
std::string header_html(const std::string& label);

}  // namespace alembert::report
