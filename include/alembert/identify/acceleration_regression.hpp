#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/acceleration_equation.hpp"
#include "alembert/optimize/parameter.hpp"

/// Parameters of a system of one degree of freedom from a short record of its acceleration
/// [Jaksic2002]. See docs/theory/acceleration.md.
namespace alembert::identify {

/// A record of one motion on an even time grid. The acceleration must be there and finite.
struct AccelerationRecord {
  double step = 0.0;             ///< h in s
  double start_time = 0.0;       ///< s, of the first sample
  Eigen::VectorXd acceleration;  ///< m/s²
  /// Measured velocity in m/s, displacement in m; empty: by integration. What is measured is used
  /// as it is, without an unknown constant.
  Eigen::VectorXd velocity = {};
  Eigen::VectorXd displacement = {};
  Eigen::MatrixXd forcing = {};  ///< N x inputs of the equation, in the units of its terms

  [[nodiscard]] Eigen::Index samples() const noexcept { return acceleration.size(); }
};

/// The spline through the acceleration, which is integrated twice.
enum class AccelerationSpline {
  Cubic,   ///< good above 20 samples per cycle
  Quintic  ///< good above 10
};

constexpr auto enum_names(AccelerationSpline) {
  return std::to_array<EnumName<AccelerationSpline>>(
      {{AccelerationSpline::Cubic, "cubic"}, {AccelerationSpline::Quintic, "quintic"}});
}

enum class Choice { Automatic, Never, Always };
constexpr auto enum_names(Choice) {
  return std::to_array<EnumName<Choice>>(
      {{Choice::Automatic, "automatic"}, {Choice::Never, "never"}, {Choice::Always, "always"}});
}

struct ReconstructionOptions {
  AccelerationSpline spline = AccelerationSpline::Cubic;
  /// A smoothing spline in place of the interpolating one. Automatic: only where the SNR is at or
  /// below snr_limit_db and samples are left out (every > 1). It biases the parameters of nonlinear
  /// terms, and where all samples are used the integrals and the regression average by themselves.
  Choice smoothing = Choice::Automatic;
  double snr_limit_db = 40.0;  ///< see smoothing
  /// λ of the smoothing spline in s³, see signal/smoothing.hpp; none: cross-validation.
  std::optional<double> lambda = {};
  /// The equations are set up at every n-th sample, n >= 1. The splines use all samples.
  Eigen::Index every = 1;
  double cycle = 0.0;  ///< length of a cycle in s; 0 finds it in the data
};

/// Acceleration, and velocity and displacement up to the constants of integration.
///
///   V = ∫ A dt,  X = ∫ V dt, both 0 at the first sample;  v = V + v0,  x = X + v0 t + x0
struct IntegratedSignals {
  double step = 0.0;  ///< between the rows below, s
  double start_time = 0.0;
  std::vector<double> A, V, X;
  std::vector<double> inputs;          ///< row by row
  bool velocity_measured = false;      ///< V is v
  bool displacement_measured = false;  ///< X is x
  double record_step = 0.0;            ///< of the record, s
  double cycle = 0.0;                  ///< length of a cycle, s; 0 if the record has less than one
  double cycles = 0.0;                 ///< in the record
  double noise = 0.0;                  ///< estimated standard deviation of the noise of A, m/s²
  double snr_db = 0.0;                 ///< estimated signal-to-noise ratio of A
  bool smoothed = false;
  double lambda = 0.0;  ///< of the smoothing spline, s³
  std::string note;     ///< what was done, in words

