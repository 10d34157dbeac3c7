#include "optimize/coloured/cross_terms.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "core/algebra/blas.hpp"
#include "optimize/coloured/sine_bins.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using BlockPair = std::pair<const CosineBlock*, const CosineBlock*>;

// Blocks of both channels from the same experiment.
std::vector<BlockPair> pairs_of(const std::vector<CosineBlock>& blocks, int one, int two) {
  std::vector<BlockPair> pairs;
  for (const CosineBlock& first : blocks) {
    for (const CosineBlock& second : blocks) {
      const bool same = first.experiment == second.experiment;
      if (same && first.channel == one && second.channel == two) {
        pairs.emplace_back(&first, &second);
      }
    }
  }
  return pairs;
}

VectorXd band_products(const VectorXd& one, const VectorXd& two, const std::vector<Index>& bands,
                       Index count) {
  VectorXd sum = VectorXd::Zero(count);
  for (Index k = 0; k < one.size(); ++k) sum(bands[static_cast<std::size_t>(k)]) += one(k) * two(k);
  return sum;
}

// coh = (K r1 r2)/√((K r1²)(K r2²))
VectorXd coherence(const std::vector<BlockPair>& pairs, const MatrixXd& K) {
  VectorXd both = VectorXd::Zero(K.rows());
  VectorXd one = both;
  VectorXd two = both;
  for (const auto& [first, second] : pairs) {
    const auto products = [&, &bands = first->bands](const VectorXd& a, const VectorXd& b) {
      return band_products(a, b, bands, K.rows());
    };
    both += products(first->residual, second->residual);
    one += products(first->residual, first->residual);
    two += products(second->residual, second->residual);
  }
  const VectorXd size = ((K * one).cwiseProduct(K * two)).cwiseSqrt();
  const VectorXd product = K * both;
  return (size.array() > 0.0).select(product.array() / size.array(), 0.0).matrix();
}

// Σ w Q1 of all channels before that of one block. One product with its Q2 is then enough: a
// product for each pair of channels would cost as many times more.
struct Partners {
  MatrixXd columns;       // over cosine bins
  MatrixXd sine_columns;  // over sine bins, where they are asked for
};

void add_weighted(const MatrixXd& columns, const std::vector<Index>& bands, const VectorXd& weight,
                  MatrixXd& sum) {
  if (columns.size() == 0) return;
  if (sum.size() == 0) sum = MatrixXd::Zero(columns.rows(), columns.cols());
  sum += weight_of_bins(bands, weight).asDiagonal() * columns;
}

// X + Xᵀ of one block with its partners: over cosine bins, or the mean over them and sine bins.
void add_products(const CosineBlock& block, const Partners& partners, MatrixXd& X) {
  if (partners.columns.size() == 0) return;
  MatrixXd sum = MatrixXd::Zero(X.rows(), X.cols());
  add_transposed_product(partners.columns, block.columns, sum);
  if (partners.sine_columns.size() > 0) {
    add_transposed_product(partners.sine_columns, block.sine_columns, sum);
    sum *= 0.5;
  }
  X += sum + sum.transpose();
}

}  // namespace

MatrixXd cross_terms(const std::vector<CosineBlock>& blocks, const CosineBands& bands,
                     const std::vector<BandSums>& sums, const std::vector<ChannelNoise>& noise) {
  const Index p = sums.front().rank;
  MatrixXd X = MatrixXd::Zero(p, p);
  if (sums.size() < 2) return X;
  const MatrixXd K = bands.triangle(12.0, 0.1);
  for (std::size_t two = 1; two < sums.size(); ++two) {
    std::map<const CosineBlock*, Partners> partners;
    for (std::size_t one = 0; one < two; ++one) {
      const auto pairs = pairs_of(blocks, sums[one].channel, sums[two].channel);
      const VectorXd size = noise[one].spectrum.cwiseProduct(noise[two].spectrum).cwiseSqrt();
      const VectorXd weight = coherence(pairs, K).cwiseProduct(size);
      for (const auto& [first, second] : pairs) {
        Partners& sum = partners[second];
        add_weighted(first->columns, first->bands, weight, sum.columns);
        add_weighted(first->sine_columns, first->sine_bands, weight, sum.sine_columns);
      }
    }
    for (const CosineBlock& block : blocks) {
      if (block.channel == sums[two].channel) add_products(block, partners[&block], X);
    }
  }
  return X;
}

}  // namespace alembert::optimize
