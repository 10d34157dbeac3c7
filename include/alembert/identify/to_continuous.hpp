#pragma once

#include <Eigen/Core>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/subspace.hpp"

/// From a discrete state-space model back to M, D, K.
namespace alembert::identify {

/// The rule that made the discrete model from the continuous one.
enum class DiscreteRule {
  ZeroOrderHold,  ///< F = exp(A h), held input: matrix logarithm
  Tustin,         ///< midpoint rule: A = (2/h) (F - I)(F + I)⁻¹
  Gauss2,         ///< diagonal Padé (2,2) of exp, held input, inverted on the eigenvalues
  Gauss3          ///< diagonal Padé (3,3)
};

/// x' = A x + B u, y = C x + E u.
struct ContinuousModel : Outcome {
  Eigen::MatrixXd A, B, C, E;
  double condition = 0.0;  ///< of the eigenvectors of F: how much the logarithm amplifies
  double imaginary_part =
      0.0;  ///< of the computed A, relative; above 1e-8 the status is not Success
};
/// The continuous model whose discretisation by `rule` is the given one.
///
///   ZeroOrderHold  exp((A B; 0 0) h) = (F G; 0 I)
///   Tustin         A = (2/h)(F + I)⁻¹(F - I), B = (2/h)(F + I)⁻¹G, C = 2 H (F + I)⁻¹,
///                  E = J - H (F + I)⁻¹G: the same transfer function at s = (2/h)(z - 1)/(z + 1)
///   Gauss2, 3      F = R(h A), G = A⁻¹(F - I) B, R the diagonal Padé approximant of exp
///
/// The root nearest to the principal logarithm is taken. Status NotFinite for a singular F (or
/// F + I for Tustin); NotIdentifiable, with the real part of the principal branch kept, when a
/// pole lies within 0.03 rad of the negative real axis, where the turn per step cannot be told
/// from its alias, when A is not real, or when the eigenvectors of F have a condition above 1e10
/// (Gauss rules only; the logarithm works on the Schur form).
/// @throws InvalidInput if the sizes disagree or the step is not positive.
ContinuousModel to_continuous(const DiscreteModel& model, DiscreteRule rule);

/// How the mass scale is fixed in the projection to second-order form.
enum class MassScaling {
  Markov,     ///< M⁻¹ L = C A B
  StaticGain  ///< K⁻¹ L = -C A⁻¹ B + E: better for M and K at large steps
};
constexpr auto enum_names(MassScaling) {
  return std::to_array<EnumName<MassScaling>>(
      {{MassScaling::Markov, "markov"}, {MassScaling::StaticGain, "static-gain"}});
}

struct ProjectedMatrices : Outcome {
  Matrices matrices;       ///< symmetrised
  double asymmetry = 0.0;  ///< largest relative antisymmetric part before
};
/// T = [C; C A] turns (A, B, C) of order 2n with n displacement outputs into
/// A' = [0 I; -M⁻¹K  -M⁻¹D]. Needs as many independent inputs as coordinates, for both scalings:
/// the inverse of C A B or of the static gain fixes M or K.
/// Status NotIdentifiable if T or that inverse does not exist, Indefinite if M or K is not positive
/// definite or D not semidefinite (the matrices are kept), else that of the model.
/// @throws InvalidInput unless order = 2 outputs and L is n x n invertible.
ProjectedMatrices second_order_projection(const ContinuousModel& model,
                                          const Eigen::Ref<const Eigen::MatrixXd>& L,
                                          MassScaling scaling);

struct ProjectedSubspaceOptions {
  SubspaceOptions subspace = {};  ///< order is set to 2n, feedthrough to false
  DiscreteRule rule = DiscreteRule::ZeroOrderHold;
  MassScaling scaling = MassScaling::Markov;
};
struct ProjectedSubspace : Outcome {
  Matrices matrices;  ///< symmetrised, not clipped
  SubspaceModel subspace;
  ContinuousModel continuous;
  double asymmetry = 0.0;
};
/// Subspace model of (y, u) without feedthrough, matrix logarithm, projection to second-order form.
/// The status is that of the first step that failed; what could be computed is kept.
/// @throws InvalidInput unless the outputs are the n displacements and L is n x n invertible.
ProjectedSubspace projected_subspace(const Experiments& data,
                                     const Eigen::Ref<const Eigen::MatrixXd>& L,
                                     const ProjectedSubspaceOptions& options = {});

}  // namespace alembert::identify
