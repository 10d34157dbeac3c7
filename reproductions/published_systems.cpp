#include "reproductions/published_systems.hpp"

#include "reproductions/studies.hpp"

namespace alembert::reproductions {

const model::SecondOrder& frame_8dof() {
  static const model::SecondOrder frame = study_system("frame-8dof/simulate.toml");
  return frame;
}

const model::SecondOrder& coupled_3dof() {
  static const model::SecondOrder system = study_system("triple-mass/simulate.toml");
  return system;
}

}  // namespace alembert::reproductions
