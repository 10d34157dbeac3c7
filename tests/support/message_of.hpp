#pragma once

#include <string>

#include "alembert/core/error.hpp"

namespace alembert::test {

/// The message of the InvalidInput that a call throws, or "no InvalidInput".
template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no InvalidInput";
}

}  // namespace alembert::test
