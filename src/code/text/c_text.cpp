#include "code/text/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"

namespace alembert::code {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string c_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      result += c;
    } else if (c == '\'') {
      result += "_dot";
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty()) return "model";
  return is_digit(result.front()) ? "n" + result : result;
}

std::string in_capitals(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string replaced(std::string text, const std::string& mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), by);
    at += by.size();
  }
  return text;
}

std::string filled(const std::string& pattern, const ProgramOptions& options) {
  std::string text;
  for (const char c : pattern) {
    if (c == '@') {
      text += options.name;
    } else if (c == '^') {
      text += in_capitals(options.name);
    } else if (c == '$') {
      text += options.number == model::CNumber::Float ? "f" : "";
    } else {
      text += c;
    }
  }
  return text;
}

std::string c_number(double value, model::CNumber number) {
  const bool single = number == model::CNumber::Float;
  std::string text = single ? fmt::format("{:.9g}", value) : fmt::format("{:.17g}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + (single ? "f" : "");
}

std::string c_array(const std::string& name, const Eigen::MatrixXd& values, model::CNumber number) {
  const Eigen::Index size = std::max<Eigen::Index>(1, values.size());
  std::string text = fmt::format("static const real {}[{}] = {{", name, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    text += fmt::format("{}{}{}", k % 4 == 0 ? "\n  " : " ",
                        c_number(k < values.size() ? values.data()[k] : 0.0, number),
                        k + 1 < size ? "," : "");
  }
  return text + "};\n";
}

std::string in_comment(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool plain = c >= ' ' && c <= '~';
    const bool ends = !result.empty() &&
                      ((result.back() == '*' && c == '/') || (result.back() == '/' && c == '*') ||
                       (result.back() == '?' && c == '?'));
    result += ends ? " " : "";
    result += plain && c != '\\' ? c : '?';
  }
  return result;
}

std::string replay_text(const Program& program, const Replay& replay) {
  const Eigen::Index samples = replay.outputs.rows();
  const auto columns = static_cast<Eigen::Index>(program.inputs.size()) * program.input_rows;
  const auto measured = static_cast<Eigen::Index>(program.measured.size());
  check::shape("replay_text", "inputs", replay.inputs, samples, columns);
  check::shape("replay_text", "outputs", replay.outputs, samples,
               static_cast<Eigen::Index>(program.outputs.size()));
  check::shape("replay_text", "measured", replay.measured, measured > 0 ? samples : 0, measured);
  std::string text = fmt::format("{}\n", samples);
  for (Eigen::Index k = 0; k < samples; ++k) {
    for (const Eigen::MatrixXd* part : {&replay.inputs, &replay.measured, &replay.outputs}) {
      for (Eigen::Index c = 0; c < part->cols(); ++c) {
        text += fmt::format("{:.17g} ", (*part)(k, c));
      }
    }
    text.back() = '\n';
  }
  return text;
}

}  // namespace alembert::code
