#include "io/mat/variables.hpp"

#include <algorithm>
#include <iterator>

#include "io/mat/utf16.hpp"

namespace alembert::io::mat {

namespace {

// MATLAB cuts names at 63 letters; a suffix that makes them differ must fit too.
constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestStem = 57;

bool is_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

bool is_name_letter(char letter) {
  return is_letter(letter) || (letter >= '0' && letter <= '9') || letter == '_';
}

bool is_keyword(const std::string& name) {
  static constexpr const char* kKeywords[] = {
      "break",      "case",   "catch",    "classdef", "continue", "else",      "elseif",
      "end",        "for",    "function", "global",   "if",       "otherwise", "parfor",
      "persistent", "return", "spmd",     "switch",   "try",      "while"};
  return std::any_of(std::begin(kKeywords), std::end(kKeywords),
                     [&](const char* keyword) { return name == keyword; });
}

}  // namespace

NewVariable new_numbers(const char* name, Eigen::Index rows, Eigen::Index columns,
                        const double* values) {
  std::size_t size[2] = {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
  return NewVariable(
      Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, const_cast<double*>(values), 0));
}

NewVariable new_text(const char* name, const std::string& text) {
  std::u16string letters = to_utf16(text);
  std::size_t size[2] = {letters.empty() ? 0U : 1U, letters.size()};
  return NewVariable(Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF16, 2, size, letters.data(), 0));
}

bool is_valid_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_name_letter) && !is_keyword(name);
}

std::string valid_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return !is_name_letter(letter); }, '_');
  if (name.empty() || !is_letter(name.front()) || is_keyword(name)) {
    name.insert(0, "x_");
  }
  return name.substr(0, kLongestStem);
}

}  // namespace alembert::io::mat
