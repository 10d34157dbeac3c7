#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

/// A start for the refinement from linear equations alone: the equation of motion against smooth
/// test functions, with iterated instrumental variables.
namespace alembert::identify {

struct WeakFormOptions {
  double window = 0.0;  ///< W in s; 0 chooses it from a grid by the simulated output error
  int instrument_iterations = 8;  ///< at most; ends at a relative change of 1e-5
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;  ///< of the input between samples
};

/// One window that was tried.
struct WindowTrial {
  double window = 0.0;  ///< s
  double cost = 0.0;    ///< rms of the simulated output error, each output by its rms; NaN: failed
};

/// Status NotIdentifiable when the moment matrix is singular, NotFinite, ...
struct WeakFormEstimate : Outcome {
  Matrices matrices;    ///< symmetric; eigenvalues as estimated, not clipped
  double window = 0.0;  ///< s, used
  int iterations = 0;   ///< of the instruments
  std::vector<WindowTrial> trials;
};

/// M, D, K from records of all n coordinates, one kind of motion for all.
///
/// @param motion what the outputs are: displacement, velocity or acceleration of q1..qn.
/// @param unknowns any affine parametrisation (proportional damping: the free D is used).
/// @throws InvalidInput if there are not n outputs, or too few samples for the smallest window.
WeakFormEstimate weak_form(const Parametrisation& unknowns, const Experiments& data,
                           const Eigen::Ref<const Eigen::MatrixXd>& L, model::Motion motion,
                           const WeakFormOptions& options = {});

/// Eigenvalues raised to floors relative to the largest: 1e-2 for M, 1e-3 for D and K, so that a
/// simulation is stable.
[[nodiscard]] Matrices clipped(const Matrices& matrices, double mass_floor = 1e-2,
                               double other_floor = 1e-3);

}  // namespace alembert::identify
