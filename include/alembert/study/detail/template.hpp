#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/signal/record.hpp"

/// Commented studies to begin from.
namespace alembert::study {

/// A kind of study that `alembert new` can write.
struct TemplateKind {
  std::string name;
  std::string help;  ///< one line
};
[[nodiscard]] std::vector<TemplateKind> template_kinds();

/// A data file to fill a template from.
struct TemplateData {
  std::string file;                 ///< as the study will name it
  std::string time = {};            ///< time column, where it had to be named
  std::optional<double> step = {};  ///< s, where the file has no time
  std::string dataset = {};
  signal::Record record;
};

/// A study of this kind that passes check_text() and runs. With data, its complete channels (16
/// at most) drive a chain of masses, one each, at the rate of the file.
/// @throws InvalidInput for an unknown kind, with the nearest known one.
/// @throws DataError if the record has no even step or no complete channel.
[[nodiscard]] std::string study_template(const std::string& kind,
                                         const std::optional<TemplateData>& data = {});

/// A small record for kinds that need data to run: the file "record.csv" of their study.
[[nodiscard]] std::optional<signal::Record> template_record(const std::string& kind);

}  // namespace alembert::study
