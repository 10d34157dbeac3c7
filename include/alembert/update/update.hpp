#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/update/measured_modes.hpp"
#include "alembert/update/mechanism_parameters.hpp"
#include "alembert/update/pairing.hpp"
#include "alembert/update/parametric_model.hpp"

/// Physical parameters of a model from measured modes.
namespace alembert::update {

struct UpdateOptions {
  PairingOptions pairing = {};
  /// Standard deviation of a frequency, relative; added in squares to that of the measurement.
  double frequency_sigma = 0.005;
  /// Standard deviation of an entry of a shape, as a part of the largest entry of the shape.
  double shape_sigma = 0.03;
  bool use_shapes = true;     ///< false: shapes serve the pairing alone
  bool leave_one_out = true;  ///< predict each mode from the others
  int most_iterations = 60;   ///< convex programs, at most
  Eigen::Index modes = 0;     ///< of the model that are looked at; 0: twice the measured and 8
  /// Models with more rows are reduced to a basis of modes and their slopes, which is refreshed.
  Eigen::Index reduce_above = 400;
  double drift = 1e-4;     ///< relative error of a reduced frequency that asks for a refresh
  int most_refreshes = 6;  ///< of that basis, at most
};

/// A parameter before and after.
struct UpdatedParameter {
  std::string name, unit;
  double nominal = 0.0, value = 0.0;
  double deviation = 0.0;    ///< posterior standard deviation
  double prior_sigma = 0.0;  ///< infinite: none
  /// Share of the prior in the estimate: 0 if the data alone decide, 1 if the data say nothing.
  double prior_share = 0.0;
  double lower = 0.0, upper = 0.0;
  bool at_bound = false;
};

/// A measured mode and its partner before and after.
struct UpdatedMode {
  Eigen::Index measured = 0;                        ///< from 0
  Eigen::Index nominal_mode = 0, updated_mode = 0;  ///< of the model, from 0
  double measured_hz = 0.0, measured_deviation = 0.0;
  double nominal_hz = 0.0, updated_hz = 0.0;
  double updated_deviation = 0.0;               ///< of updated_hz, from the parameters
  double nominal_mac = 0.0, updated_mac = 0.0;  ///< weighted; NaN without shape
  /// Predicted from the other modes; NaN where that was not asked for.
  double held_out_hz = 0.0, held_out_deviation = 0.0;
};

/// Two parameters whose changes do nearly the same to the data.
struct IndistinctParameters {
  std::string first, second;
  double cosine = 0.0;  ///< of the angle between their effects on the residuals
};

struct UpdateResult : Outcome {
  std::vector<UpdatedParameter> parameters;
  std::vector<UpdatedMode> modes;
  std::vector<std::string> unpaired;  ///< measured modes without partner, and why
  Eigen::MatrixXd covariance;         ///< of the parameters
  std::vector<IndistinctParameters> indistinct;
  /// Combinations of which the data say less than the priors, in words.
  std::vector<std::string> prior_directions;
  Eigen::Index data = 0;       ///< numbers that were compared
  double misfit = 0.0;         ///< sum of squares of (measured - model)/sigma
  double freedom = 0.0;        ///< data minus the parameters that these determine
  double noise_scale = 1.0;    ///< deviations are this much larger: √(misfit/freedom), at least 1
  double nominal_error = 0.0;  ///< mean |f model / f measured - 1| of the pairs
  double updated_error = 0.0;
  double held_out_error = 0.0;  ///< NaN where that was not asked for
  int iterations = 0;           ///< convex programs
  double gap = 0.0;             ///< duality gap of the last one, relative to the objective
  Eigen::Index basis = 0;       ///< size of the reduced model; 0: not reduced
  int refreshes = 0;
  double drift = 0.0;  ///< relative error of the reduced frequencies at the end
  Eigen::MatrixXd nominal_mac, updated_mac;  ///< weighted, measured x model
  Eigen::VectorXd nominal_hz, updated_hz;    ///< of the model, columns of these
  Verdict verdict;
  std::vector<std::string> warnings;
};

/// Seeks the parameters with the least
///
///   Σ ((f_i - f_i(p))/σ_f)² + Σ |y_i - α_i C φ_i(p)|²/σ_s² + Σ ((p_j - nominal_j)/σ_j)²
///
/// between the bounds, by convex programs on the exact slopes of eigenvalues and shapes in a region
/// of trust. α_i scales the model's shape to the measured one. Modes are followed by their shapes
/// and paired anew at the end.
/// @throws InvalidInput as check_model() and check_measured(); if parameters without prior are more
///   than the data.
[[nodiscard]] UpdateResult update_model(const ParametricModel& model, const MeasuredModes& measured,
                                        const UpdateOptions& options = {});

/// The same for a flexible mechanism: rest position and slopes are taken anew until both stay.
/// @param measured `sensors` is not read: `sensors` here says what was measured.
[[nodiscard]] UpdateResult update_mechanism(const model::flexible::FlexibleDescription& description,
                                            const Eigen::Ref<const Eigen::VectorXd>& start,
                                            const std::vector<MechanismParameter>& parameters,
                                            MeasuredModes measured,
                                            const std::vector<MechanismSensor>& sensors,
                                            const UpdateOptions& options = {});

}  // namespace alembert::update
