#pragma once

#include <optional>

#include "alembert/identify/linear.hpp"
#include "identify/linear/setup.hpp"

namespace alembert::identify {

/// A start; partial sensing refines on its way and may leave nothing to do.
struct FoundStart {
  StartEstimate estimate;
  std::optional<Refinement> refinement;  ///< of all outputs and free matrices
};

/// Finds the first estimate by a method that suits sensors and forces.
/// @throws InvalidInput as the methods do.
[[nodiscard]] FoundStart find_start(const LinearSetup& setup, StartMethod method);

/// What the refinement begins with: the nominal model as it is, estimates with their eigenvalues
/// raised so that they can be simulated.
[[nodiscard]] Matrices refinable(const Matrices& matrices, StartMethod method);

/// The motion that matrices predict from the forces of the records.
[[nodiscard]] Prediction prediction_of(const LinearSetup& setup, const Matrices& matrices,
                                       const RefineOptions& options);

}  // namespace alembert::identify
