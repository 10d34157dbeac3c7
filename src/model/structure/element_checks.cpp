#include "model/structure/element_checks.hpp"

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert::model {

void check_material(const char* function, const Material& material) {
  check::positive(function, "density", material.density);
  check::positive(function, "young", material.young);
  check::finite(function, "poisson", material.poisson);
  if (material.poisson > -1.0 && material.poisson < 0.5) return;
  throw InvalidInput({.function = function,
                      .argument = "poisson",
                      .rule = "must lie between -1 and 0.5",
                      .value = shortest(material.poisson)});
}

void check_upright(const char* function, double determinant) {
  if (determinant > 0.0) return;
  throw InvalidInput({.function = function,
                      .argument = "places",
                      .rule = "must go counter-clockwise around an element that is not flat or "
                              "folded; the determinant of its Jacobian must be positive",
                      .value = shortest(determinant)});
}

}  // namespace alembert::model
