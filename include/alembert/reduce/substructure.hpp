#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/model/structure/structure.hpp"
#include "alembert/reduce/modes.hpp"

/// Craig-Bampton: a structure in the motion of its masters and in coordinates of its interior.
///
///   x = (x1, x2),  x2 = B x1 + Q η,  B = -K22⁻¹ K21
namespace alembert::reduce {

/// A structure split into masters (1) and slaves (2).
struct Substructure {
  std::vector<Eigen::Index> masters, slaves;  ///< rows of the structure; slaves in rising order
  model::SparseMatrix K22, M22;
  Eigen::MatrixXd B;          ///< static modes, slaves x masters
  Eigen::MatrixXd mass;       ///< M11r = M11 + Bᵀ M21 + M12 B + Bᵀ M22 B
  Eigen::MatrixXd stiffness;  ///< K11r = K11 + K12 B
  Eigen::MatrixXd coupling;   ///< M12 + Bᵀ M22, masters x slaves

  [[nodiscard]] Eigen::Index size() const {
    return static_cast<Eigen::Index>(masters.size() + slaves.size());
  }
};

/// Splits a structure at its masters and solves for the static modes (Guyan).
/// @param masters rows, each once, at least one, not all.
/// @throws InvalidInput for masters that are not allowed, and where the interior can move while the
///   masters stand still without any stiffness against it: a mechanism.
[[nodiscard]] Substructure split_structure(const model::Structure& structure,
                                           const std::vector<Eigen::Index>& masters);

/// The lowest modes of the interior, masters held.
[[nodiscard]] StructureModes interior_modes(const Substructure& split, Eigen::Index count,
                                            const ModesOptions& options = {});

/// A basis of the whole structure, x = H (x1, η), with the matrices in it.
struct HybridBasis {
  Eigen::MatrixXd H;        ///< rows of the structure x (masters + interior coordinates)
  Eigen::MatrixXd M, K, D;  ///< Hᵀ M H, Hᵀ K H, Hᵀ D H (empty without damping)
  Eigen::VectorXd interior_eigenvalue;    ///< ω² of each interior coordinate
  std::vector<Eigen::Index> master_rows;  ///< of the structure
  Eigen::Index masters = 0;               ///< how many

  [[nodiscard]] Eigen::Index size() const { return M.rows(); }
  [[nodiscard]] Eigen::Index interior() const { return size() - masters; }
};

/// The basis of these interior modes (columns orthonormal in M22, with their ω²).
[[nodiscard]] HybridBasis hybrid_basis(const model::Structure& structure, const Substructure& split,
                                       const Eigen::MatrixXd& interior,
                                       const Eigen::VectorXd& eigenvalue);

/// The basis of any vectors of the interior: made orthonormal in M22 and turned so that K22 is
/// diagonal; what depends on others to 1e-10 is left out.
[[nodiscard]] HybridBasis hybrid_basis(const model::Structure& structure, const Substructure& split,
                                       const Eigen::MatrixXd& vectors);

/// Masters and these interior coordinates alone.
[[nodiscard]] HybridBasis selected(const HybridBasis& basis,
                                   const std::vector<Eigen::Index>& interior);

/// Interior parts x2 - B x1 of vectors of the whole structure: appended to the static modes they
/// make these vectors exact.
[[nodiscard]] Eigen::MatrixXd interior_residuals(const Substructure& split,
                                                 const Eigen::MatrixXd& vectors);

}  // namespace alembert::reduce
