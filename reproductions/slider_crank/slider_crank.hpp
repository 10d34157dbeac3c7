#pragma once

#include "reproductions/reproduce.hpp"

/// Observers of a slider-crank: accelerometer as input or as output.
namespace alembert::reproductions::slider_crank {

/// `alembert reproduce slider-crank`: input and output form, filters, smoother, wrong geometry.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::slider_crank
