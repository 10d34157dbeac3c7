#include <Eigen/SparseCore>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "alembert/core/error.hpp"
#include "alembert/io/matrix_market.hpp"

namespace {

// The dense and the sparse reader must agree on files of a modest size.
void compare(std::string_view text) {
  const Eigen::SparseMatrix<double> sparse = alembert::io::parse_matrix_market_sparse(text, "fuzz");
  if (sparse.rows() * sparse.cols() > 10000) {
    return;
  }
  const Eigen::MatrixXd dense = alembert::io::parse_matrix_market(text, "fuzz");
  const Eigen::MatrixXd same = Eigen::MatrixXd(sparse);
  const bool equal = dense.rows() == same.rows() && dense.cols() == same.cols() &&
                     (dense.array() == same.array() || dense.array().isNaN()).all();
  if (!equal) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    compare({reinterpret_cast<const char*>(data), size});
  } catch (const alembert::DataError&) {
    // A broken file.
  }
  return 0;
}
