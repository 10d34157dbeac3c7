// write NX NY NZ FILE: K and M of a block of bricks, clamped at one end, in plain binary.
// modes FILE COUNT: the lowest modes, with times, as one line of JSON.
// craig-bampton NX NY NZ COUNT: the same block with the corners of its free end as masters, its
// static modes and COUNT interior modes, as one line of JSON.
#include <fmt/core.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "alembert/model/structure/assembly.hpp"
#include "alembert/reduce/modes.hpp"
#include "alembert/reduce/substructure.hpp"

namespace {

using alembert::model::SparseMatrix;

template <typename T>
void put(std::ofstream& out, const T* data, std::size_t count) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}

template <typename T>
std::vector<T> get(std::ifstream& in, std::size_t count) {
  std::vector<T> data(count);
  in.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return data;
}

// Rows and entries, then column starts, row numbers and values.
void put_matrix(std::ofstream& out, SparseMatrix A) {
  A.makeCompressed();
  const std::vector<std::int64_t> sizes = {A.rows(), A.nonZeros()};
  put(out, sizes.data(), 2);
  put(out, A.outerIndexPtr(), static_cast<std::size_t>(A.cols()) + 1);
  put(out, A.innerIndexPtr(), static_cast<std::size_t>(A.nonZeros()));
  put(out, A.valuePtr(), static_cast<std::size_t>(A.nonZeros()));
}

SparseMatrix get_matrix(std::ifstream& in) {
  using Index = SparseMatrix::StorageIndex;
  const auto sizes = get<std::int64_t>(in, 2);
  const auto count = static_cast<std::size_t>(sizes[1]);
  const auto starts = get<Index>(in, static_cast<std::size_t>(sizes[0]) + 1);
  const auto rows = get<Index>(in, count);
  const auto values = get<double>(in, count);
  return Eigen::Map<const SparseMatrix>(sizes[0], sizes[0], sizes[1], starts.data(), rows.data(),
                                        values.data());
}

std::vector<double> planes(int cells, double length) {
  std::vector<double> at;
  for (int i = 0; i <= cells; ++i) at.push_back(length * i / cells);
  return at;
}

alembert::model::Structure clamped_block(int nx, int ny, int nz) {
  using alembert::model::Direction;
  alembert::model::StructureBuilder builder;
  alembert::model::add_block({.x = planes(nx, 4.0), .y = planes(ny, 1.0), .z = planes(nz, 1.1)},
                             builder);
  for (Eigen::Index node = 0; node < (ny + 1) * (nz + 1); ++node) {
    for (const Direction d : {Direction::X, Direction::Y, Direction::Z}) builder.fix(node, d);
  }
  return builder.build();
}

int write_block(int nx, int ny, int nz, const char* file) {
  const alembert::model::Structure block = clamped_block(nx, ny, nz);
  std::ofstream out(file, std::ios::binary);
  put_matrix(out, block.K);
  put_matrix(out, block.M);
  return out ? EXIT_SUCCESS : EXIT_FAILURE;
}

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double peak_gigabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / (1024.0 * 1024.0);
}

int measure_modes(const char* file, Eigen::Index count) {
  std::ifstream in(file, std::ios::binary);
  const SparseMatrix K = get_matrix(in);
  const SparseMatrix M = get_matrix(in);
  if (!in) return EXIT_FAILURE;
  const double start = processor_seconds();
  const auto clock = std::chrono::steady_clock::now();
  const alembert::reduce::StructureModes modes = alembert::reduce::lowest_modes(K, M, count);
  const double seconds = processor_seconds() - start;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
  const double before_factor = processor_seconds();
  // One analysis and one factorisation.
  (void)alembert::reduce::count_modes_below(K, M, modes.frequency_hz(0));
  const double factor = processor_seconds() - before_factor;
  fmt::print(R"({{"rows": {}, "modes": {}, "counted": {}, "found": {}, "seconds": {}, "wall": {}, )"
             R"("factor": {}, "factorisations": {}, "solves": {}, "entries": {}, "residual": {}, )"
             R"("gigabytes": {}, "first": {:.17g}, "last": {:.17g}}})"
             "\n",
             K.rows(), modes.count(), modes.counted, modes.found, seconds, wall.count(), factor,
             modes.factorisations, modes.solves, modes.factor_entries, modes.residual.maxCoeff(),
             peak_gigabytes(), modes.eigenvalue(0), modes.eigenvalue(modes.count() - 1));
  return modes.ok() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int measure_craig_bampton(int nx, int ny, int nz, Eigen::Index count) {
  const alembert::model::Structure block = clamped_block(nx, ny, nz);
  const Eigen::Index last = block.size() - 3 * (ny + 1) * (nz + 1);  // rows of the free end
  std::vector<Eigen::Index> masters;
  for (const Eigen::Index node : {0, nz, ny * (nz + 1), (ny + 1) * (nz + 1) - 1}) {
    for (Eigen::Index d = 0; d < 3; ++d) masters.push_back(last + 3 * node + d);
  }
  const double start = processor_seconds();
  const auto clock = std::chrono::steady_clock::now();
  const auto split = alembert::reduce::split_structure(block, masters);
  const auto modes = alembert::reduce::interior_modes(split, count, {.prove = false});
  const auto basis = alembert::reduce::hybrid_basis(block, split, modes.shapes, modes.eigenvalue);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
  fmt::print(R"({{"rows": {}, "size": {}, "seconds": {}, "wall": {}, "entries": {}, )"
             R"("residual": {}, "gigabytes": {}}})"
             "\n",
             block.size(), basis.size(), processor_seconds() - start, wall.count(),
             modes.factor_entries, modes.residual.maxCoeff(), peak_gigabytes());
  return modes.ok() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "write" && argc == 6) {
    return write_block(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), argv[5]);
  }
  if (what == "modes" && argc == 4) return measure_modes(argv[2], std::atoi(argv[3]));
  if (what == "craig-bampton" && argc == 6) {
    return measure_craig_bampton(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]),
                                 std::atoi(argv[5]));
  }
  fmt::print(
      stderr,
      "measure_reduce write NX NY NZ FILE | modes FILE COUNT | craig-bampton NX NY NZ COUNT\n");
  return 2;
}
