#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/identify/free_decay.hpp"

/// What speaks against taking a record for the motion of one degree of freedom.
namespace alembert::identify {

/// A line of the spectrum that stands out.
struct SpectralPeak {
  double frequency_hz = 0.0;
  double amplitude = 0.0;  ///< of a lasting sine with the same line
};

enum class RecordFault {
  NoOscillation,   ///< nothing but noise
  TooShort,        ///< less than one cycle
  FewCycles,       ///< less than two
  Clipped,         ///< runs at the extreme values that a smooth peak would not have
  Offset,          ///< the mean over whole cycles is not zero
  Drift,           ///< that mean moves in the course of the record
  Unit,            ///< numbers as of the other unit of acceleration
  TwoModes,        ///< a second line in the spectrum, or beats
  CoarseSampling,  ///< fewer samples per cycle than a spline needs
  LateStart        ///< the record begins at rest, before the tap or the release
};
constexpr auto enum_names(RecordFault) {
  return std::to_array<EnumName<RecordFault>>({{RecordFault::NoOscillation, "no-oscillation"},
                                               {RecordFault::TooShort, "too-short"},
                                               {RecordFault::FewCycles, "few-cycles"},
                                               {RecordFault::Clipped, "clipped"},
                                               {RecordFault::Offset, "offset"},
                                               {RecordFault::Drift, "drift"},
                                               {RecordFault::Unit, "unit"},
                                               {RecordFault::TwoModes, "two-modes"},
                                               {RecordFault::CoarseSampling, "coarse-sampling"},
                                               {RecordFault::LateStart, "late-start"}});
}
/// The name used in results: "too-short", "clipped", ...
[[nodiscard]] std::string_view to_string(RecordFault fault);

struct RecordFinding {
  RecordFault fault = RecordFault::NoOscillation;
  std::string text;           ///< in words, with the numbers
  bool fatal = false;         ///< nothing can be identified
  bool contradicted = false;  ///< a unit by a displacement that is known otherwise
};

/// What is known besides the record.
struct DiagnosisOptions {
  bool acceleration = true;  ///< otherwise units are not looked at
  /// Otherwise neither beats nor a rest before the motion are looked for: it is driven.
  bool free_decay = true;
  std::string unit = {};  ///< of the numbers as the file has it; "" if it does not say
  double factor = 1.0;    ///< by which those numbers were multiplied to give the values
  /// Amplitude of the displacement in m at the beginning, as released or measured otherwise.
  std::optional<double> displacement = {};
};

struct RecordDiagnosis {
  Cycles cycles;
  std::vector<RecordFinding> findings;
  double offset = 0.0, offset_deviation = 0.0;  ///< mean over whole cycles
  double drift = 0.0, drift_deviation = 0.0;    ///< change of it over the record
  std::vector<SpectralPeak> peaks;

  [[nodiscard]] bool has(RecordFault fault) const;
  /// The first finding that forbids a fit; nullptr if there is none.
  [[nodiscard]] const RecordFinding* fatal() const;
};

/// Looks at one record. What one record cannot tell it does not: the unit of an acceleration shows
/// only in an offset of one gravity, in the limits of a clipped sensor, in a displacement known
/// otherwise, or in the size of the motion.
/// @throws InvalidInput as find_cycles().
[[nodiscard]] RecordDiagnosis diagnose_record(const Eigen::Ref<const Eigen::VectorXd>& values,
                                              double step, const DiagnosisOptions& options = {});

}  // namespace alembert::identify
