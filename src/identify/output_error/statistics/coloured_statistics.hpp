#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/output_error.hpp"
#include "alembert/optimize/group_scatter.hpp"

namespace alembert::identify {

/// Residuals at an estimate with their derivatives by the parameters that were fitted.
struct FittedColumns {
  std::vector<std::string> names;  ///< p parameters
  Eigen::VectorXd values;
  /// Each output of each experiment. The first p columns of J belong to the parameters, the others
  /// to start states that were fitted too.
  std::vector<optimize::ColouredBlock> blocks;
  Eigen::MatrixXd prior;   ///< derivatives of prior residuals of variance 1, p columns
  Eigen::MatrixXd factor;  ///< of the first p columns and the priors, start states eliminated
  double cost = 0.0;       ///< with priors
  Eigen::Index count = 0;  ///< residuals with priors, less the start states
  /// Parts that are held against each other; empty: whole experiments.
  std::vector<optimize::DataPiece> pieces;
  bool weighed = false;         ///< samples have weights, which may not be those of their noise
  bool states_missing = false;  ///< start states were fitted and have no columns
  bool states_asked = true;     ///< deviations of start states that have columns are asked for
  /// Where the first columns move start states along, which have the columns behind them: by how
  /// much, states x p. Empty: they do not.
  Eigen::MatrixXd moved_along = {};
};

/// The derivatives of priors by p parameters, with zeros for further columns.
[[nodiscard]] Eigen::MatrixXd widened(const Eigen::MatrixXd& prior, Eigen::Index columns);

/// R of J = Q R for the parameters in all blocks and for priors, p x p: one column of `prior` for
/// each parameter.
[[nodiscard]] Eigen::MatrixXd factor_of(const std::vector<optimize::ColouredBlock>& blocks,
                                        const Eigen::MatrixXd& prior);

/// How the noise of these residuals is estimated, once `result` has its statistics.
[[nodiscard]] optimize::ColouredOptions coloured_options(const FittedColumns& columns,
                                                         const OutputErrorResult& result);

/// From so many columns on, start states are eliminated and not given to the noise.
inline constexpr Eigen::Index kMostColumns = 300;

/// Raises deviations where weighed residuals show noise of another size than the weights say, by
/// blocks and `weighed` alone.
void allow_for_weights(const FittedColumns& columns, optimize::ColouredCovariance& found);

/// Writes the statistics for white and for coloured residuals. Returns the deviations of the start
/// states whose columns stand behind the parameters; nothing if there are none.
Eigen::VectorXd judge_columns(const FittedColumns& columns, OutputErrorResult& result);

}  // namespace alembert::identify
