#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/verdict.hpp"
#include "alembert/signal/record.hpp"

/// Results read back from their folders.
namespace alembert::study {

/// A number of a result with what is known of its uncertainty.
struct ResultQuantity {
  std::string name;
  std::string unit = {};  ///< "" if not known
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Half of the 95 % interval: as the result gives it, else 1.96 standard deviations; 0 for a
  /// number that was given (a fixed parameter), NaN where it is not known.
  double margin = std::numeric_limits<double>::quiet_NaN();
};

/// A mode of a result. Modes of two results are paired by frequency, not by number.
struct ResultMode {
  double frequency_hz = std::numeric_limits<double>::quiet_NaN();
  double frequency_margin = std::numeric_limits<double>::quiet_NaN();  ///< as in ResultQuantity
  double damping_ratio = std::numeric_limits<double>::quiet_NaN();
  double damping_margin = std::numeric_limits<double>::quiet_NaN();
};

/// How well an output is explained.
struct ResultFit {
  std::string name;
  std::string unit = {};
  double fit = std::numeric_limits<double>::quiet_NaN();           ///< in %
  double residual_rms = std::numeric_limits<double>::quiet_NaN();  ///< in the unit
};

/// What a result folder holds that another result can be compared with.
struct ResultSummary {
  std::filesystem::path folder;
  std::string version;  ///< of Alembert that wrote it
  std::string task;
  std::string method = {};  ///< of an identification or observer, "" otherwise
  std::string title = {};
  std::string status = {};
  Verdict verdict = {};
  std::vector<ResultQuantity> quantities = {};
  std::vector<ResultMode> modes = {};
  std::vector<ResultFit> fits = {};
  std::vector<std::string> sources = {};  ///< data files, by the names that the result gives them
  /// Options that were used, "identify.refine" and the text of its value.
  std::vector<std::pair<std::string, std::string>> settings = {};
  /// A file of the folder with signals (predictions, motion, estimates), "" if there is none.
  std::string signals = {};
};

/// Reads `result.json` of a result folder; a path to that file, or to the report beside it, will
/// do.
/// @throws DataError if it is missing or is no result of Alembert.
[[nodiscard]] ResultSummary read_result_summary(const std::filesystem::path& folder);

/// Reads the signals of a result; nothing if it has none. @throws DataError if they cannot be read.
[[nodiscard]] std::optional<signal::Record> read_result_signals(const ResultSummary& result);

}  // namespace alembert::study
