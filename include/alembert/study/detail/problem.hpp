#pragma once

#include <functional>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"

namespace alembert::study {

/// A broken rule in a study or in a file that it names.
struct Problem {
  Place place;
  std::string message;
  bool in_data = false;  ///< the data's owner can mend it; otherwise the study's author
};

/// `file:line:column: message`, one line.
[[nodiscard]] std::string to_string(const Problem& problem);

/// Throws the problem as the DataError or StudyError that it is.
[[noreturn]] void raise(const Problem& problem);

/// Calls a function; if it throws a DataError or StudyError, adds that to the list.
/// Returns whether all went well.
bool attempt(std::vector<Problem>& problems, const std::function<void()>& function);

}  // namespace alembert::study
