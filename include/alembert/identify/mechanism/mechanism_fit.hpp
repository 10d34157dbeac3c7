#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/equation_fit.hpp"
#include "alembert/identify/mechanism/base_parameters.hpp"
#include "alembert/identify/mechanism/inverse_dynamics.hpp"
#include "alembert/identify/mechanism/mechanism_parameters.hpp"

/// Masses, friction, stiffness, lengths and motor constants of a rigid mechanism from measured
/// forces and motion, by the output-error method.
namespace alembert::identify {

struct MechanismFitOptions {
  signal::BetweenSamples between = signal::BetweenSamples::Held;  ///< of the forces; or Linear
  Eigen::Index substeps = 4;                                      ///< Runge-Kutta steps a sample
  /// Factors of the residuals of each motion sensor. Empty: one over its sigma; where a sensor has
  /// none, as OutputErrorOptions::weights.
  Eigen::VectorXd weights = {};
  /// The state at the first sample of each experiment is fitted too; false: it is kept as given.
  bool fit_start = true;
  /// z and z' at the first sample: 2n x experiments. Empty: from the readings, which must show all
  /// coordinates then.
  Eigen::MatrixXd starts = {};
  /// Regression of the inverse dynamics, as a start and to compare with; where all coordinates are
  /// measured.
  bool inverse_dynamics = true;
  optimize::MinimiseOptions search = {.solver = optimize::Solver::LevenbergMarquardt};
  /// Of the compiled mechanism, whose derivatives are exact; see model::planar::CompiledMechanism.
  model::EngineKind engine = model::EngineKind::Automatic;
  Experiments held_back = {};  ///< simulated with the parameters found and starts fitted to them
};

/// A base parameter after the fit.
struct BaseEstimate {
  double value = 0.0;
  double deviation = 0.0;  ///< 0: it is made of given numbers alone
};

/// What was found. The parameters are those of the mechanism, then "angle(arm) at start" and
/// "angle(arm)' at start" for the coordinates of each experiment.
struct MechanismFit : EquationFit {
  std::size_t unknowns = 0;                  ///< how many of the parameters are of the mechanism
  std::vector<std::string> units;            ///< of all parameters, in SI
  BaseParameters base;                       ///< along the motion of the fit
  std::vector<BaseEstimate> base_estimates;  ///< one for each base parameter
  std::vector<InverseDynamicsFit> rivals;    ///< by inverse dynamics
  std::string begun;  ///< where the search began: "guess", "inverse dynamics, instruments"
};

/// Estimates parameters of a mechanism and judges them.
///
/// @param parameters as unknown_parameter() makes them, with names of mechanism_parameters().
/// @param data input: the columns of description.forces, in their order; output: readings of its
///   motion sensors (all but force and torque cells), in their order, in counts for encoders that
///   count.
/// @throws InvalidInput for a force that is not known, sizes that do not fit, parameters that have
///   no effect or that no motion tells apart (the message says which), a mechanism that cannot be
///   assembled or whose masses do not determine its motion.
[[nodiscard]] MechanismFit fit_mechanism(const model::planar::MechanismDescription& description,
                                         const std::vector<optimize::Parameter>& parameters,
                                         const Experiments& data,
                                         const MechanismFitOptions& options = {});

}  // namespace alembert::identify
