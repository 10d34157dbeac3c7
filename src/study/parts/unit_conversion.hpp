#pragma once

#include <optional>
#include <string>

namespace alembert::study {

/// The factor that turns numbers in one unit into another: none if they do not fit.
/// Equal labels always fit, known or not.
[[nodiscard]] std::optional<double> conversion(const std::string& from, const std::string& to);

}  // namespace alembert::study
