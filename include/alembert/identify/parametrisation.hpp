#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/model/second_order.hpp"

/// M, D and K as functions of the unknown numbers θ.
namespace alembert::identify {

/// The three matrices without a force distribution.
struct Matrices {
  Eigen::MatrixXd M, D, K;  ///< n x n, symmetric
};

/// The matrices of a system.
[[nodiscard]] Matrices matrices_of(const model::SecondOrder& system);

/// Lower triangle of a symmetric matrix, column by column: n (n + 1)/2 numbers.
[[nodiscard]] Eigen::VectorXd half_vector(const Eigen::Ref<const Eigen::MatrixXd>& symmetric);
/// The symmetric matrix of a half vector. @throws InvalidInput if its length is not n (n + 1)/2.
[[nodiscard]] Eigen::MatrixXd from_half_vector(const Eigen::Ref<const Eigen::VectorXd>& half);
/// (half(M), half(D), half(K)), 3 n (n + 1)/2 numbers, and back.
[[nodiscard]] Eigen::VectorXd stacked(const Matrices& matrices);
[[nodiscard]] Matrices unstacked(const Eigen::Ref<const Eigen::VectorXd>& stack);

/// How the matrices depend on θ: affine, stack = offset + basis θ, or the same for M and K with
/// D = α M + β K, where α and β are the last two entries of θ.
struct Parametrisation {
  Eigen::Index degrees_of_freedom = 0;
  std::vector<std::string> names;     ///< of θ: "M11", "k3", "alpha", ...
  std::vector<std::string> units;     ///< "" where unknown; as many as names
  Eigen::SparseMatrix<double> basis;  ///< 3 n (n + 1)/2 x size (without α, β)
  Eigen::VectorXd offset;             ///< 3 n (n + 1)/2
  bool proportional_damping = false;

  /// Number of unknowns.
  [[nodiscard]] Eigen::Index size() const noexcept {
    return basis.cols() + (proportional_damping ? 2 : 0);
  }
};

/// Every entry of the three symmetric matrices: 3 n (n + 1)/2 unknowns M11, M21, ..., Knn.
[[nodiscard]] Parametrisation free_matrices(Eigen::Index degrees_of_freedom);

/// What is known of entries beforehand; (row, column) count from 0, the transposed entry follows.
struct EntryRule {
  enum class Kind {
    Fixed,  ///< has the given value (0: known sparsity)
    Tied    ///< equals factor times another entry of the same or another matrix
  };
  Kind kind = Kind::Fixed;
  char matrix = 'M';  ///< 'M', 'D' or 'K'
  Eigen::Index row = 0, column = 0;
  double value = 0.0;       ///< Fixed: the value; Tied: the factor
  char other_matrix = 'M';  ///< Tied: the entry that this one follows
  Eigen::Index other_row = 0, other_column = 0;
};

struct StructureOptions {
  bool diagonal_mass = false;         ///< M has no other entries
  bool proportional_damping = false;  ///< D = a M + b K
  std::vector<EntryRule> rules = {};
};
/// Symmetric matrices with entries fixed, tied or zero, diagonal mass, proportional damping.
/// @throws InvalidInput naming a rule that points outside, repeats another or ties in a circle.
[[nodiscard]] Parametrisation structured_matrices(Eigen::Index degrees_of_freedom,
                                                  const StructureOptions& options);

/// A lumped element between two points of a mechanism, or between a point and ground.
struct Element {
  enum class Kind { Mass, Damper, Spring };
  Kind kind = Kind::Spring;
  std::string name;           ///< of its unknown; elements of one name share one value
  Eigen::VectorXd direction;  ///< e, n numbers: stretch = eᵀ q. Adds value · e eᵀ to its matrix
  bool fixed = false;
  double value = 0.0;  ///< of a fixed element
};

constexpr auto enum_names(Element::Kind) {
  return std::to_array<EnumName<Element::Kind>>({{Element::Kind::Spring, "spring"},
                                                 {Element::Kind::Damper, "damper"},
                                                 {Element::Kind::Mass, "mass"}});
}
/// M = Σ m e eᵀ, D = Σ c e eᵀ, K = Σ k e eᵀ over masses, dampers and springs.
/// @throws InvalidInput for a direction of the wrong length or zero, or no unknown at all.
[[nodiscard]] Parametrisation lumped_elements(Eigen::Index degrees_of_freedom,
                                              const std::vector<Element>& elements);

/// The matrices at θ. @throws InvalidInput if θ has the wrong length.
[[nodiscard]] Matrices matrices(const Parametrisation& parametrisation,
                                const Eigen::Ref<const Eigen::VectorXd>& theta);
/// ∂ stacked / ∂θ, 3 n (n + 1)/2 x size.
[[nodiscard]] Eigen::SparseMatrix<double> jacobian(const Parametrisation& parametrisation,
                                                   const Eigen::Ref<const Eigen::VectorXd>& theta);
/// The θ whose matrices are nearest to the given ones: least squares with each matrix scaled by
/// its norm, rank-deficient directions set to zero.
[[nodiscard]] Eigen::VectorXd nearest_parameters(const Parametrisation& parametrisation,
                                                 const Matrices& wanted);

}  // namespace alembert::identify
