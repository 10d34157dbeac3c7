#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "alembert/core/distributed.hpp"
#include "alembert/core/progress.hpp"
#include "alembert/optimize/minimise.hpp"

namespace alembert::optimize {

enum class Starts {
  Sobol,          ///< Sobol's sequence; a Latin hypercube for more than 21 free parameters
  LatinHypercube  ///< one start in each slice of every parameter
};

struct MultiStartOptions {
  Eigen::Index starts = 20;  ///< local searches; the first begins at the guess
  /// Points of which each search takes the best as its start (except the first): more of them
  /// cost one evaluation each and avoid searches that begin in hopeless or infeasible places.
  Eigen::Index samples_per_start = 4;
  Starts kind = Starts::Sobol;
  /// Starts lie between the bounds. Where a bound is infinite: at most this many scales from the
  /// guess, or this factor if logarithmic.
  double linear_range = 3.0;
  double logarithmic_range = 10.0;  ///< this factor
  /// Ends are one optimum if no scaled variable x differs by more than this times (1 + |x|).
  double same_point = 1e-3;
  std::uint64_t seed = 1;  ///< of the starts
  MinimiseOptions local =
      {};           ///< its stop flag stops all; on_improvement is called for the best of all
  int threads = 0;  ///< 0 takes all cores
  OnProgress on_progress = {};         ///< finished searches
  const Machines* machines = nullptr;  ///< spreads the searches over all processes of a job
};

/// How one local search ended.
struct LocalEnd {
  Eigen::VectorXd start, parameters;
  double cost = std::numeric_limits<double>::infinity();
  long evaluations = 0;
  Status status = Status::NotConverged;
};

/// A point at which one or more searches ended.
struct Optimum {
  Eigen::VectorXd parameters;  ///< of the best of them
  double cost = 0.0;
  Eigen::Index hits = 0;
};

/// The best end, and the table of all. With machines only the first process has the result.
struct MultiStartResult : Outcome {
  Eigen::VectorXd parameters;
  double cost = std::numeric_limits<double>::infinity();
  long evaluations = 0;
  std::vector<LocalEnd> ends;   ///< in the order of the starts, without those a stop prevented
  std::vector<Optimum> optima;  ///< lowest cost first
};

/// Minimises from many starts on all cores and machines; the result is the same for any number of
/// them. make_objective is called once for each search, so that each may own its workspace.
/// @throws InvalidInput as minimise() does, and if an option is out of range.
[[nodiscard]] MultiStartResult minimise_from_many(const std::vector<Parameter>& parameters,
                                                  const std::function<Objective()>& make_objective,
                                                  const MultiStartOptions& options = {});

}  // namespace alembert::optimize
