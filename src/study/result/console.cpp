#include "study/result/console.hpp"

namespace alembert::study {

std::string counted(long long count, const std::string& singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string step_line(const std::string& name, const std::string& what, const std::string& time) {
  const std::string words = printable(what);
  return time.empty() ? fmt::format("  {:<10} {}\n", name, words)
                      : fmt::format("  {:<10} {:<56} {:>8}\n", name, words, time);
}

}  // namespace alembert::study
