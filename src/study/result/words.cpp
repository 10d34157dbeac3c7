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

std::string freedom_words(Eigen::Index degrees_of_freedom) {
  return fmt::format("{} degree{} of freedom", degrees_of_freedom,
                     degrees_of_freedom == 1 ? "" : "s");
}

}  // namespace alembert::study
