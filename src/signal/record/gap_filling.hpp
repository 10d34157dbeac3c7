#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/signal/piecewise_polynomial.hpp"

namespace alembert::signal {

/// The samples of a signal that are there, cut into stretches without long gaps; each stretch is
/// interpolated by a spline of its own.
class Stretches {
 public:
  /// @param longest distance in s of neighbouring samples that still belong together.
  /// @param quintic spline of degree 5 instead of 3.
  Stretches(const Eigen::Ref<const Eigen::VectorXd>& times,
            const Eigen::Ref<const Eigen::VectorXd>& values, double longest, bool quintic = false);

  /// Values inside the stretches, NaN elsewhere. @param at increasing times.
  [[nodiscard]] Eigen::VectorXd inside(const Eigen::Ref<const Eigen::VectorXd>& at) const;
  /// Values everywhere: straight lines between stretches, constant before and behind; 0 if there
  /// is no sample at all.
  [[nodiscard]] Eigen::VectorXd everywhere(const Eigen::Ref<const Eigen::VectorXd>& at) const;

 private:
  struct Stretch {
    double begin, end;  // s
    double first_value, last_value;
    PiecewisePolynomial spline;  // no pieces for a single sample
  };
  void add_stretch(const Eigen::Ref<const Eigen::VectorXd>& times,
                   const Eigen::Ref<const Eigen::VectorXd>& values, bool quintic);
  [[nodiscard]] double between(std::size_t next, double time) const;

  std::vector<Stretch> stretches_;
  double tolerance_ = 0.0;  // s; covers the rounding of times
};

}  // namespace alembert::signal
