#include "alembert/core/version.hpp"

namespace alembert {

std::string_view version() { return ALEMBERT_VERSION; }

}  // namespace alembert
