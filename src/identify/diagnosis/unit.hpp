#pragma once

#include <string>

#include "alembert/identify/record_diagnosis.hpp"
#include "identify/diagnosis/clipping.hpp"

namespace alembert::identify {

/// Whether the numbers of an acceleration suggest the other unit, g for m/s² or m/s² for g: the
/// question to its owner with the reason for it, or "".
[[nodiscard]] std::string unit_question(const RecordDiagnosis& diagnosis, const Clipping& clipping,
                                        const DiagnosisOptions& options);

}  // namespace alembert::identify
