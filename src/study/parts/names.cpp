#include "study/parts/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alembert::study {

bool is_name(const std::string& text) {
  // Blanks, separators, quotes and brackets would not survive a header line "name [unit]".
  const auto bad = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code <= 0x20 || code == 0x7f ||
           std::string_view(",;\"#%[](){}=").find(c) != std::string_view::npos;
  };
  return !text.empty() && text != "all" && std::none_of(text.begin(), text.end(), bad) &&
         std::string_view("0123456789+-.").find(text.front()) == std::string_view::npos;
}

void check_names(const TableReader& table, const std::string& key,
                 const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_name(names[i])) {
      table.fail(key, fmt::format("must hold names that begin with a letter and have no blanks, "
                                  "commas, quotes or brackets, got \"{}\"",
                                  names[i]));
    }
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i)) {
      table.fail(key, fmt::format("must hold different names, got \"{}\" twice", names[i]));
    }
  }
}

Eigen::Index index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

}  // namespace alembert::study
