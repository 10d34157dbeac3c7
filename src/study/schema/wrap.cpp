#include "study/schema/wrap.hpp"

#include <sstream>

namespace alembert::study {

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t first) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = first;
  bool at_begin = true;
  for (std::string word; words >> word;) {
    if (!at_begin && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      at_begin = true;
    }
    if (!at_begin) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    at_begin = false;
  }
  return result;
}

}  // namespace alembert::study
