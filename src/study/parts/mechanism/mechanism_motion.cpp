#include "alembert/study/mechanism_motion.hpp"

#include "alembert/estimate/force/force_balance.hpp"
#include "core/mapped.hpp"

namespace alembert::study {

std::vector<model::planar::CoordinateLaw> MovedMechanism::laws() const {
  return mapped(motion, [](const CoordinateMotion& one) { return one.law; });
}

Eigen::VectorXd MovedMechanism::first() const {
  if (released) return released->z;
  return model::planar::sample_laws(laws(), Eigen::VectorXd::Zero(1)).z.row(0);
}

bool MovedMechanism::has_forces() const {
  return released.has_value() || estimate::has_force_cells(*mechanism);
}

}  // namespace alembert::study
