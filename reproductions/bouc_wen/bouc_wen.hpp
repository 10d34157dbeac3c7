#pragma once

#include "reproductions/reproduce.hpp"

/// The Bouc-Wen benchmark.
namespace alembert::reproductions::bouc_wen {

/// `alembert reproduce bouc-wen`: needs the public records.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::bouc_wen
