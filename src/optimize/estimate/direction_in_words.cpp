#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/estimate.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kLeftOut = 1e-3;
constexpr double kInProportion = 0.05;

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words, "");
  const std::vector<std::string> head(words.begin(), words.end() - 1);
  return fmt::format("{} and {}", join(head, ", "), words.back());
}

std::string in_proportion(const std::vector<std::string>& up,
                          const std::vector<std::string>& down) {
  std::string words = fmt::format("{} up", listed(up));
  if (!down.empty()) words += fmt::format(", {} down", listed(down));
  return words + " in proportion";
}

struct Part {
  std::string name;
  double value = 0.0;   // of the parameter
  double change = 0.0;  // of the parameter
  double relative() const { return change / value; }
};

// Relative parts, the first of them up.
std::string relative_words(const std::vector<Part>& parts) {
  const double sign = parts.front().relative() < 0.0 ? -1.0 : 1.0;
  double largest = 0.0;
  double smallest = HUGE_VAL;
  std::vector<std::string> up, down, each;
  for (const Part& part : parts) {
    largest = std::max(largest, std::abs(part.relative()));
    smallest = std::min(smallest, std::abs(part.relative()));
    (sign * part.relative() > 0.0 ? up : down).push_back(part.name);
  }
  if (smallest > (1.0 - kInProportion) * largest) return in_proportion(up, down);
  for (const Part& part : parts) {
    const double percent = sign * part.relative() / largest;
    each.push_back(
        fmt::format("{} {} {:.2g} %", part.name, percent > 0.0 ? "up" : "down", std::abs(percent)));
  }
  return join(each, ", ");
}

std::string absolute_words(const std::vector<Part>& parts) {
  double largest = 0.0;
  std::vector<std::string> each;
  for (const Part& part : parts) largest = std::max(largest, std::abs(part.change));
  const double sign = parts.front().change < 0.0 ? -1.0 : 1.0;
  for (const Part& part : parts) {
    each.push_back(fmt::format("{} by {:+.2g}", part.name, sign * part.change / largest));
  }
  return join(each, ", ");
}

}  // namespace

std::string direction_in_words(const std::vector<std::string>& names, const VectorXd& parameters,
                               const VectorXd& change) {
  const auto count = static_cast<long long>(names.size());
  check::size("direction_in_words", "parameters", parameters.size(), count);
  check::size("direction_in_words", "change", change.size(), count);
  if (count == 0) return "none";
  // Parts are compared relative to the parameters, where all of them have a size.
  const bool relative = (parameters.array() != 0.0 || change.array() == 0.0).all();
  VectorXd size = change.cwiseAbs();
  for (Index i = 0; relative && i < size.size(); ++i) {
    if (size(i) > 0.0) size(i) /= std::abs(parameters(i));
  }
  std::vector<Part> parts;
  for (Index i = 0; i < size.size(); ++i) {
    if (size(i) > kLeftOut * size.maxCoeff()) {
      parts.push_back({names[static_cast<std::size_t>(i)], parameters(i), change(i)});
    }
  }
  if (parts.empty()) return "none";
  if (parts.size() == 1) return parts.front().name;
  return relative ? relative_words(parts) : absolute_words(parts);
}

}  // namespace alembert::optimize