  [[nodiscard]] Eigen::Index samples() const noexcept {
    return static_cast<Eigen::Index>(A.size());
  }
  /// With a measured velocity an offset of the acceleration and the unknown x0 are one constant.
  [[nodiscard]] bool hides_offset() const noexcept {
    return velocity_measured && !displacement_measured;
  }
};

/// Integrates the acceleration of a record twice.
/// @throws InvalidInput if sizes disagree, a number is not finite, there are fewer than 8 samples
/// or an option is out of range.
[[nodiscard]] IntegratedSignals integrate_record(const AccelerationRecord& record,
                                                 const ReconstructionOptions& options = {});

/// Length of a cycle in s: the mean distance of the rising zero crossings of the signal about its
/// running mean, with a dead band against noise. 0 if there is less than one whole cycle.
[[nodiscard]] double cycle_length(const Eigen::VectorXd& signal, double step);

enum class RegressionMethod {
  /// Linear parameters are eliminated, the start values (and the offset) are found by
  /// Levenberg-Marquardt [Golub1973]; the start is the linear equation.
  VariableProjection,
  /// As published: start values recomputed from the coefficients of 1 and t, from 0. Needs a
  /// term b*x with a parameter b of its own, and linear parameters only. May diverge.
  FixedPoint
};
constexpr auto enum_names(RegressionMethod) {
  return std::to_array<EnumName<RegressionMethod>>(
      {{RegressionMethod::VariableProjection, "variable-projection"},
       {RegressionMethod::FixedPoint, "fixed-point"}});
}

struct WindowFitOptions {
  RegressionMethod method = RegressionMethod::VariableProjection;
  /// An unknown constant in the measured acceleration, A = x'' + o. Automatic: with variable
  /// projection, each stretch of 1.5 cycles or more has its own; for shorter windows one offset is
  /// estimated from windows of 2 cycles and removed if it is significant (|o| > 4 std). None where
  /// the velocity is measured and the displacement is not: it cannot be told from x0.
  Choice offset = Choice::Automatic;
  /// A linear drift of the measured acceleration besides the offset, A = x'' + o + d t.
  bool drift = false;
  /// Iteration ends when |δx0| + |δv0|/ω < tolerance times the amplitude of x.
  double tolerance = 1e-8;
  int max_iterations = 100;  ///< of a window
  /// Guesses and bounds of nonlinear parameters, by name; all nonlinear ones must be here. For
  /// linear ones bounds are not used; `fixed` ones keep their guess.
  std::vector<optimize::Parameter> parameters = {};
};

/// The equation of motion fitted to one stretch of a record.
struct WindowFit : Outcome {
  Eigen::Index first = 0;    ///< first row of the signals
  Eigen::Index samples = 0;  ///< rows
  double time = 0.0;         ///< of the first row, s
  Eigen::VectorXd parameters;
  double x0 = 0.0, v0 = 0.0;  ///< at the first row, m and m/s
  double offset = 0.0;        ///< of the acceleration, m/s²
  double drift = 0.0;         ///< m/s³, from the first row on
  double amplitude = 0.0;     ///< √2 rms of x about its mean, m
  int iterations = 0;
  long evaluations = 0;    ///< passes over the stretch
  double residual = 0.0;   ///< rms of A - o - f, m/s²
  double condition = 0.0;  ///< of the normal equations, scaled to unit diagonal
  /// Of the linear equation x'' + a x' + b x = const that fits the stretch best, with x and x' as
  /// found: damping in 1/s and stiffness in 1/s².
  double equivalent_damping = 0.0, equivalent_stiffness = 0.0;
};

/// Values from which a fit begins.
struct FitGuess {
  double x0 = 0.0, v0 = 0.0, offset = 0.0, drift = 0.0;
  Eigen::VectorXd parameters = {};  ///< empty: from the linear equation, or the guesses
};

/// Fits rows first .. first + samples - 1.
///
/// Status: Success; NotConverged (iteration limit, or the fixed point diverges or ends at a
/// residual that the noise does not explain); NotIdentifiable (columns depend on each other);
/// NotFinite.
/// @param start none: from the linear equation (variable projection) or from 0 (fixed point).
/// @throws InvalidInput if the stretch has fewer rows than unknowns + 2, names do not fit, or the
/// method does not.
[[nodiscard]] WindowFit fit_window(const EquationOfMotion& equation,
                                   const IntegratedSignals& signals, Eigen::Index first,
                                   Eigen::Index samples, const WindowFitOptions& options = {},
                                   const std::optional<FitGuess>& start = {});

struct RegressionWindows {
  double length = 2.0;     ///< cycles; 0 takes the record as a whole
  double shift = 0.5;      ///< cycles between the beginnings of windows; smaller ones gain little
  bool warm_start = true;  ///< each window starts from the one before
  /// Windows in which the standard deviation of A is below this part of the largest are left out.
  double least_amplitude = 0.1;
};

/// A straight line of a parameter over the amplitude of the windows.
struct AmplitudeTrend {
  double at_zero = 0.0;    ///< value at zero amplitude
  double slope = 0.0;      ///< per m
  double deviation = 0.0;  ///< standard deviation of the slope by the scatter; overlap not counted
};

struct RegressionOptions {
  ReconstructionOptions reconstruction = {};  ///< of the motion
  WindowFitOptions fit = {};                  ///< of each window
  RegressionWindows windows = {};             ///< how records are cut
};

/// Parameters of one record by regression.
struct AccelerationRegression : Outcome {
  std::vector<std::string> names;
  std::vector<bool> linear;
  IntegratedSignals signals;
  std::vector<WindowFit> windows;  ///< in the order of time
  Eigen::Index failed = 0;         ///< windows that are not in the averages
  Eigen::VectorXd parameters;      ///< mean over windows
  Eigen::VectorXd spread;          ///< standard deviation over windows
  /// Standard deviation of the mean by white noise of size `noise` in the acceleration, carried
  /// through integration, windows and their overlap to first order; by the scatter of the windows
  /// where that is larger beyond chance.
  Eigen::VectorXd deviations;
  double residual = 0.0;          ///< rms of A - o - f over the windows, m/s²
  double noise = 0.0;             ///< m/s²: signals.noise, or the residual where that is smaller
  double offset = 0.0;            ///< of the acceleration: mean over windows, m/s²
  double offset_deviation = 0.0;  ///< of that mean
  bool offset_fitted = false;
  std::vector<AmplitudeTrend> trends;  ///< one per parameter
  AmplitudeTrend damping_trend;        ///< of the equivalent damping
  AmplitudeTrend stiffness_trend;      ///< of the equivalent stiffness
  std::vector<std::string> remarks;    ///< what the user should know, in words
};

/// Reconstructs, fits windows, averages.
///
/// Status: Success; NotConverged if more than half of the windows failed; NotIdentifiable if the
/// record has less than one cycle; NotFinite.
/// @throws InvalidInput as integrate_record() and fit_window() do.
[[nodiscard]] AccelerationRegression regress_acceleration(const EquationOfMotion& equation,
                                                          const AccelerationRecord& record,
                                                          const RegressionOptions& options = {});

/// The same with signals that were reconstructed before.
[[nodiscard]] AccelerationRegression regress_acceleration(const EquationOfMotion& equation,
                                                          IntegratedSignals signals,
                                                          const RegressionOptions& options = {});

}  // namespace alembert::identify
