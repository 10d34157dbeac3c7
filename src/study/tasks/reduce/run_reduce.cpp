#include "alembert/core/error.hpp"
#include "alembert/study/reduce.hpp"

namespace alembert::study {

ReduceOutcome run_reduce(const ReduceStudy& study, const RunOptions& /*options*/) {
  ReduceOutcome result;
  result.study = study;
  try {
    static_cast<reduce::ReduceResult&>(result) =
        reduce::reduce_structure(study.structure, study.masters, study.options);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "reduce: " + error.reason());
  }
  return result;
}

}  // namespace alembert::study
