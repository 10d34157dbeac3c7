#include "alembert/integrate/hold.hpp"

#include <string>

#include "alembert/core/error.hpp"

namespace alembert::integrate {

int hold_coefficients(signal::BetweenSamples hold) {
  switch (hold) {
    case signal::BetweenSamples::Held:
      return 1;
    case signal::BetweenSamples::Linear:
      return 2;
    case signal::BetweenSamples::Cubic:
      return 4;
    case signal::BetweenSamples::BandLimited:
      break;
  }
  throw InvalidInput({.function = "linear system",
                      .argument = "hold",
                      .rule = "must be Held, Linear or Cubic, a polynomial between samples",
                      .value = std::string(name_of(hold))});
}

}  // namespace alembert::integrate
