#pragma once

#include <Eigen/Core>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/subspace.hpp"

/// The published variational pipeline [Bruschetta2014], up to the start of the refinement.
namespace alembert::identify {

enum class VariationalInput {
  DiscreteForce,  ///< fd(k) = (h/4) L (u(k) + 2 u(k-1) + u(k-2))
  Samples         ///< u(k)
};
constexpr auto enum_names(VariationalInput) {
  return std::to_array<EnumName<VariationalInput>>(
      {{VariationalInput::DiscreteForce, "discrete-force"},
       {VariationalInput::Samples, "samples"}});
}

struct VariationalStartOptions {
  VariationalInput input = VariationalInput::DiscreteForce;
  SubspaceOptions subspace = {};  ///< order is set to 2n; stride must be 1
};

struct VariationalStart : Outcome {
  Matrices matrices;  ///< symmetrised M, D, K, not clipped
  SubspaceModel subspace;
  double asymmetry = 0.0;            ///< of Md, Dd, Kd before they were symmetrised
  double companion_condition = 0.0;  ///< of Ω = [H; H F]
};
/// Subspace step, block-companion form, gain-matched Md, Dd, Kd, linear map back.
///
/// With Ω = (H; H F), (F21 F22) = H F² Ω⁻¹ and (G1; G2) = Ω G the model is the difference equation
///   y(k) = F22 y(k-1) + F21 y(k-2) + B0 f(k) + B1 f(k-1) + B2 f(k-2)
///   B0 = J,  B1 = G1 - F22 J,  B2 = G2 - F22 G1 - F21 J
/// and Md = P (B0 + B1 + B2)⁻¹, Dd = -Md F22, Kd = -Md F21, symmetrised, where P is the static gain
/// from the input used to fd: I for DiscreteForce, h L for Samples [Bruschetta2014, sec. 4].
///
/// Status NotIdentifiable if Ω or the gain is singular, Indefinite if M or K is not positive
/// definite or D not semidefinite (the matrices are kept), else that of the subspace step.
/// @throws InvalidInput unless the outputs are the n displacements and L is n x n invertible.
VariationalStart variational_start(const Experiments& data,
                                   const Eigen::Ref<const Eigen::MatrixXd>& L,
                                   const VariationalStartOptions& options = {});

}  // namespace alembert::identify
