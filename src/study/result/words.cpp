#include "study/result/words.hpp"

#include <fmt/format.h>

#include "alembert/study/detail/console.hpp"

namespace alembert::study {

std::string mechanism_words(const model::planar::Mechanism& mechanism) {
  const std::size_t bodies = mechanism.bodies().size();
  const auto joints = static_cast<long long>(mechanism.description().joints.size());
  return fmt::format("{} {}, {}, {}", bodies, bodies == 1 ? "body" : "bodies",
                     counted(joints, "joint"), counted(mechanism.coordinates(), "coordinate"));
}

std::string definiteness_words(const Definiteness& found) {
  if (found.positive_definite) return "positive definite";
  return found.positive_semidefinite ? "positive semidefinite" : "indefinite";
}

std::string definiteness_words(const model::SecondOrderCheck& check) {
  const std::string mass = definiteness_words(check.mass);
  const std::string damping = definiteness_words(check.damping);
  const std::string stiffness = definiteness_words(check.stiffness);
  if (mass == damping && mass == stiffness) return "M, D, K " + mass;
  return fmt::format("M {}, D {}, K {}", mass, damping, stiffness);
}

std::string freedom_words(Eigen::Index degrees_of_freedom) {
  return fmt::format("{} degree{} of freedom", degrees_of_freedom,
                     degrees_of_freedom == 1 ? "" : "s");
}

}  // namespace alembert::study
