#pragma once

#include "reproductions/reproduce.hpp"

/// The reproductions of output-error identification.
namespace alembert::reproductions {

/// `alembert reproduce tanks`: needs the public record.
Reproduction run_tanks(const ReproduceOptions& options);
/// `alembert reproduce bouc-wen`: needs the public records.
Reproduction run_bouc_wen(const ReproduceOptions& options);

/// `alembert reproduce equation-coverage`: how often intervals of parameters hold.
Reproduction run_equation_coverage(const ReproduceOptions& options);

}  // namespace alembert::reproductions
