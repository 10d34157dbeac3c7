#include "optimize/coloured/sine_bins.hpp"

#include <algorithm>

#include "alembert/signal/cosine_transform.hpp"
#include "core/algebra/blas.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

// Bin k = 1 .. N of the sine transform is bin N-k of the cosine transform of (-1)^t x_t:
// sin(πk(2t+1)/(2N)) = (-1)^t cos(π(N-k)(2t+1)/(2N)).
MatrixXd sine_transform(MatrixXd columns) {
  for (Index t = 1; t < columns.rows(); t += 2) columns.row(t) *= -1.0;
  return signal::cosine_transform(columns).colwise().reverse();
}

void add_sine_bins(const std::vector<MatrixXd>& columns, std::vector<CosineBlock>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CosineBlock& block = blocks[i];
    block.sine_columns = sine_transform(columns[i]);
    // Sine bins begin at k = 1; the last one shares the band of its neighbour.
    block.sine_bands.assign(block.bands.begin() + 1, block.bands.end());
    block.sine_bands.push_back(block.bands.back());
  }
}

VectorXd weight_of_bins(const std::vector<Index>& bands, const VectorXd& weight) {
  VectorXd bins(static_cast<Index>(bands.size()));
  for (Index k = 0; k < bins.size(); ++k) bins(k) = weight(bands[static_cast<std::size_t>(k)]);
  return bins;
}

MatrixXd sine_middle(const std::vector<CosineBlock>& blocks, const std::vector<BandSums>& sums,
                     const std::vector<ChannelNoise>& noise) {
  const Index p = blocks.front().columns.cols();
  MatrixXd V = MatrixXd::Zero(p, p);  // lower triangle
  for (const CosineBlock& block : blocks) {
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (sums[c].channel != block.channel) continue;
      const VectorXd roots = weight_of_bins(block.sine_bands, noise[c].spectrum.cwiseSqrt());
      add_gram(roots.asDiagonal() * block.sine_columns, V);
    }
  }
  V = MatrixXd(V.selfadjointView<Eigen::Lower>());
  if (sums.front().fixed.size() > 0) V += from_packed(sums.front().fixed, p);
  return V;
}

}  // namespace alembert::optimize
