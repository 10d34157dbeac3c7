#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/identify/acceleration_refine.hpp"
#include "alembert/identify/record_diagnosis.hpp"
#include "alembert/identify/static_curve.hpp"

/// Stiffness, damping and nonlinearity of one degree of freedom from short records of its
/// acceleration, from arrays, in one call: diagnosis of the records, regression over windows,
/// output error, classical tests, comparison of equations and records. See
/// docs/theory/acceleration.md.
namespace alembert::identify {

/// A static force-displacement curve.
struct StaticTest {
  std::string source = {};              ///< where it comes from, for those who read the result
  Eigen::VectorXd displacement, force;  ///< m, N
  std::optional<double> mass = {};      ///< kg; turns force into the terms of the equation
};

struct AccelerationOptions {
  /// Guesses, bounds and parameters to be held, by name; guesses are needed for those that do not
  /// enter linearly. Names of other equations are left out. They stand for
  /// regression.fit.parameters and refinement.parameters.
  std::vector<optimize::Parameter> parameters = {};
  RegressionOptions regression = {};  ///< on the reconstructed motion
  bool refine =
      true;  ///< output error on the acceleration, which has no bias, after the regression
  EquationRefineOptions refinement = {};             ///< how, if refine
  std::vector<EquationCandidate> alternatives = {};  ///< other equations to compare with
  double prediction_part = 0.5;  ///< of a record that compared equations are fitted to
  /// Displacement at the beginning in m, known otherwise: tells a wrong unit.
  std::optional<double> amplitude = {};
  std::string sensor_unit = {};  ///< of the acceleration as it was recorded; "" if not known
  double sensor_factor = 1.0;    ///< by which it was multiplied to give m/s²
  /// Whether somebody said that the acceleration is in m/s². False: it is only taken for granted,
  /// which the verdict says where parameters depend on it.
  bool unit_known = true;
  std::optional<StaticTest> static_test = {};
  std::vector<std::pair<std::string, double>> truth = {};  ///< of simulated records
  std::vector<std::string> record_names = {};  ///< for messages; "record 1", ... without
  const StopFlag* stop = nullptr;              ///< looked at before each record and simulation
  OnProgress on_progress = {};                 ///< after each record

  /// The true value of a parameter, if it is known.
  [[nodiscard]] std::optional<double> truth_of(const std::string& parameter) const;
};

/// The linear equation x'' + a x' + b x = const that is nearest to a motion over two of its cycles.
struct EquivalentLinear {
  double amplitude = 0.0;  ///< √2 rms of x, m
  double stiffness = 0.0;  ///< b, 1/s²
  double damping = 0.0;    ///< a, 1/s
};

/// The second half of a record, predicted by a fit of its first half.
struct HalfPrediction {
  double fitted = 0.0;             ///< rms of the residuals of the first half, m/s²
  double predicted = 0.0;          ///< of the second, m/s²
  double motion = 0.0;             ///< rms of the acceleration of the second about its mean, m/s²
  double effective_samples = 0.0;  ///< of the first half, for the colour of its residuals
  /// Rms, m/s², by which the prediction may be wrong since the first half does not know the
  /// parameters better: exceeded in 1 of 1000 sound records. 0 if that is not known.
  double unsure = 0.0;
};

/// A parameter whose value depends on the unit of the acceleration: that of a term of degree d in
/// x and x' is proportional to the unit to the power 1 - d.
struct UnitDependence {
  std::string name;
  double in_g = 1.0;  ///< value if the numbers are in g over that if they are in m/s²
};

/// A term that the equation has not and the residuals show: x'' = f - q φ(x, x').
struct MissingTerm {
  std::string text;          ///< φ in the language of equations, as "sign(x')"
  double coefficient = 0.0;  ///< q, in first order, by what the residuals show
  double deviation = 0.0;    ///< of q, for coloured residuals
  double freedom = 0.0;      ///< degrees of freedom of that
  double shift = 0.0;        ///< largest change of a parameter with the term, in its deviations
};

/// What one record shows.
struct RecordFit {
  RecordDiagnosis diagnosis;
  AccelerationRegression regression;       ///< empty after a fatal finding
  std::optional<RefinedEquation> refined;  ///< if asked for and the regression led anywhere
  LogDecrement decrement;                  ///< of the acceleration as measured
  DecayEnvelope envelope;                  ///< the same
  /// Of the displacement, integrated or measured: with a nonlinear spring the amplitude of the
  /// acceleration does not fall as that of the displacement does.
  Cycles displacement_cycles;
  LogDecrement displacement_decrement;
  DecayEnvelope displacement_envelope;
  /// The motion by the refined parameters, else by those of the regression from its first window.
  SimulatedMotion motion;
  double drift_removed = 0.0;  ///< change over the record of the line taken off first, m/s²
  Eigen::VectorXd fitted;      ///< acceleration with the offset, as the sensor would show it
  Eigen::VectorXd residual;    ///< measured less fitted
  Eigen::VectorXd joined_displacement, joined_velocity;  ///< of the windows, each in its middle
  std::vector<EquivalentLinear> equivalents;             ///< of `motion`, cycle by cycle
  /// A line in the spectrum of the residuals that is none of the motion's; 0 Hz without one.
  SpectralPeak left_over;
  /// Where the record has four cycles or more and refinement is asked for.
  std::optional<HalfPrediction> second_half;
  /// Where refinement is asked for and the equation does not jump.
  std::vector<MissingTerm> missing_terms;

  /// The refined parameters where they were found, else those of the regression.
  [[nodiscard]] const Eigen::VectorXd& parameters() const;
  [[nodiscard]] const Eigen::VectorXd& deviations() const;
};

/// What was found. Its status is that of the first record that failed.
struct AccelerationFit : Outcome {
  std::vector<std::string> names;  ///< of the parameters of the equation
  std::vector<RecordFit> records;
  std::optional<EquationComparison> comparison;  ///< on the first record
  std::vector<RepeatedParameter> repeated_regression, repeated_refinement;
  std::optional<StaticCurve> static_curve;
  /// Force of the fitted equation of the first record at rest, at the displacements of the static
  /// test: -m x''; empty without the mass or a fit.
  Eigen::VectorXd equation_force;
  std::vector<std::pair<std::string, double>> truth;  ///< as it was given
  std::vector<UnitDependence> unit_dependence;  ///< by the equation found for the first record
  std::vector<std::string> warnings;            ///< what may surprise, in words
  Verdict verdict;
  double seconds = 0.0;  ///< that it took

  [[nodiscard]] bool has_fit() const noexcept {
    return !records.empty() && !records.front().regression.windows.empty();
  }
  /// Whether nothing was found that forbids to trust the numbers.
  [[nodiscard]] bool is_trusted() const;
  /// Parameters of each record with standard deviations, ranks of the equations, warnings: some
  /// lines of plain text.
  [[nodiscard]] std::string summary() const;
};

/// Diagnoses, fits, refines, compares and does the classical tests.
/// @param records repetitions of one test.
/// @throws InvalidInput if there is no record, and as diagnose_record(), regress_acceleration(),
/// refine_equation(), compare_equations() and fit_static_curve() do.
[[nodiscard]] AccelerationFit identify_acceleration(const EquationOfMotion& equation,
                                                    const std::vector<AccelerationRecord>& records,
                                                    const AccelerationOptions& options = {});

}  // namespace alembert::identify
