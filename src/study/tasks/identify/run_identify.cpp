#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/identify.hpp"

namespace alembert::study {
namespace {

identify::LinearIdentification identified(const IdentifyStudy& study, const RunOptions& options) {
  identify::LinearOptions settings = study.settings;
  settings.refinement.stop = options.stop;
  settings.threads = options.threads;
  try {
    return identify::identify_linear(study.data.experiments, study.validation.experiments,
                                     settings);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "data: " + error.reason());
  }
}

}  // namespace

IdentifyResult run_identify(IdentifyStudy study, const RunOptions& options) {
  IdentifyResult result{identified(study, options), {}};
  if (result.start.words == "nominal model") result.start.words += " of the study";
  if (!study.settings.examine_records) result.remarks = study.remarks;
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
