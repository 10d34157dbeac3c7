#pragma once

#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// What [identify.parameters.NAME] says of one number of a mechanism.
[[nodiscard]] const BoundKeys<optimize::Parameter>& number_keys();

/// The keys of [identify] on a mechanism, beside its parameters.
[[nodiscard]] const BoundKeys<MechanismFitSettings>& mechanism_fit_keys();

/// [identify] on a mechanism.
[[nodiscard]] const TableSpec& mechanism_fit_table();

}  // namespace alembert::study
