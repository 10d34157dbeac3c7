#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/identify/experiment.hpp"
#include "alembert/identify/subspace.hpp"

/// The Kalman gain of a model from what its simulation leaves.
namespace alembert::identify::state_space {

struct GainFit {
  Eigen::MatrixXd gain;   ///< order x outputs
  Eigen::MatrixXd noise;  ///< covariance of the innovations
};

/// With v = y - ŷ of the simulation, v = H δ + e, δ(k+1) = F δ + Kg e. A long autoregression of v
/// estimates e; given e, v - e is linear in Kg, which follows by weighted least squares
/// [HannanRissanen1982]. Steps of Gauss and Newton make the errors of the predictor smaller. Where
/// a predictor is not stable, the Riccati equation gives the stable one of the same spectrum. None
/// if the records are too short or v vanishes. @pre F is block diagonal as discrete_model() makes
/// it.
/// @param residuals v of each experiment, a row per sample.
[[nodiscard]] std::optional<GainFit> innovation_gain(const DiscreteModel& model,
                                                     const std::vector<Eigen::MatrixXd>& residuals);

}  // namespace alembert::identify::state_space
