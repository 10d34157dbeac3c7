#pragma once

#include "reproductions/reproduce.hpp"

/// Forces on the slider of a slider-crank: the published observer in two stages against others.
namespace alembert::reproductions::slider_crank_force {

/// Rows of every observer on three motions, with levels sought with the truth at hand.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::slider_crank_force
