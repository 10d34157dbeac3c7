#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"

namespace alembert::study {

MechanismFitOutcome run_mechanism_fit(MechanismFitStudy study, const RunOptions& options) {
  MechanismFitOutcome result;
  identify::MechanismFitOptions how = study.settings.fit;
  how.search.stop = options.stop;
  how.search.max_evaluations_name = "identify.max-evaluations";
  how.held_back = study.held_back;
  how.starts = study.settings.start;
  try {
    static_cast<identify::MechanismFit&>(result) = identify::fit_mechanism(
        study.mechanism->description(), study.parameters, {study.record}, how);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.study = std::move(study);
  return result;
}

void complete(MechanismFitOutcome& result) {
  const auto count = static_cast<Eigen::Index>(result.parameters.size());
  if (result.estimate.parameters.size() == count) return;
  result.estimate.parameters =
      Eigen::VectorXd::Constant(count, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace alembert::study
