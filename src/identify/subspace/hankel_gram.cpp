#include <algorithm>

#include "alembert/core/parallel.hpp"
#include "core/algebra/lapack.hpp"
#include "identify/subspace/hankel.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// Samples are read in stretches of this many blocks of 2s.
constexpr Index kBlocksAtOnce = 512;
// Groups of rows of `across`, each without the columns that no lag needs.
constexpr Index kRowGroups = 4;

// Sums over pairs of neighbouring blocks V_k = (w(2sk); ...; w(2sk + 2s - 1)): within = Σ V_k V_kᵀ
// and across = Σ V_(k+1) V_kᵀ hold every product w(i + d) w(i)ᵀ, d < 2s, exactly once on the
// diagonals of lag d. Few large matrix products replace 2s small ones.
struct BlockSums {
  MatrixXd within, across;
};

// Adds the products of one stretch. The parts have their own entries of the sums, so that the
// digits do not depend on the number of threads.
void add_stretch(const Eigen::Ref<const MatrixXd>& stretch, Index blocks, Index channels,
                 int threads, BlockSums& sums) {
  const Index size = blocks * channels;
  const Index count = stretch.cols() - 1;
  const auto part = [&](std::size_t index) {
    if (index == 0) {
      add_outer_gram(stretch.leftCols(count), 1.0, sums.within);
      return;
    }
    // Lags below 2s need only the blocks above the diagonal of `across`.
    const Index group = static_cast<Index>(index) - 1;
    const Index first = group * blocks / kRowGroups * channels;
    const Index rows = (group + 1) * blocks / kRowGroups * channels - first;
    add_outer_product(stretch.rightCols(count).middleRows(first, rows),
                      stretch.leftCols(count).bottomRows(size - first),
                      sums.across.block(first, first, rows, size - first));
  };
  parallel_for(1 + static_cast<std::size_t>(kRowGroups), part, {.threads = threads});
}

void add_sequence(const Sequence& sequence, const ChannelScales& scales, Index blocks, int threads,
                  BlockSums& sums) {
  const Index channels = scales.input.size() + scales.output.size();
  const Index most = std::min(kBlocksAtOnce, (sequence.length + blocks - 1) / blocks);
  MatrixXd stretch(blocks * channels, most + 1);
  for (Index begin = 0; begin < sequence.length; begin += blocks * kBlocksAtOnce) {
    const Index left = (sequence.length - begin + blocks - 1) / blocks;
    const Index count = std::min(left, kBlocksAtOnce);
    Eigen::Map<MatrixXd> samples(stretch.data(), channels, blocks * (count + 1));
    fill_samples(sequence, scales, begin, samples);
    add_stretch(stretch.leftCols(count + 1), blocks, channels,
                sequence.length < kLongRecord ? 1 : threads, sums);
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

// Adds the running sum of w(i) w(j)ᵀ, as it was before, to one block after another.
void add_running(const MatrixXd& samples, Index i, Index j, MatrixXd& sum,
                 Eigen::Ref<MatrixXd> block) {
  block += sum;
  for (Index b = 0; b < sum.cols(); ++b) {
    const double right = samples(b, j);
    for (Index a = 0; a < sum.rows(); ++a) sum(a, b) += samples(a, i) * right;
  }
}

// Adds the Gram matrix of the columns of the padded Hankel matrix that reach beyond an end of the
// record, blocks on and below the diagonal. Along a diagonal it grows by one product a block:
//   B(i+1,j+1) = B(i,j) + w(i) w(j)ᵀ,          B(i,0) = 0       for the begin,
//   E(i-1,j-1) = E(i,j) + w(N-2s+i) w(N-2s+j)ᵀ, E(2s-1,j) = 0   for the end.
void add_edges(const Sequence& sequence, const ChannelScales& scales, Index blocks,
               MatrixXd& edges) {
  const Index channels = scales.input.size() + scales.output.size();
  MatrixXd begin(channels, blocks);
  MatrixXd end(channels, blocks);
  fill_samples(sequence, scales, 0, begin);
  fill_samples(sequence, scales, sequence.length - blocks, end);
  const auto block = [&](Index i, Index j) {
    return edges.block(i * channels, j * channels, channels, channels);
  };
  MatrixXd sum(channels, channels);
  for (Index lag = 0; lag < blocks; ++lag) {
    sum.setZero();
    for (Index i = lag; i < blocks; ++i) add_running(begin, i, i - lag, sum, block(i, i - lag));
    sum.setZero();
    for (Index i = blocks - 1; i >= lag; --i) add_running(end, i, i - lag, sum, block(i, i - lag));
  }
}

// Places of the channels of one block row.
std::vector<Index> places(Index block, Index inputs, Index outputs, Index horizon) {
  std::vector<Index> result;
  for (Index c = 0; c < inputs + outputs; ++c) {
    result.push_back(hankel_row(block, c, inputs, outputs, horizon));
  }
  return result;
}

// Writes block (i, j) of the Gram matrix below the diagonal of the order of hankel_row().
void put_block(const MatrixXd& value, const std::vector<Index>& rows,
               const std::vector<Index>& columns, MatrixXd& G) {
  for (Index b = 0; b < value.cols(); ++b) {
    const Index column = columns[static_cast<std::size_t>(b)];
    for (Index a = 0; a < value.rows(); ++a) {
      const Index row = rows[static_cast<std::size_t>(a)];
      G(std::max(row, column), std::min(row, column)) = value(a, b);
    }
  }
}

}  // namespace

HankelGram hankel_gram(const std::vector<Sequence>& data, const ChannelScales& scales,
                       Index horizon, int threads) {
  const Index inputs = scales.input.size();
  const Index outputs = scales.output.size();
  const Index channels = inputs + outputs;
  const Index blocks = 2 * horizon;
  const Index size = blocks * channels;
  BlockSums sums{MatrixXd::Zero(size, size), MatrixXd::Zero(size, size)};
  MatrixXd edges = MatrixXd::Zero(size, size);
  for (const Sequence& sequence : data) {
    if (sequence.length < blocks) continue;
    add_sequence(sequence, scales, blocks, threads, sums);
    add_edges(sequence, scales, blocks, edges);
  }
  const MatrixXd S = lagged_products(sums, blocks, channels);
  HankelGram result{MatrixXd::Zero(size, size), 1.0};
  MatrixXd value(channels, channels);
  for (Index j = 0; j < blocks; ++j) {
    const std::vector<Index> columns = places(j, inputs, outputs, horizon);
    for (Index i = j; i < blocks; ++i) {
      value = S.middleCols((i - j) * channels, channels) -
              edges.block(i * channels, j * channels, channels, channels);
      put_block(value, places(i, inputs, outputs, horizon), columns, result.G);
    }
    for (Index c = 0; c < channels; ++c) {
      const double whole = S(c, c);
      const double edge = edges(j * channels + c, j * channels + c);
      if (whole > 0.0) result.edge_share = std::min(result.edge_share, 1.0 - edge / whole);
    }
  }
  return result;
}

}  // namespace alembert::identify::realisation
