#pragma once

#include <string>

#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A structure whose shapes the page's script draws and moves.
/// @throws InvalidInput if motions, lines, surfaces or arrows do not fit the points.
std::string shape_view_html(const ShapeView& view, const std::string& id, int number);

}  // namespace alembert::report
