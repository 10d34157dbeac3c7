#include "identify/modes/choice/neighbours.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::identify::modes {
namespace {

constexpr double kNearWidths = 5.0;
constexpr double kNearShare = 0.03;

}  // namespace

bool has_neighbour(std::size_t r, const std::vector<FrfPole>& terms) {
  const FrfPole& own = terms[r];
  for (std::size_t k = 0; k < terms.size(); ++k) {
    if (k == r) continue;
    const double widths = std::abs(own.pole.real()) + std::abs(terms[k].pole.real());
    const double near =
        std::max(2.0 * kNearWidths * widths, kNearShare * std::abs(own.pole.imag()));
    if (std::abs(own.pole.imag() - terms[k].pole.imag()) < near) return true;
  }
  return false;
}

}  // namespace alembert::identify::modes
