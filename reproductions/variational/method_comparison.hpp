#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reproductions/reproduce.hpp"
#include "reproductions/variational/linear_methods.hpp"

/// Monte Carlo comparison of estimators over several experiments, as tables and figures.
namespace alembert::reproductions::variational {

/// The estimators that can be compared, in the order of the tables.
enum class Estimator {
  Rival,              ///< subspace + logarithm + projection, mass from C A B
  RivalStatic,        ///< the same, mass from the static gain
  PublishedStart,     ///< the published variational start
  PublishedMidpoint,  ///< that start + refinement with the midpoint rule: the published method
  RivalExact,         ///< the rival as start + exact refinement
  Weak,               ///< weak form with instruments
  WeakMidpoint,       ///< weak form + refinement with the midpoint rule
  WeakLinear,         ///< weak form + exact refinement with straight lines between samples
  WeakGauss,          ///< weak form + refinement with two-stage Gauss and the matching hold
  WeakExact           ///< weak form + exact refinement with the matching hold
};
[[nodiscard]] std::string title_of(Estimator method);

struct ComparisonCase {
  std::string label;  ///< "5 ms"
  LinearCase linear;
  Eigen::Index horizon = 40;  ///< block rows of the subspace methods
};

struct ComparisonPlan {
  std::string id;     ///< of tables and figures
  std::string title;  ///< "spline forces, knots every 50 ms"
  std::vector<ComparisonCase> cases;
  std::vector<Estimator> methods;
  std::size_t runs = 20;
  std::uint64_t seed = 1;
};

/// Everything measured in one case.
struct ComparisonCell {
  std::size_t runs = 0;                             ///< finished
  Eigen::Vector3d bound = Eigen::Vector3d::Zero();  ///< rms over the runs of the relative bound
  std::vector<std::vector<Estimate>> estimates;     ///< of each method, each run
  std::vector<MethodSummary> summaries;             ///< of each method

  /// rms error over bound, M, D, K.
  [[nodiscard]] Eigen::Vector3d over_bound(std::size_t method) const {
    return summaries[method].rms.cwiseQuotient(bound);
  }
};

/// All runs of all cases on several threads; the result does not depend on their number. Cells
/// of a stopped comparison hold the finished runs.
[[nodiscard]] std::vector<ComparisonCell> compare_methods(const ComparisonPlan& plan,
                                                          const ParallelOptions& parallel);

/// Runs in which a refined method reached the lowest cost of all (within 2 %).
[[nodiscard]] std::size_t at_optimum(const ComparisonPlan& plan, const ComparisonCell& cell,
                                     Estimator method);

/// Position of a method in the plan. @throws InvalidInput if it is not there.
[[nodiscard]] std::size_t index_of(const ComparisonPlan& plan, Estimator method);

/// Mean errors of M, D, K (one table each), their ratio to the bound and iterations.
void append_tables(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
                   std::vector<Table>& tables);
/// Mean errors over the step, one figure for each matrix.
void append_figures(const ComparisonPlan& plan, const std::vector<ComparisonCell>& cells,
                    std::vector<Plot>& figures);

}  // namespace alembert::reproductions::variational
