#pragma once

#include "reproductions/reproduce.hpp"

/// Small models of large structures: the examples of [MultibodyThesis, section 5.2].
namespace alembert::reproductions::reduction {

/// `alembert reproduce bar-horn`: modes, ranking and truncation error of a plane horn.
[[nodiscard]] Reproduction run_bar_horn(const ReproduceOptions& options);

}  // namespace alembert::reproductions::reduction
