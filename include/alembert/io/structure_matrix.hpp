#pragma once

#include <Eigen/SparseCore>
#include <compare>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/read_limits.hpp"

/// Matrices of structures as finite element programs write them. Both triangles are returned: a
/// file that holds one gives the other by symmetry.
namespace alembert::io {

/// Node and direction of a row.
struct RowLabel {
  long long node = 0;
  int direction = 0;  ///< 1 to 6: x, y, z, rx, ry, rz; 0: a scalar point of Nastran

  auto operator<=>(const RowLabel&) const = default;
};

struct StructureMatrix {
  std::string name;  ///< where the file has names
  Eigen::SparseMatrix<double> values;
  std::vector<RowLabel> labels = {};  ///< of the rows, rising; empty: the file has row numbers only
};

/// Whether read_structure_matrix() knows the ending, or for .mtx the first line.
[[nodiscard]] bool is_structure_matrix(const std::filesystem::path& file);

/// Reads a matrix by the ending of its file: .hb .rsa .rua .psa .rb (Harwell-Boeing), .sti .mas
/// .dam (CalculiX), .mtx of Abaqus, .pch .bdf .nas .dmig (Nastran DMIG), .op4 (Nastran, as text).
/// @param name of the matrix in a file with several; "": the only one.
/// @throws DataError with the line.
[[nodiscard]] StructureMatrix read_structure_matrix(const std::filesystem::path& file,
                                                    const std::string& name = {},
                                                    const ReadLimits& limits = {});

/// Node and direction of each row as CalculiX writes them (.dof): a line "node.direction" each.
/// @throws DataError with the line.
[[nodiscard]] std::vector<RowLabel> read_calculix_rows(const std::filesystem::path& file,
                                                       const ReadLimits& limits = {});

/// The matrix with a row for each of these labels, which contain its own; rows that it has not are
/// zero.
[[nodiscard]] Eigen::SparseMatrix<double> with_rows_of(const StructureMatrix& matrix,
                                                       const std::vector<RowLabel>& labels);

/// Harwell-Boeing: real, symmetric or unsymmetric, assembled, square (RSA, RUA).
[[nodiscard]] StructureMatrix parse_harwell_boeing(std::string_view content,
                                                   const std::string& file);
/// Lines "row column value", counted from 1 (CalculiX; Abaqus, COORDINATE), or "node direction node
/// direction value" (Abaqus, MATRIX INPUT), between blanks or commas. Lines that begin with * are
/// passed over. A file with entries on one side of the diagonal holds half of a symmetric matrix.
[[nodiscard]] StructureMatrix parse_triplets(std::string_view content, const std::string& file);
/// DMIG entries of a Nastran file with fields of 8 or 16 columns or commas; square or symmetric,
/// real. All other entries are passed over.
[[nodiscard]] std::vector<StructureMatrix> parse_dmig(std::string_view content,
                                                      const std::string& file);
/// OUTPUT4 of Nastran as text: real, square, dense or sparse columns.
[[nodiscard]] std::vector<StructureMatrix> parse_op4(std::string_view content,
                                                     const std::string& file);
[[nodiscard]] std::vector<RowLabel> parse_calculix_rows(std::string_view content,
                                                        const std::string& file);

}  // namespace alembert::io
