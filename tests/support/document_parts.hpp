#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>

#include "alembert/document/document.hpp"

namespace alembert::test {

/// The section of that title. @throws std::runtime_error if there is none.
inline const document::Section& section(const document::Document& document,
                                        const std::string& title) {
  const auto found = std::find_if(document.sections.begin(), document.sections.end(),
                                  [&](const document::Section& one) { return one.title == title; });
  if (found == document.sections.end()) throw std::runtime_error("no section " + title);
  return *found;
}

/// The table, plot, ... of that id. @throws std::runtime_error if there is none.
template <typename Kind>
Kind block(const document::Document& document, const std::string& id) {
  for (const document::Section& one : document.sections) {
    for (const document::Block& block : one.blocks) {
      const auto* content = std::get_if<Kind>(&block);
      if (content != nullptr && content->id == id) return *content;
    }
  }
  throw std::runtime_error("no block " + id);
}

}  // namespace alembert::test
