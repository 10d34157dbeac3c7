#pragma once

#include <Eigen/Core>
#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/modes/mode_set.hpp"
#include "alembert/identify/subspace.hpp"

/// A linear state-space model of records as a result in its own right.
///
///   x(k+1) = F x(k) + G u(k) + Kg e(k),   y(k) = H x(k) + J u(k) + e(k)
///
/// The order is free of the number of outputs. A subspace method proposes poles of all orders; for
/// each order they are refined by least squares on the simulated outputs (variable projection,
/// exact derivatives), and the part of the record that is held out chooses the order. See
/// docs/theory/state-space.md.
namespace alembert::identify {

enum class StateSpaceForm {
  Innovation,  ///< with Kg where one sample ahead it leaves 2 % less than the simulation
  OutputError  ///< Kg = 0
};
constexpr auto enum_names(StateSpaceForm) {
  return std::to_array<EnumName<StateSpaceForm>>(
      {{StateSpaceForm::Innovation, "innovation"}, {StateSpaceForm::OutputError, "output-error"}});
}

struct StateSpaceOptions {
  Eigen::Index order = 0;           ///< of the subspace start; 0: chosen on held-out samples
  Eigen::Index largest_order = 60;  ///< of those tried
  Eigen::Index order_step = 2;      ///< from one to the next
  /// Lower end of the band that the sensors can be trusted in. Where it is given, real poles, poles
  /// below 0.8 of it and poles of damping above 0.3 are taken for drift and left out of the start.
  std::optional<double> from_hz = {};
  std::optional<double> to_hz = {};  ///< upper end, poles above 1.25 of it are left out
  StateSpaceForm form = StateSpaceForm::Innovation;
  bool stable = true;       ///< poles within exp(-1/N), N samples; else within exp(3/N)
  bool feedthrough = true;  ///< estimate J; else J = 0
  bool refine = true;       ///< search over the poles after the subspace start
  double hold_out = 0.3;    ///< last share of the samples, which chooses the order
  /// The smallest order is taken whose held-out residual is within this share of the least.
  double order_tolerance = 0.02;
  /// Block rows of past and of future of the start; 0 tries 15, 25 and 40 for up to 6 outputs, else
  /// takes 30; more where the outputs move slowly against the sampling rate.
  Eigen::Index horizon = 0;
  int iterations = 60;            ///< of the last search
  int blocks = 30;                ///< parts of the record whose scores give the deviations
  Eigen::Index steps_ahead = 10;  ///< samples that predictions look ahead, beside one
  /// Samples of validation records that estimate their start state, at most a quarter of them.
  Eigen::Index start_samples = 400;
};

/// A pole of the model, one of each pair.
struct StatePole {
  std::complex<double> z;      ///< per step, Im z >= 0
  double frequency_hz = 0.0;   ///< |log z|/(2π step)
  double damping_ratio = 0.0;  ///< -Re log z/|log z|
  double frequency_deviation = 0.0;
  double damping_deviation = 0.0;
};

/// One order that was tried.
struct OrderTrial {
  Eigen::Index order = 0;    ///< of the subspace start
  Eigen::Index states = 0;   ///< left after drift was taken out
  Eigen::Index horizon = 0;  ///< of the better start
  double residual = 0.0;     ///< |y - ŷ|/|y| on the samples held out, simulated on from the fit
  bool chosen = false;
};

/// How well a model does on records.
struct StateSpaceFit {
  Eigen::MatrixXd start;                   ///< states at the first samples, order x experiments
  std::vector<Eigen::MatrixXd> simulated;  ///< outputs from inputs alone, one per experiment
  std::vector<OutputFit> outputs;          ///< of the simulation, all experiments together
  /// Fit in % of each output (rows) one sample and options.steps_ahead samples ahead (columns);
  /// empty without Kg.
  Eigen::MatrixXd predicted;

  [[nodiscard]] double mean_fit() const;
  [[nodiscard]] double worst_fit() const;
};

/// A response of the model with one standard deviation, by output and input.
struct StateSpaceResponse {
  Eigen::VectorXd at;          ///< Hz or s
  Eigen::MatrixXcd values;     ///< column j l + o: output o, input j; real for step responses
  Eigen::MatrixXd deviations;  ///< of the real and of the imaginary part, the larger
};

struct StateSpace : Outcome {
  DiscreteModel model;
  std::vector<StatePole> poles;     ///< ascending frequency
  Eigen::VectorXd singular_values;  ///< of the projection that gave the start
  Eigen::Index order = 0;           ///< of the subspace start
  Eigen::Index horizon = 0;         ///< of the start that was taken
  Eigen::Index reflected = 0;       ///< unstable poles of the start, reflected at the unit circle
  Eigen::Index dropped = 0;         ///< states of the start that were taken for drift
  std::vector<OrderTrial> trials;   ///< empty if the order was given
  std::string reason;               ///< why this order
  int iterations = 0;               ///< of the last search
  StateSpaceFit estimation;
  std::optional<StateSpaceFit> validation;
  StateSpaceResponse frequency_response, step_response;
  /// Median over the poles of |difference of frequency or damping between the halves of the
  /// record|/its deviation; 0.67 if deviations are right, NaN if the halves could not be fitted.
  double halves = std::numeric_limits<double>::quiet_NaN();
  double largest_half = 0.0;       ///< the largest of these ratios
  double largest_half_hz = 0.0;    ///< frequency of its pole
  std::vector<std::string> notes;  ///< why there is no gain, and the like
  Verdict verdict;
};

/// Identifies a state-space model.
///
/// Deviations are those of block scores, P = (JᵀJ)⁻¹ (Σ_b g_b g_bᵀ) (JᵀJ)⁻¹ with g_b = J_bᵀ e_b, so
/// that residuals may have any colour that is short against a block.
/// @param validation held back: they take no part in any choice; may be empty.
/// @throws InvalidInput for missing samples, no inputs, a constant channel, or records too short
///   for the horizons.
[[nodiscard]] StateSpace identify_state_space(const Experiments& data,
                                              const Experiments& validation = {},
                                              const StateSpaceOptions& options = {});

/// The oscillating poles of all orders of the subspace start, at the cost of one decomposition: the
/// points of a stabilisation diagram, ascending by order, then by frequency. A point is stable if
/// the next lower order has a pole within 1 % of its frequency and 5 % of its damping.
/// @param horizon block rows of past and of future.
/// @throws InvalidInput as identify_state_space().
[[nodiscard]] std::vector<StabilityPoint> state_space_diagram(const Experiments& data,
                                                              Eigen::Index largest_order = 60,
                                                              Eigen::Index horizon = 30);

/// ŷ(k | k - steps) of a model in innovation form: outputs known up to k - steps, inputs up to k.
/// @param start state at the first sample. @throws InvalidInput unless steps >= 1 and Kg is there.
[[nodiscard]] Eigen::MatrixXd predict_ahead(const DiscreteModel& model,
                                            const Experiment& experiment,
                                            const Eigen::VectorXd& start, Eigen::Index steps);

/// G(f) = H (exp(2πi f step) I - F)⁻¹ G + J, lines x (l m) as StateSpaceResponse::values.
[[nodiscard]] Eigen::MatrixXcd frequency_response(const DiscreteModel& model,
                                                  const Eigen::VectorXd& frequencies_hz);

/// Response at samples 0, stride, 2 stride, ... to a unit step of each input, samples x (l m).
[[nodiscard]] Eigen::MatrixXd step_response(const DiscreteModel& model, Eigen::Index count,
                                            Eigen::Index stride = 1);

}  // namespace alembert::identify
