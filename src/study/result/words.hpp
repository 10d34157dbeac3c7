#pragma once

#include <string>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/second_order.hpp"

/// What several tasks say.
namespace alembert::study {

/// "3 bodies, 4 joints, 1 coordinate"
[[nodiscard]] std::string mechanism_words(const model::planar::Mechanism& mechanism);

/// "positive definite", "positive semidefinite" or "indefinite".
[[nodiscard]] std::string definiteness_words(const Definiteness& found);

/// Definiteness of M, D, K in words.
[[nodiscard]] std::string definiteness_words(const model::SecondOrderCheck& check);

/// "8 degrees of freedom"
[[nodiscard]] std::string freedom_words(Eigen::Index degrees_of_freedom);

}  // namespace alembert::study
