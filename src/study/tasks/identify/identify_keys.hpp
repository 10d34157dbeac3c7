#pragma once

#include "alembert/identify/linear_options.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

/// The keys of [identify] for M, D and K.
[[nodiscard]] const BoundKeys<identify::LinearOptions>& identify_keys();

/// What the key refine says of these options: whether to refine, and by which rule.
[[nodiscard]] std::string refine_text(const identify::LinearOptions& options);

/// Reads [identify] into options whose L, outputs and nominal model are there; texts and keys that
/// were given up are noted.
void read_identify_keys(const TableReader& identify, identify::LinearOptions& options,
                        std::vector<std::string>& notes);

}  // namespace alembert::study
