#include "alembert/study/task.hpp"

#include <fmt/format.h>

#include "alembert/core/printable.hpp"

namespace alembert::study {

std::string TaskResult::failure() const {
  return std::string(to_string(outcome().status)) + ": " + outcome().message;
}

std::string verdict_lines(const Verdict& verdict) {
  std::string text = fmt::format("  {:<10} {}\n", "verdict", name_of(verdict.level));
  for (const std::string& advice : verdict.advice) {
    text += fmt::format("  {:<10} {}\n", "advice", printable(advice));
  }
  return text;
}

}  // namespace alembert::study
