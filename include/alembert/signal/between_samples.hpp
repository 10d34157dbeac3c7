#pragma once

#include <array>

#include "alembert/core/enum_names.hpp"

namespace alembert::signal {

/// What a signal does between its samples.
enum class BetweenSamples {
  Held,        ///< keeps the value of the last sample
  Linear,      ///< the line between samples
  Cubic,       ///< cubic spline through all samples, with not-a-knot ends
  BandLimited  ///< the Fourier series of the record, which is one period
};

constexpr auto enum_names(BetweenSamples) {
  return std::to_array<EnumName<BetweenSamples>>({{BetweenSamples::Held, "held"},
                                                  {BetweenSamples::Linear, "linear"},
                                                  {BetweenSamples::Cubic, "cubic"},
                                                  {BetweenSamples::BandLimited, "band-limited"}});
}

}  // namespace alembert::signal
