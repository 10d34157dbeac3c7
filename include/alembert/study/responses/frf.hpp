#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/signal/frf.hpp"
#include "alembert/signal/local_frf.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/run_options.hpp"

/// The task [identify] with method = "frf": frequency response functions of records with their
/// coherence and standard deviation.
namespace alembert::study {

/// How the lines are made.
enum class FrfAverage {
  Segments,  ///< averages over overlapping segments with a window
  Periods,   ///< averages over the periods of records that repeat
  Local      ///< local polynomials about each line of whole records, without window
};
constexpr auto enum_names(FrfAverage) {
  return std::to_array<EnumName<FrfAverage>>({{FrfAverage::Segments, "segments"},
                                              {FrfAverage::Periods, "periods"},
                                              {FrfAverage::Local, "local"}});
}

struct FrfSettings {
  FrfAverage average = FrfAverage::Segments;
  signal::FrfOptions averaged;
  signal::LocalFrfOptions local;
  double from_hz = 0.0;
  double to_hz = 1e300;
};

/// Everything that the task needs, read from a study and checked.
struct FrfStudy {
  std::string title;
  std::filesystem::path file;
  std::string text;
  std::vector<std::string> overrides;
  std::vector<ColumnUse> inputs, outputs;
  std::vector<signal::InputOutput> experiments;
  std::vector<ExperimentSource> sources;
  double step = 0.0;  ///< s
  FrfSettings settings;
  std::vector<std::string> notes;
};

/// What was found.
struct FrfOutcome : Outcome {
  FrfStudy study;
  signal::FrfResult found;  ///< within the band
  std::vector<std::string> warnings;
  Verdict verdict;
};

/// Estimates the responses. One thread. @throws DataError if the records do not suit.
[[nodiscard]] FrfOutcome run_frf(FrfStudy study, const RunOptions& options = {});

/// Describes the result.
[[nodiscard]] document::ResultTree describe(const FrfOutcome& result);

/// Writes result.json, frf.csv (frequency, real and imaginary part, deviation and coherences) and
/// frf.uff (dataset 58, function type 4) into an existing folder. @throws DataError
void write_frf_result(const FrfOutcome& result, const std::filesystem::path& folder);

}  // namespace alembert::study
