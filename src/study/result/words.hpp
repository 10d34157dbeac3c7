#pragma once

#include <string>

#include "alembert/model/detail/second_order_words.hpp"
#include "alembert/model/planar/mechanism.hpp"

/// What several tasks say.
namespace alembert::study {

/// "3 bodies, 4 joints, 1 coordinate"
[[nodiscard]] std::string mechanism_words(const model::planar::Mechanism& mechanism);

using model::definiteness_words;

/// "8 degrees of freedom"
[[nodiscard]] std::string freedom_words(Eigen::Index degrees_of_freedom);

}  // namespace alembert::study
