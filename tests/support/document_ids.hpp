#pragma once

#include <string>
#include <variant>
#include <vector>

#include "alembert/report/document.hpp"

namespace alembert::test {

/// The ids of tables, plots, animations and matrices of a report, in order.
inline std::vector<std::string> ids_in(const report::Document& document) {
  std::vector<std::string> ids;
  for (const report::Section& section : document.sections) {
    for (const report::Block& block : section.blocks) {
      if (const auto* table = std::get_if<report::Table>(&block)) ids.push_back(table->id);
      if (const auto* plot = std::get_if<report::Plot>(&block)) ids.push_back(plot->id);
      if (const auto* moving = std::get_if<report::Animation>(&block)) ids.push_back(moving->id);
      if (const auto* matrix = std::get_if<report::MatrixView>(&block)) ids.push_back(matrix->id);
    }
  }
  return ids;
}

}  // namespace alembert::test
