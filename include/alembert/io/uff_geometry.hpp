#pragma once

#include <Eigen/Core>
#include <complex>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/read_limits.hpp"

/// Geometry and mode shapes in universal files, formats as published by the Structural Dynamics
/// Research Laboratory of the University of Cincinnati [SDRL-UFF].
namespace alembert::io {

/// A node: datasets 15, 781 and 2411.
struct UffNode {
  long long label = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< as written, in the unit of the file
  /// Number of the coordinate system of its directions; 0 and 1 are the global one.
  long long displacement_system = 0;
};

/// What a universal file says of the form of a structure.
struct UffGeometry {
  std::vector<UffNode> nodes = {};
  /// Polylines of node labels: trace lines (dataset 82), rods and beams (dataset 2412).
  std::vector<std::vector<long long>> lines = {};
  /// Polygons of node labels: shells and faces of solids (dataset 2412).
  std::vector<std::vector<long long>> surfaces = {};
  long long skipped_elements = 0;  ///< elements of dataset 2412 of other kinds
};

/// Reads the datasets 15, 781, 2411, 82 and 2412; others are passed over.
/// @throws DataError with the line; if there is no node, or a label is there twice.
[[nodiscard]] UffGeometry read_uff_geometry(const std::filesystem::path& file,
                                            const ReadLimits& limits = {});

/// The same from bytes in memory; `file` is the name used in messages. @throws DataError
[[nodiscard]] UffGeometry parse_uff_geometry(std::string_view content, const std::string& file);

/// A mode for dataset 55, complex eigenvalues (analysis type 3).
struct UffMode {
  std::complex<double> pole = {};  ///< rad/s
  Eigen::MatrixXcd motion = {};    ///< nodes x 3
  std::string id = {};             ///< ID line 1
};

/// Writes nodes (dataset 2411), lines (82), surfaces (2412, as thin shells of three or four nodes,
/// larger ones as fans of triangles) and modes (55) into one file. Modal A and B are written as 0:
/// they are not known.
/// @throws InvalidInput if a mode has other rows than there are nodes, or a line or surface names a
///   label that no node has; DataError if the file cannot be written.
void write_uff_modes(const std::filesystem::path& file, const UffGeometry& geometry,
                     const std::vector<UffMode>& modes);

}  // namespace alembert::io
