#pragma once

#include "reproductions/reproduce.hpp"

/// The cascaded tanks benchmark.
namespace alembert::reproductions::tanks {

/// `alembert reproduce tanks`: needs the public record.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::tanks
