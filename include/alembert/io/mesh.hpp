#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "alembert/io/read_limits.hpp"
#include "alembert/model/structure/mesh.hpp"

/// Meshes of other programs: nodes, elements and named sets of nodes.
namespace alembert::io {

/// Reads a Gmsh mesh (.msh), format 2.2 or 4.1 as text. Elements of the highest dimension are the
/// structure: quadrilaterals, or bricks and tetrahedra; those of lower ones give sets of nodes by
/// the names of their physical groups.
/// @throws DataError with the line; also for binary files and for elements that are not known,
///   naming their type.
[[nodiscard]] model::Mesh read_gmsh(const std::filesystem::path& file,
                                    const ReadLimits& limits = {});

/// Reads an Abaqus or CalculiX input file (.inp) without parts or with one: *NODE, *ELEMENT of the
/// types CPS4, CPE4, S4 and their like, C3D8, C3D4, C3D10, *NSET (GENERATE too) and *ELSET; the
/// nodes of a set of elements are a set of nodes. All else is passed over.
/// @throws DataError with the line; also for *INCLUDE, several parts, and elements that are not
///   known, naming their type.
[[nodiscard]] model::Mesh read_abaqus_mesh(const std::filesystem::path& file,
                                           const ReadLimits& limits = {});

/// The same from text in memory; `file` is the name used in messages. @throws DataError
[[nodiscard]] model::Mesh parse_gmsh(std::string_view content, const std::string& file);
[[nodiscard]] model::Mesh parse_abaqus_mesh(std::string_view content, const std::string& file);

}  // namespace alembert::io
