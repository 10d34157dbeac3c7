#include "identify/modes/ambient/block_covariances.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/blas.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// R_1 .. R_lags of the samples first .. first + count - 1 as times of the references.
MatrixXd covariances_of(const MatrixXd& record, const MatrixXd& references, Index first,
                        Index count, Index lags) {
  MatrixXd all(record.cols() * references.cols(), lags);
  for (Index k = 1; k <= lags; ++k) {
    MatrixXd R = MatrixXd::Zero(record.cols(), references.cols());
    add_transposed_product(record.middleRows(first + k, count), references.middleRows(first, count),
                           R);
    all.col(k - 1) = R.reshaped() / static_cast<double>(count);
  }
  return all;
}

}  // namespace

BlockCovariances block_covariances(const std::vector<MatrixXd>& records, const MatrixXd& reference,
                                   Index lags, int blocks) {
  BlockCovariances all{.outputs = reference.rows(),
                       .references = reference.cols(),
                       .lags = lags,
                       .mean = {},
                       .deviations = {}};
  Index usable = 0;
  for (const MatrixXd& record : records) usable += std::max<Index>(0, record.rows() - lags);
  const Index length = std::max<Index>(1, usable / blocks);
  for (const MatrixXd& record : records) {
    const MatrixXd references = product(record, reference);
    for (Index first = 0; first + length + lags <= record.rows(); first += length) {
      all.deviations.push_back(covariances_of(record, references, first, length, lags));
    }
  }
  const auto count = static_cast<double>(all.deviations.size());
  all.mean = MatrixXd::Zero(all.outputs * all.references, lags);
  for (const MatrixXd& one : all.deviations) all.mean += one / count;
  for (MatrixXd& one : all.deviations) {
    one = ((one - all.mean) / std::sqrt(count * (count - 1.0))).eval();
  }
  return all;
}

MatrixXd covariance_hankel(const BlockCovariances& covariances, Index q) {
  const Index l = covariances.outputs;
  const Index r = covariances.references;
  MatrixXd H(q * l, q * r);
  for (Index i = 0; i < q; ++i) {
    for (Index j = 0; j < q; ++j) {
      H.block(i * l, j * r, l, r) = covariances.mean.col(i + j).reshaped(l, r);
    }
  }
  return H;
}

}  // namespace alembert::identify::modes
