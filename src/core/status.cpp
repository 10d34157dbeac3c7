#include "alembert/core/status.hpp"

namespace alembert {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::Success:
      return "success";
    case Status::NotConverged:
      return "not-converged";
    case Status::NotIdentifiable:
      return "not-identifiable";
    case Status::NotFinite:
      return "not-finite";
    case Status::Indefinite:
      return "indefinite";
    case Status::Unstable:
      return "unstable";
    case Status::Stopped:
      return "stopped";
  }
  return "unknown";
}

}  // namespace alembert
