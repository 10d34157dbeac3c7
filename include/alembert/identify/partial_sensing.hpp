#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/band.hpp"
#include "alembert/identify/coverage.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

/// Start values for systems with fewer sensors than coordinates.
namespace alembert::identify {

struct PartialSensingOptions {
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;
  int max_candidates = 10;    ///< that are refined
  RefineOptions refine = {};  ///< of each candidate
};

/// What was tried, one entry per candidate.
struct Candidate {
  std::string description;  ///< "decimation 6, CVA, order 20"
  Outcome outcome;
  double cost = 0.0;        ///< after refinement, relative to the best
  double band_ratio = 0.0;  ///< ρ of the acceptance test
  double band_limit = 0.0;
  bool accepted = false;
};

/// Status NotIdentifiable when no candidate is accepted or the bound says that the data cannot
/// tell; then the refinement holds the best candidate and the message quotes the bound.
struct PartialSensing : Outcome {
  Refinement refinement;
  Matrices start;  ///< of the accepted candidate, before refinement
  std::vector<Candidate> candidates;
  Band band;
};
/// M, D, K from l < n sensors of one kind of motion: strided subspace, in-band modes, reciprocity,
/// symmetric modal refinement, structured refinement, acceptance test. No nominal model is needed.
/// @param motion kind of all outputs; each output must be one coordinate.
/// @throws InvalidInput if coverage() says no, with its advice.
PartialSensing identify_partially_sensed(const Experiments& data,
                                         const Eigen::Ref<const Eigen::MatrixXd>& L,
                                         const model::OutputMap& outputs, model::Motion motion,
                                         const PartialSensingOptions& options = {});

}  // namespace alembert::identify
