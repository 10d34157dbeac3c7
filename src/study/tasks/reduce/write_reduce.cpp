#include "alembert/io/matrix_market.hpp"
#include "alembert/study/reduce.hpp"
#include "study/result/json.hpp"

namespace alembert::study {

void write_reduce_result(const ReduceOutcome& result, const std::filesystem::path& folder) {
  write_result(describe(result), folder);
  const reduce::HybridBasis& basis = result.basis;
  if (basis.size() == 0) return;
  io::write_matrix_market(folder / "mass.mtx", basis.M, {.detect_symmetry = true});
  io::write_matrix_market(folder / "stiffness.mtx", basis.K, {.detect_symmetry = true});
  if (basis.D.size() > 0) {
    io::write_matrix_market(folder / "damping.mtx", basis.D, {.detect_symmetry = true});
  }
  io::write_matrix_market(folder / "basis.mtx", basis.H,
                          {.comment = "x = basis * (masters, interior coordinates)"});
}

}  // namespace alembert::study
