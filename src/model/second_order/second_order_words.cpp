#include "alembert/model/detail/second_order_words.hpp"

#include <fmt/format.h>

namespace alembert::model {

std::string definiteness_words(const Definiteness& found) {
  if (found.positive_definite) return "positive definite";
  return found.positive_semidefinite ? "positive semidefinite" : "indefinite";
}

std::string definiteness_words(const SecondOrderCheck& check) {
  const std::string mass = definiteness_words(check.mass);
  const std::string damping = definiteness_words(check.damping);
  const std::string stiffness = definiteness_words(check.stiffness);
  if (mass == damping && mass == stiffness) return "M, D, K " + mass;
  return fmt::format("M {}, D {}, K {}", mass, damping, stiffness);
}

}  // namespace alembert::model
