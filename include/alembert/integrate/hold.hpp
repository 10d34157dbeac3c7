#pragma once

#include <array>
#include <string_view>

#include "alembert/signal/between_samples.hpp"

/// The input of a linear system between its samples: a polynomial on each step.
namespace alembert::integrate {

/// The holds that one-step maps know, with their names in control engineering: "zero" is held.
/// A band-limited input is none: its derivatives at a sample need the whole record.
constexpr auto hold_names() {
  return std::to_array<EnumName<signal::BetweenSamples>>(
      {{signal::BetweenSamples::Held, "zero"},
       {signal::BetweenSamples::Linear, "linear"},
       {signal::BetweenSamples::Cubic, "cubic"}});
}

/// "zero", "linear" or "cubic".
[[nodiscard]] constexpr std::string_view hold_name(signal::BetweenSamples hold) {
  for (const EnumName<signal::BetweenSamples>& name : hold_names()) {
    if (name.value == hold) return name.text;
  }
  return name_of(hold);
}

/// Coefficients of the polynomial on a step: 1, 2 or 4.
/// @throws InvalidInput for BandLimited, which is no polynomial.
[[nodiscard]] int hold_coefficients(signal::BetweenSamples hold);

}  // namespace alembert::integrate
