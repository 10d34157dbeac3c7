#pragma once

#include <string>
#include <string_view>

#include "alembert/core/enum_names.hpp"

namespace alembert {

/// How a numerical method ended. Anything but Success comes with a message that says what was
/// seen, where, and what to try; the best iterate is kept.
enum class Status {
  Success,          ///< the method met its own criterion
  NotConverged,     ///< the iteration limit came first
  NotIdentifiable,  ///< the data cannot tell the unknowns apart
  NotFinite,        ///< a NaN or infinity appeared in the numbers
  Indefinite,       ///< a matrix that must be positive definite is not
  Unstable,         ///< the model's free motion grows
  Stopped           ///< the caller asked to stop; finished parts are valid
};
constexpr auto enum_names(Status) {
  return std::to_array<EnumName<Status>>({{Status::Success, "success"},
                                          {Status::NotConverged, "not-converged"},
                                          {Status::NotIdentifiable, "not-identifiable"},
                                          {Status::NotFinite, "not-finite"},
                                          {Status::Indefinite, "indefinite"},
                                          {Status::Unstable, "unstable"},
                                          {Status::Stopped, "stopped"}});
}

/// Returns the name used in result files: "success", "not-finite", ...
[[nodiscard]] std::string_view to_string(Status status);

/// Outcome of a numerical method, base of the result structs.
struct [[nodiscard]] Outcome {
  Status status = Status::Success;
  std::string message;  ///< empty on success

  [[nodiscard]] bool ok() const noexcept { return status == Status::Success; }
};

}  // namespace alembert
