#pragma once

#include "alembert/report/document.hpp"
#include "reproductions/reproduce.hpp"

namespace alembert::reproductions {

/// The report of a reproduction: its claims with their verdicts, then the tables and figures that
/// they rest on.
[[nodiscard]] report::Document claims_document(const Reproduction& reproduction);

}  // namespace alembert::reproductions
