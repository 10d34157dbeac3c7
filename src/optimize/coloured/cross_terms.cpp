#include "optimize/coloured/cross_terms.hpp"

#include <cmath>
#include <utility>

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

// Over cosine bins, or the mean over them and sine bins.
MatrixXd pair_product(const BlockPair& pair, const VectorXd& weight) {
  const CosineBlock& one = *pair.first;
  const CosineBlock& two = *pair.second;
  const MatrixXd cosine = weighted_product(one.columns, two.columns, one.bands, weight);
  if (one.sine_columns.size() == 0) return cosine;
  return 0.5 *
         (cosine + weighted_product(one.sine_columns, two.sine_columns, one.sine_bands, weight));
}

}  // namespace

MatrixXd cross_terms(const std::vector<CosineBlock>& blocks, const CosineBands& bands,
                     const std::vector<BandSums>& sums, const std::vector<ChannelNoise>& noise) {
  const Index p = sums.front().rank;
  MatrixXd X = MatrixXd::Zero(p, p);
  if (sums.size() < 2) return X;
  const MatrixXd K = bands.triangle(12.0, 0.1);
  for (std::size_t one = 0; one < sums.size(); ++one) {
    for (std::size_t two = one + 1; two < sums.size(); ++two) {
      const auto pairs = pairs_of(blocks, sums[one].channel, sums[two].channel);
      const VectorXd size = noise[one].spectrum.cwiseProduct(noise[two].spectrum).cwiseSqrt();
      const VectorXd weight = coherence(pairs, K).cwiseProduct(size);
      for (const BlockPair& pair : pairs) X += pair_product(pair, weight);
    }
  }
  return X + X.transpose();
}

}  // namespace alembert::optimize
