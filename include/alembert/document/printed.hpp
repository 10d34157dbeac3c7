#pragma once

#include <string>

namespace alembert::document {

/// The rule, as of meets(), of a number as a publication prints it: half a unit of its last digit.
/// "0.0094" gives "0.0094 +- 5e-05", "1.86e-6" gives "1.86e-6 +- 5e-09".
/// @throws InvalidInput if the text is no number.
[[nodiscard]] std::string as_printed(const std::string& number);

}  // namespace alembert::document
