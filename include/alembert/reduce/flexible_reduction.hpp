#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/flexible/mechanism.hpp"

/// Craig-Bampton of mechanisms with flexible links, whose matrices change with the pose.
namespace alembert::reduce {

/// Where the interior vectors come from in another pose than that of reference.
enum class CarriedBasis {
  Fixed,       ///< those of the reference, as they are
  Rotated,     ///< turned with the bodies: Ψ(q) = R(q) R(q*)ᵀ Φ [MultibodyThesis, eq. (5.48)]
  Iterated,    ///< the same, then one inverse iteration K22⁻¹ M22 Ψ
  Recomputed,  ///< interior modes of each pose, ranked anew
  Residual,    ///< interior residuals of the modes of interest, turned with the bodies
};
constexpr auto enum_names(CarriedBasis) {
  return std::to_array<EnumName<CarriedBasis>>({{CarriedBasis::Fixed, "fixed"},
                                                {CarriedBasis::Rotated, "rotated"},
                                                {CarriedBasis::Iterated, "iterated"},
                                                {CarriedBasis::Recomputed, "recomputed"},
                                                {CarriedBasis::Residual, "residual"}});
}

struct FlexibleReductionOptions {
  std::vector<std::string> masters = {};  ///< displacements kept, "y(EF.F)"; coordinates are kept
  int interior = 4;                       ///< vectors of the interior, >= 1
  int modes = 6;  ///< lowest vibrating modes that the small model is for, >= 1
  CarriedBasis basis = CarriedBasis::Iterated;
};

/// A small model of a pose: (u, q) = H (q, masters, η).
struct ReducedPose {
  Eigen::MatrixXd H;     ///< unknowns x (coordinates + masters + interior)
  Eigen::MatrixXd M, K;  ///< Hᵀ M H, Hᵀ K H
  /// Largest entry of Ψᵀ M22 Ψ − I, which is 0 at the reference: how far the vectors carry. After
  /// the inverse iteration they are made orthonormal anew, and this is that before.
  double departure = 0.0;
};

/// How well a small model has the lowest vibrating modes of a pose.
struct ReducedPoseAccuracy {
  Eigen::VectorXd frequency_hz;     ///< of the whole model
  Eigen::VectorXd frequency_error;  ///< |f − f*|/f of each
  /// (uᵀMu*)² / (uᵀMu u*ᵀMu*) of each with the reduced mode nearest to it: 1 is the same.
  Eigen::VectorXd orthogonality;
};

/// Configuration-dependent reduction of small motions without gravity and springs: K is that of the
/// links. Poses are those of undeformed links.
class FlexibleReduction {
 public:
  /// @param reference coordinates of the pose whose interior modes are chosen. @throws InvalidInput
  ///   for displacements that are unknown, held, zeroed or named twice, more vectors or modes than
  ///   there are, or a reference that cannot be reached.
  FlexibleReduction(const model::flexible::FlexibleMechanism& mechanism,
                    const Eigen::Ref<const Eigen::VectorXd>& reference,
                    FlexibleReductionOptions options);

  [[nodiscard]] const FlexibleReductionOptions& options() const noexcept { return options_; }
  /// Coordinates, masters and interior coordinates.
  [[nodiscard]] int size() const noexcept;
  /// Numbers of the interior modes that were kept at the reference, from 1, the most important
  /// first; none for Residual.
  [[nodiscard]] const std::vector<int>& kept() const noexcept { return kept_; }

  /// The small model of a pose. @throws InvalidInput for a pose that cannot be reached, or where
  /// the
  ///   interior vectors depend on each other: near a singular pose.
  [[nodiscard]] ReducedPose at(const Eigen::Ref<const Eigen::VectorXd>& coordinates) const;
  /// Its lowest modes against those of the whole model. @throws InvalidInput as at().
  [[nodiscard]] ReducedPoseAccuracy accuracy(
      const Eigen::Ref<const Eigen::VectorXd>& coordinates) const;

 private:
  model::flexible::FlexibleMechanism mechanism_;
  FlexibleReductionOptions options_;
  std::vector<Eigen::Index> masters_, slaves_;  ///< rows of (u, q); coordinates are masters
  Eigen::MatrixXd vectors_;                     ///< slaves x interior, in the frames of the bodies
  std::vector<int> kept_;
};

}  // namespace alembert::reduce
