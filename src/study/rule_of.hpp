#pragma once

#include <string>

#include "alembert/core/error.hpp"

namespace alembert::study {

/// The text of an InvalidInput without the name of the function, which a study does not know.
[[nodiscard]] inline std::string rule_of(const InvalidInput& error) {
  const std::string message = error.what();
  const std::size_t colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

}  // namespace alembert::study
