#pragma once

#include "reproductions/reproduce.hpp"

/// Small models of large structures: the examples of [MultibodyThesis, section 5.2].
namespace alembert::reproductions::reduction {

/// `alembert reproduce bar-horn`: modes, ranking and truncation error of a plane horn.
[[nodiscard]] Reproduction run_bar_horn(const ReproduceOptions& options);

/// `alembert reproduce vibratory-feeder`: sizes for forces at 50 and 100 Hz, over random feeders.
[[nodiscard]] Reproduction run_feeder(const ReproduceOptions& options);

/// `alembert reproduce sonotrode`: sizes for a force near the first longitudinal mode of a solid.
[[nodiscard]] Reproduction run_sonotrode(const ReproduceOptions& options);

}  // namespace alembert::reproductions::reduction
