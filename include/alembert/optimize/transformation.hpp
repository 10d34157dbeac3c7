#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/optimize/objective.hpp"
#include "alembert/optimize/parameter.hpp"

namespace alembert::optimize {

/// The map from the free scaled variables x that solvers move to the parameters θ.
///
///   θ_k = f_k s_j x_j   or   θ_k = f_k exp(s_j x_j),   j = source(k)
///
/// with scale s_j of the free parameter j and the factor f_k of a tie (1 for the free one itself).
/// Fixed parameters, and those tied to fixed ones, have no source. Bounds of a tied parameter
/// narrow those of the parameter it is tied to.
class Transformation {
 public:
  /// @throws InvalidInput that names the parameter: empty or double name, guess not finite or
  /// outside its bounds, lower >= upper, logarithmic without positive guess and bounds, scale < 0,
  /// tie to an unknown or tied parameter, prior deviation not positive.
  explicit Transformation(std::vector<Parameter> parameters);

  /// Number of parameters θ.
  [[nodiscard]] Eigen::Index size() const { return factor_.size(); }
  /// Number of free variables x.
  [[nodiscard]] Eigen::Index free_size() const { return start_.size(); }
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  /// Index in θ of free variable j.
  [[nodiscard]] Eigen::Index parameter_of(Eigen::Index j) const;
  /// Index of the free variable that moves parameter k, -1 if it is fixed.
  [[nodiscard]] Eigen::Index source(Eigen::Index k) const;
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  [[nodiscard]] const Eigen::VectorXd& lower() const { return lower_; }
  [[nodiscard]] const Eigen::VectorXd& upper() const { return upper_; }

  /// Scales s_j of the free variables.
  [[nodiscard]] const Eigen::VectorXd& scale() const { return scale_; }

  /// Writes θ(x), inside the bounds of θ whatever the rounding.
  void to_parameters(const Eigen::VectorXd& x, Eigen::VectorXd& theta) const;
  /// x of the free parameters in θ, inside the bounds.
  [[nodiscard]] Eigen::VectorXd to_free(const Eigen::VectorXd& theta) const;
  /// Writes dθ_k/dx_source(k), zero for fixed parameters.
  void slopes(const Eigen::VectorXd& theta, Eigen::VectorXd& slope) const;
  /// Σ ((θ_k - mean_k)/deviation_k)² over the parameters with a prior.
  [[nodiscard]] double prior_cost(const Eigen::VectorXd& theta) const;
  /// Adds the residuals of the priors to normal equations in θ.
  void add_priors(const Eigen::VectorXd& theta, NormalEquations& sums) const;
  /// Normal equations in x from those in θ: J_x = J_θ ∂θ/∂x.
  void reduce(const NormalEquations& sums, const Eigen::VectorXd& slope,
              NormalEquations& free) const;

 private:
  void resolve_ties();
  void add_free(Eigen::Index k);

  std::vector<Parameter> parameters_;
  std::vector<Eigen::Index> source_;  // of θ_k, -1 if fixed
  std::vector<Eigen::Index> root_;    // the parameter that k is tied to, or k
  std::vector<Eigen::Index> free_;    // parameter of x_j
  Eigen::VectorXd factor_;            // of θ_k
  Eigen::VectorXd scale_;             // of x_j
  Eigen::VectorXd start_, lower_, upper_;
};

}  // namespace alembert::optimize
