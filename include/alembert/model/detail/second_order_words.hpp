#pragma once

#include <string>

#include "alembert/model/second_order.hpp"

namespace alembert::model {

/// "positive definite", "positive semidefinite" or "indefinite".
[[nodiscard]] std::string definiteness_words(const Definiteness& found);

/// Definiteness of M, D, K: "M, D, K positive definite"
[[nodiscard]] std::string definiteness_words(const SecondOrderCheck& check);

}  // namespace alembert::model
