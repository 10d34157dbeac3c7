#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

/// Which measured mode is which mode of a model.
namespace alembert::update {

struct PairingOptions {
  double least_mac = 0.5;           ///< pairs with a weighted MAC below this are refused
  double most_frequency_gap = 0.5;  ///< |ln(f model / f measured)| of a pair, at most
};

/// A measured mode and the mode of the model that is the same one, both from 0.
struct Pair {
  Eigen::Index measured = 0, model = 0;
  double mac = 0.0;  ///< weighted; NaN without a measured shape
};

struct Pairing {
  std::vector<Pair> pairs;          ///< by rising measured mode
  std::vector<Eigen::Index> alone;  ///< measured modes without partner
  std::vector<std::string> words;   ///< why, one for each of `alone`
};

/// MAC with a weight: (aᵀWb)² / (aᵀWa · bᵀWb), for all columns of A against those of B. Entries
/// that are NaN in a column of A are left out for it.
[[nodiscard]] Eigen::MatrixXd weighted_mac(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                           const Eigen::Ref<const Eigen::MatrixXd>& B,
                                           const Eigen::Ref<const Eigen::MatrixXd>& W);

/// Pairs modes so that the sum of (1 - MAC) + |ln(f/f)| is least; modes without shape go by
/// ln²(f/f), which keeps their order.
/// @param mac measured x model; NaN in rows without shape. @throws InvalidInput if sizes disagree.
[[nodiscard]] Pairing pair_modes(const Eigen::Ref<const Eigen::VectorXd>& measured_hz,
                                 const Eigen::Ref<const Eigen::VectorXd>& model_hz,
                                 const Eigen::Ref<const Eigen::MatrixXd>& mac,
                                 const PairingOptions& options = {});

/// The column of each row with the least sum of costs, rows <= columns: the
/// assignment problem, by shortest augmenting paths.
[[nodiscard]] std::vector<Eigen::Index> cheapest_assignment(
    const Eigen::Ref<const Eigen::MatrixXd>& cost);

}  // namespace alembert::update
