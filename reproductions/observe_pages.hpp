#pragma once

#include "reproductions/reproduce.hpp"

/// The reproductions of observers.
namespace alembert::reproductions {

/// `alembert reproduce slider-crank`: input and output form, filters, smoother, wrong geometry.
Reproduction run_slider_crank(const ReproduceOptions& options);

/// `alembert reproduce two-link`: two links with counted encoders against differentiation.
Reproduction run_two_link(const ReproduceOptions& options);

}  // namespace alembert::reproductions
