#pragma once

#include "alembert/model/structure/mesh.hpp"
#include "alembert/reduce/reduce.hpp"
#include "study/schema/bound_keys.hpp"

namespace alembert::study {

inline constexpr const char* kForStructures = "structures";

/// The keys of [reduce].
[[nodiscard]] const BoundKeys<reduce::ReduceOptions>& reduce_keys();

/// The keys of [structure.plate], [structure.block] and [structure.mesh].
[[nodiscard]] const BoundKeys<model::PlateGrid>& plate_keys();
[[nodiscard]] const BoundKeys<model::BlockGrid>& block_keys();
[[nodiscard]] const BoundKeys<model::MeshProperties>& mesh_keys();

/// The whole study for [reduce].
[[nodiscard]] const TableSpec& reduce_root_table();

}  // namespace alembert::study
