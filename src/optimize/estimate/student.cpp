#include "alembert/optimize/student.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::optimize {

double student_probability(double value, double freedom) {
  check::positive("student_probability", "freedom", freedom);
  if (std::isnan(value)) {
    throw InvalidInput({.function = "student_probability",
                        .argument = "value",
                        .rule = "must be a number",
                        .value = "nan"});
  }
  return cdf(boost::math::students_t(freedom), value);
}

double student_quantile(double probability, double freedom) {
  check::positive("student_quantile", "freedom", freedom);
  if (!(probability > 0.0 && probability < 1.0)) {
    check::in_range("student_quantile", "probability", probability, 1e-300, 1.0 - 1e-16);
  }
  return quantile(boost::math::students_t(freedom), probability);
}

}  // namespace alembert::optimize
