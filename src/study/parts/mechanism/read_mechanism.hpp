#pragma once

#include "alembert/model/planar/mechanism.hpp"
#include "study/parts/mechanism/mechanism_places.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [mechanism]; places are noted. @throws StudyError
[[nodiscard]] model::planar::MechanismDescription read_mechanism(const TableReader& mechanism,
                                                                 MechanismPlaces& places);

}  // namespace alembert::study
