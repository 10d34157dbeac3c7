#pragma once

#include "alembert/document/document.hpp"
#include "reproductions/reproduce.hpp"

namespace alembert::reproductions {

/// The report of a reproduction: its claims with their verdicts, then the tables and figures that
/// they rest on.
[[nodiscard]] document::Document claims_document(const Reproduction& reproduction);

/// Whether it came to its end and kept all that it promises; a comparison may differ.
[[nodiscard]] bool keeps_promises(const Reproduction& reproduction);

}  // namespace alembert::reproductions
