#include "alembert/model/detail/second_order_words.hpp"

#include <fmt/format.h>

namespace alembert::model {

std::string definiteness_words(const SecondOrderCheck& check) {
  const auto word = [](const Definiteness& found) -> std::string {
    return found.positive_definite       ? "positive definite"
           : found.positive_semidefinite ? "positive semidefinite"
                                         : "indefinite";
  };
  const std::string mass = word(check.mass);
  const std::string damping = word(check.damping);
  const std::string stiffness = word(check.stiffness);
  if (mass == damping && mass == stiffness) return "M, D, K " + mass;
  return fmt::format("M {}, D {}, K {}", mass, damping, stiffness);
}

}  // namespace alembert::model
