#pragma once

#include <Eigen/Core>

#include "identify/subspace/innovation_filter.hpp"

/// Normal equations of the fit of G and J in modal coordinates.
namespace alembert::identify::realisation {

/// How a parameter of a mode is seen in the outputs.
///
/// With h = H V and the filtered input z = zr + i zi, the response of a real pole to β is h β z; a
/// pair with columns h₁, h₂ and parameters β₁, β₂ gives
///   β₁ (h₁ zr - h₂ zi) + β₂ (h₂ zr + h₁ zi).
/// So parameter l acts through two p-vectors, `first` on zr and `second` on zi of its block.
struct ModalShapes {
  Eigen::MatrixXd first, second;    ///< p x n
  std::vector<Eigen::Index> block;  ///< first state of the block of each parameter
  /// Products of the vectors: dot[α][α'] (l, l').
  Eigen::MatrixXd dot[2][2];
};
[[nodiscard]] ModalShapes modal_shapes(const RealModes& modes, const Eigen::MatrixXd& H);

/// Unknowns: entry (l, j) of V⁻¹G at j n + l, then entry (c, j) of J at n m + j p + c.
struct Unknowns {
  Eigen::Index order = 0, inputs = 0, outputs = 0;
  bool feedthrough = true;

  [[nodiscard]] Eigen::Index gains() const { return order * inputs; }
  [[nodiscard]] Eigen::Index count() const {
    return gains() + (feedthrough ? inputs * outputs : 0);
  }
};

/// Normal matrix of the unknowns from the products of all regressors (full symmetric).
[[nodiscard]] Eigen::MatrixXd common_matrix(const ModalShapes& shapes, const FilterColumns& columns,
                                            const Unknowns& unknowns, const Eigen::MatrixXd& gram);
/// The same between the unknowns and the start state (count x n), and of the start state (n x n).
[[nodiscard]] Eigen::MatrixXd start_coupling(const ModalShapes& shapes,
                                             const FilterColumns& columns, const Unknowns& unknowns,
                                             const Eigen::MatrixXd& gram);
[[nodiscard]] Eigen::MatrixXd start_matrix(const ModalShapes& shapes, const FilterColumns& columns,
                                           const Eigen::MatrixXd& gram);
/// Right-hand sides from the products of regressors with the outputs (columns x p).
[[nodiscard]] Eigen::VectorXd common_side(const ModalShapes& shapes, const FilterColumns& columns,
                                          const Unknowns& unknowns, const Eigen::MatrixXd& with);
[[nodiscard]] Eigen::VectorXd start_side(const ModalShapes& shapes, const FilterColumns& columns,
                                         const Eigen::MatrixXd& with);
/// Weights that turn regressors into outputs (columns x p) at the given unknowns and start state.
[[nodiscard]] Eigen::MatrixXd output_weights(const ModalShapes& shapes,
                                             const FilterColumns& columns, const Unknowns& unknowns,
                                             const Eigen::VectorXd& common,
                                             const Eigen::VectorXd& start);

}  // namespace alembert::identify::realisation
