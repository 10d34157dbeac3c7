#include "report/parts/deviation_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/vocabulary.hpp"

namespace alembert::report {

std::string with_deviation(double value, double deviation) {
  if (deviation == 0.0) return significant(value) + " fixed";
  if (std::isnan(deviation)) return significant(value);
  if (std::isinf(deviation)) return significant(value) + " \u00b1 \u221e";
  const int magnitude = static_cast<int>(std::floor(std::log10(deviation)));
  const double size = std::max(std::abs(value), deviation);
  if (size >= 1e6 || size < 1e-3) {
    // Both with one exponent, that of the larger.
    const int exponent = static_cast<int>(std::floor(std::log10(size)));
    const double scale = std::pow(10.0, exponent);
    const int decimals = std::clamp(exponent - magnitude + 1, 0, 9);
    return fmt::format("({:.{}f} \u00b1 {:.{}f})e{}", value / scale, decimals, deviation / scale,
                       decimals, exponent);
  }
  const int decimals = std::clamp(1 - magnitude, 0, 9);
  return fmt::format("{:.{}f} \u00b1 {:.{}f}", value, decimals, deviation, decimals);
}

std::string whiteness_words(const std::vector<identify::ResidualVerdict>& outputs,
                            const std::string& if_coloured) {
  switch (identify::whiteness_of(outputs)) {
    case identify::Whiteness::Coloured:
      return "The residuals are not white: " + if_coloured + ".";
    case identify::Whiteness::Unknown:
      return "The residuals are too few to judge whether they are white.";
    case identify::Whiteness::White:
      break;
  }
  return "The residuals are white: the model explains all but the noise, and the standard "
         "deviations can be taken at their word.";
}

}  // namespace alembert::report
