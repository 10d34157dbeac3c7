#include <algorithm>

#include "identify/hankel.hpp"
#include "identify/lapack.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// Samples are read in stretches of this many blocks of 2s.
constexpr Index kBlocksAtOnce = 128;

// Sums over pairs of neighbouring blocks V_k = (w(2sk); ...; w(2sk + 2s - 1)): within = Σ V_k V_kᵀ
// and across = Σ V_(k+1) V_kᵀ hold every product w(i + d) w(i)ᵀ, d < 2s, exactly once on the
// diagonals of lag d. Two large matrix products replace 2s small ones.
struct BlockSums {
  MatrixXd within, across;
};

void add_sequence(const Sequence& sequence, const ChannelScales& scales, Index blocks,
                  BlockSums& sums) {
  const Index channels = scales.input.size() + scales.output.size();
  const Index size = blocks * channels;
  const Index half = (blocks / 2) * channels;
  MatrixXd stretch(size, kBlocksAtOnce + 1);
  for (Index begin = 0; begin < sequence.length; begin += blocks * kBlocksAtOnce) {
    const Index left = (sequence.length - begin + blocks - 1) / blocks;
    const Index count = std::min(left, kBlocksAtOnce);
    Eigen::Map<MatrixXd> samples(stretch.data(), channels, blocks * (count + 1));
    fill_samples(sequence, scales, begin, samples);
    add_outer_gram(stretch.leftCols(count), 1.0, sums.within);
    // Lags below 2s need only the blocks above the diagonal of `across`.
    const auto next = stretch.middleCols(1, count);
    add_outer_product(next.topRows(half), stretch.leftCols(count), sums.across.topRows(half));
    add_outer_product(next.bottomRows(size - half), stretch.leftCols(count).bottomRows(size - half),
                      sums.across.bottomRightCorner(size - half, size - half));
  }
}

// S(d) for d = 0..2s-1 side by side.
MatrixXd lagged_products(const BlockSums& sums, Index blocks, Index channels) {
  MatrixXd S = MatrixXd::Zero(channels, blocks * channels);
  const auto block = [channels](const MatrixXd& matrix, Index i, Index j) {
    return matrix.block(i * channels, j * channels, channels, channels);
  };
  for (Index d = 0; d < blocks; ++d) {
    auto lag = S.middleCols(d * channels, channels);
    for (Index i = 0; i + d < blocks; ++i) lag += block(sums.within, i + d, i);
    for (Index i = 0; i < d; ++i) lag += block(sums.across, i, i + blocks - d);
  }
  const MatrixXd lower = S.leftCols(channels).triangularView<Eigen::Lower>();
  S.leftCols(channels) = lower.selfadjointView<Eigen::Lower>();
  return S;
}

// The columns of the padded Hankel matrix that reach beyond an end of the record.
MatrixXd edge_columns(const Sequence& sequence, const ChannelScales& scales, Index blocks) {
  const Index channels = scales.input.size() + scales.output.size();
  MatrixXd begin(channels, blocks - 1);
  MatrixXd end(channels, blocks - 1);
  fill_samples(sequence, scales, 0, begin);
  fill_samples(sequence, scales, sequence.length - blocks + 1, end);
  MatrixXd edges = MatrixXd::Zero(blocks * channels, 2 * (blocks - 1));
  for (Index t = 1; t < blocks; ++t) {
    const Index kept = (blocks - t) * channels;
    edges.col(t - 1).tail(kept) = begin.leftCols(blocks - t).reshaped();
    edges.col(blocks - 2 + t).head(kept) = end.rightCols(blocks - t).reshaped();
  }
  return edges;
}

}  // namespace

HankelGram hankel_gram(const std::vector<Sequence>& data, const ChannelScales& scales,
                       Index horizon) {
  const Index inputs = scales.input.size();
  const Index outputs = scales.output.size();
  const Index channels = inputs + outputs;
  const Index blocks = 2 * horizon;
  const Index size = blocks * channels;
  BlockSums sums{MatrixXd::Zero(size, size), MatrixXd::Zero(size, size)};
  MatrixXd edges = MatrixXd::Zero(size, size);
  for (const Sequence& sequence : data) {
    if (sequence.length < blocks) continue;
    add_sequence(sequence, scales, blocks, sums);
    add_outer_gram(edge_columns(sequence, scales, blocks), 1.0, edges);
  }
  const MatrixXd S = lagged_products(sums, blocks, channels);
  HankelGram result{MatrixXd(size, size), 1.0};
  std::vector<Index> place(static_cast<std::size_t>(size));
  for (Index r = 0; r < size; ++r) {
    place[static_cast<std::size_t>(r)] =
        hankel_row(r / channels, r % channels, inputs, outputs, horizon);
  }
  for (Index j = 0; j < size; ++j) {
    for (Index i = j; i < size; ++i) {
      const Index lag = i / channels - j / channels;
      const double value = S(i % channels, lag * channels + j % channels) - edges(i, j);
      const Index row = place[static_cast<std::size_t>(i)];
      const Index column = place[static_cast<std::size_t>(j)];
      result.G(row, column) = value;
      result.G(column, row) = value;
    }
    const double whole = S(j % channels, j % channels);
    if (whole > 0.0) {
      result.edge_share = std::min(result.edge_share, 1.0 - edges(j, j) / whole);
    }
  }
  return result;
}

}  // namespace alembert::identify::realisation
