#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/acceleration_refine.hpp"
#include "alembert/identify/record_diagnosis.hpp"
#include "alembert/identify/static_curve.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify] with method = "acceleration": stiffness, damping and nonlinearity of one
/// degree of freedom from short records of its acceleration.
namespace alembert::study {

/// A static force-displacement curve.
struct StaticTest {
  std::string source;                   ///< file, or "" for points in the study
  Eigen::VectorXd displacement, force;  ///< m, N
  std::optional<double> mass;           ///< kg; stiffness over mass compares with the equation
};

/// Everything that the task needs, read from a study and checked.
struct AccelerationStudy {
  std::string title;
  std::filesystem::path file;                        ///< the study
  std::string text;                                  ///< the study as written, for the report
  std::vector<std::string> overrides;                ///< `key=value` from the command line
  std::string equations;                             ///< text of the equation of motion
  std::optional<identify::MotionEquation> equation;  ///< always there in a study without problems
  std::vector<identify::MotionCandidate> alternatives;  ///< other equations to compare with
  std::vector<ColumnUse> columns;                       ///< acceleration first, then velocity, ...
  std::vector<identify::MotionRecord> records;          ///< in SI units
  std::vector<ExperimentSource> sources;                ///< one per record
  identify::AccelerationOptions options;
  identify::MotionRefineOptions refinement;
  bool refine = true;
  double prediction_part = 0.5;     ///< of a record that compared equations are fitted to
  std::optional<double> amplitude;  ///< displacement at the beginning in m, known otherwise
  std::optional<StaticTest> static_test;
  std::vector<std::pair<std::string, double>> truth;  ///< of simulated records
  std::vector<std::string> notes;

  [[nodiscard]] const std::vector<std::string>& parameters() const {
    return equation->parameters();
  }
  /// The true value of a parameter, if the study gives it.
  [[nodiscard]] std::optional<double> truth_of(const std::string& parameter) const;
};

/// The linear equation x'' + a x' + b x = const that is nearest to a motion over two of its cycles.
struct EquivalentLinear {
  double amplitude = 0.0;  ///< √2 rms of x, m
  double stiffness = 0.0;  ///< b, 1/s²
  double damping = 0.0;    ///< a, 1/s
};

/// One record.
struct RecordOutcome {
  identify::RecordDiagnosis diagnosis;
  identify::AccelerationResult regression;         ///< empty after a fatal finding
  std::optional<identify::RefinedMotion> refined;  ///< if asked for and the regression led anywhere
  identify::LogDecrement decrement;                ///< of the acceleration as measured
  identify::DecayEnvelope envelope;                ///< the same
  /// Of the displacement, integrated or measured: with a nonlinear spring the amplitude of the
  /// acceleration does not fall as that of the displacement does.
  identify::Cycles displacement_cycles;
  identify::LogDecrement displacement_decrement;
  identify::DecayEnvelope displacement_envelope;
  /// The motion by the refined parameters, else by those of the regression from its first window.
  identify::SimulatedMotion motion;
  double drift_removed = 0.0;  ///< change over the record of the line taken off first, m/s²
  Eigen::VectorXd fitted;      ///< acceleration with the offset, as the sensor would show it
  Eigen::VectorXd residual;    ///< measured less fitted
  Eigen::VectorXd joined_displacement, joined_velocity;  ///< of the windows, each in its middle
  std::vector<EquivalentLinear> equivalents;             ///< of `motion`, cycle by cycle
  /// A line in the spectrum of the residuals that is none of the motion's; 0 Hz without one.
  identify::SpectralPeak left_over;
};

/// What was found. Its status is that of the first record that failed.
struct AccelerationOutcome : Outcome {
  AccelerationStudy study;
  std::vector<RecordOutcome> records;
  std::optional<identify::MotionComparison> comparison;  ///< on the first record
  std::vector<identify::RepeatedParameter> repeated_regression, repeated_refinement;
  std::optional<identify::StaticCurve> static_curve;
  /// Force of the fitted equation of the first record at rest, at the displacements of the static
  /// test: -m x''; empty without the mass or a fit.
  Eigen::VectorXd equation_force;
  std::vector<std::string> warnings;
  double seconds = 0.0;  ///< not in result files

  [[nodiscard]] bool has_fit() const noexcept {
    return !records.empty() && !records.front().regression.windows.empty();
  }
};

/// Diagnoses, fits, refines, compares and does the classical tests.
/// @throws StudyError or DataError if the methods cannot use what the study asks for.
[[nodiscard]] AccelerationOutcome run_acceleration(const AccelerationStudy& study,
                                                   const RunOptions& options = {});

/// Writes result.json, motion.csv and windows.csv (numbered with several records) into an existing
/// folder. @throws DataError if a file cannot be written.
void write_acceleration_result(const AccelerationOutcome& result,
                               const std::filesystem::path& folder);

}  // namespace alembert::study
