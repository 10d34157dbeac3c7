#pragma once

#include <string>
#include <variant>
#include <vector>

#include "alembert/document/document.hpp"

namespace alembert::test {

/// The ids of tables, plots, animations and matrices of a report, in order.
inline std::vector<std::string> ids_in(const document::Document& document) {
  std::vector<std::string> ids;
  for (const document::Section& section : document.sections) {
    for (const document::Block& block : section.blocks) {
      if (const auto* table = std::get_if<document::Table>(&block)) ids.push_back(table->id);
      if (const auto* plot = std::get_if<document::Plot>(&block)) ids.push_back(plot->id);
      if (const auto* moving = std::get_if<document::Animation>(&block)) ids.push_back(moving->id);
      if (const auto* matrix = std::get_if<document::MatrixView>(&block)) ids.push_back(matrix->id);
    }
  }
  return ids;
}

}  // namespace alembert::test
