#pragma once

#include <optional>
#include <string>

#include "alembert/integrate/energy.hpp"
#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// The energy balance of the first finished experiment; none if its motion is too large, not there,
/// or has no energy.
std::optional<integrate::EnergyBalance> first_energy_balance(const study::SimulateResult& result);

/// The unit of the energies: "J" in SI units, "" elsewhere.
std::string energy_unit(const study::LinearModel& model);

/// Where the energy came from and went; a section without blocks if there is no balance.
Section energy_section(const study::SimulateResult& result,
                       const std::optional<integrate::EnergyBalance>& balance);

}  // namespace alembert::report
