#include "signal/spline/increasing.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::signal {

void check_increasing(std::string_view function, std::string_view argument,
                      const Eigen::Ref<const Eigen::VectorXd>& times) {
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k])) {
      throw InvalidInput({.function = std::string(function),
                          .argument = std::string(argument),
                          .rule = "must be finite",
                          .value = fmt::format("{} at sample {}", shortest(times[k]), k + 1)});
    }
    if (k > 0 && times[k] <= times[k - 1]) {
      throw InvalidInput({.function = std::string(function),
                          .argument = std::string(argument),
                          .rule = "must increase",
                          .value = fmt::format("{} after {} at sample {}", shortest(times[k]),
                                               shortest(times[k - 1]), k + 1)});
    }
  }
}

}  // namespace alembert::signal
