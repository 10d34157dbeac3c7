#include "alembert/study/mechanism_motion.hpp"

#include "core/mapped.hpp"

namespace alembert::study {

std::vector<model::planar::CoordinateLaw> MovedMechanism::laws() const {
  return mapped(motion, [](const CoordinateMotion& one) { return one.law; });
}

}  // namespace alembert::study
