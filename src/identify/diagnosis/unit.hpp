#pragma once

#include <string>

#include "alembert/identify/record_diagnosis.hpp"
#include "identify/diagnosis/clipping.hpp"

namespace alembert::identify {

/// A question to the owner of an acceleration.
struct UnitQuestion {
  std::string text;           ///< with the reason for it; "" if there is nothing to ask
  bool contradicted = false;  ///< a displacement that is known otherwise speaks against the unit
};

/// Whether the numbers suggest the other unit, g for m/s² or m/s² for g.
[[nodiscard]] UnitQuestion unit_question(const RecordDiagnosis& diagnosis, const Clipping& clipping,
                                         const DiagnosisOptions& options);

}  // namespace alembert::identify
