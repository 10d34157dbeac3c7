#include "alembert/core/status.hpp"

namespace alembert {

std::string_view to_string(Status status) { return name_of(status); }

}  // namespace alembert
