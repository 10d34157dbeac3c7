#pragma once

#include "alembert/study/reproduce.hpp"

/// The reproductions of output-error identification.
namespace alembert::study {

/// `alembert reproduce tanks`: needs the public record.
Reproduction run_tanks(const ReproduceOptions& options);

}  // namespace alembert::study
