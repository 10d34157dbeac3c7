#include "alembert/core/chi_square.hpp"

#include <boost/math/special_functions/gamma.hpp>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"

namespace alembert {

double chi_square_probability(double value, double freedom) {
  check::positive("chi_square_probability", "freedom", freedom);
  check::non_negative("chi_square_probability", "value", value);
  return boost::math::gamma_p(0.5 * freedom, 0.5 * value);
}

double chi_square_quantile(double probability, double freedom) {
  check::positive("chi_square_quantile", "freedom", freedom);
  if (!(probability > 0.0 && probability < 1.0)) {
    throw InvalidInput({.function = "chi_square_quantile",
                        .argument = "probability",
                        .rule = "must be in (0, 1)",
                        .value = shortest(probability)});
  }
  return 2.0 * boost::math::gamma_p_inv(0.5 * freedom, probability);
}

}  // namespace alembert
