#pragma once

#include <string>

#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A matrix as a coloured grid: with the numbers up to twelve columns, else drawn by the page's
/// script with the values on hover.
/// @throws InvalidInput if the names do not fit the size.
std::string matrix_html(const MatrixView& view, const std::string& id, int number);

}  // namespace alembert::report
