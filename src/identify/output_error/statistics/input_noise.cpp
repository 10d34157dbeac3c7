#include "identify/output_error/statistics/input_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/objective.hpp"
#include "alembert/signal/cosine_transform.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/force_shape.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Blocks = std::vector<optimize::ColouredBlock>;

// Draws of noise, each with both signs: with neighbouring bins together the spectrum of the
// response has some 16 degrees of freedom.
constexpr int kPairs = 6;
constexpr std::uint64_t kSeed = 20261118;
// Of the rms of an input: small enough for a linear response, and far above rounding.
constexpr double kSmall = 1e-2;
// A shift of half a deviation leaves 92 of 100 intervals of 95 % right.
constexpr double kMatters = 0.5;
constexpr std::size_t kNamed = 4;

Experiments disturbed(const Experiments& data, const VectorXd& sizes, int pair) {
  Experiments result = data;
  std::uint64_t stream = static_cast<std::uint64_t>(pair) * data.size();
  for (Experiment& one : result) {
    RandomStream random(kSeed, stream++);
    for (Index j = 0; j < sizes.size(); ++j) {
      one.input.col(j) += sizes(j) * random.normal_vector(one.samples());
    }
  }
  return result;
}

VectorXd present(const optimize::ColouredBlock& block) {
  return block.residual.array().isNaN().select(0.0, block.residual);
}

// (S_{k-1} + 2 S_k + S_{k+1})/4, mirrored at the ends as the cosine transform is.
VectorXd smoothed(const VectorXd& S) {
  const Index last = S.size() - 1;
  VectorXd result(S.size());
  for (Index k = 0; k <= last; ++k) {
    result(k) = 0.25 * (S(std::max<Index>(k - 1, 0)) + 2.0 * S(k) + S(std::min(k + 1, last)));
  }
  return result;
}

// Spectra and scores of the response to noise of the sizes, from draws of it.
optimize::NoiseShape response_shape(const Experiments& data, const Blocks& at_estimate,
                                    const VectorXd& sizes, const BlocksOf& blocks_of) {
  const Index p = at_estimate.front().jacobian.cols();
  std::vector<VectorXd> spectra;
  for (const optimize::ColouredBlock& block : at_estimate) {
    spectra.emplace_back(VectorXd::Zero(block.residual.size()));
  }
  MatrixXd scores = MatrixXd::Zero(p, p);
  for (int pair = 0; pair < kPairs; ++pair) {
    const Blocks more = blocks_of(disturbed(data, kSmall * sizes, pair));
    const Blocks less = blocks_of(disturbed(data, -kSmall * sizes, pair));
    VectorXd score = VectorXd::Zero(p);
    for (std::size_t b = 0; b < spectra.size(); ++b) {
      const VectorXd response = (present(more[b]) - present(less[b])) / (2.0 * kSmall);
      spectra[b] += signal::cosine_transform(response).cwiseAbs2() / kPairs;
      score += at_estimate[b].jacobian.transpose() * response;
    }
    scores += score * score.transpose() / kPairs;
  }
  optimize::NoiseShape shape;
  for (const VectorXd& one : spectra) {
    if (!one.allFinite()) return {};
    shape.spectra.push_back(smoothed(one));
  }
  shape.scores = [scores] { return scores; };
  return shape;
}

VectorXd gradient_of(const Blocks& blocks) {
  VectorXd sum = VectorXd::Zero(blocks.front().jacobian.cols());
  for (const auto& block : blocks) sum += block.jacobian.transpose() * present(block);
  return sum;
}

// The Gauss-Newton step from the estimate to that of disturbed inputs.
VectorXd step_to(const Blocks& blocks, const MatrixXd& prior, const VectorXd& gradient) {
  MatrixXd H = prior.transpose() * prior;
  for (const auto& block : blocks) H += block.jacobian.transpose() * block.jacobian;
  return -dense::positive_solve(H, gradient_of(blocks) - gradient);
}

// As much noise again moves the estimate about as far again: the bias is that of its variance.
VectorXd extrapolated_shift(const Experiments& data, const FittedColumns& columns,
                            const VectorXd& sizes, const BlocksOf& blocks_of) {
  const VectorXd gradient = gradient_of(columns.blocks);
  VectorXd shift = VectorXd::Zero(gradient.size());
  for (int pair = 0; pair < kPairs; ++pair) {
    for (const double sign : {1.0, -1.0}) {
      const Blocks blocks = blocks_of(disturbed(data, sign * sizes, pair));
      shift -= step_to(blocks, columns.prior, gradient) / (2.0 * kPairs);
    }
  }
  return shift;
}

}  // namespace

InputNoise find_input_noise(const Experiments& data, const FittedColumns& columns,
                            const optimize::ColouredOptions& options, const BlocksOf& blocks_of) {
  InputNoise result;
  const VectorXd sizes = force_sizes(data);
  if (sizes.size() == 0 || !sizes.allFinite() || !(sizes.maxCoeff() > 0.0)) return result;
  try {
    optimize::ColouredOptions with_shape = options;
    with_shape.shape = response_shape(data, columns.blocks, sizes, blocks_of);
    if (with_shape.shape.spectra.empty()) return result;
    const double size =
        std::sqrt(optimize::coloured_covariance(columns.blocks, with_shape).shape_size);
    if (!(size > 0.0)) return result;
    const VectorXd level = (size * sizes).cwiseMin(force_floors(data));
    result.shift = extrapolated_shift(data, columns, level, blocks_of);
    result.size = result.shift.allFinite() ? size : 0.0;
  } catch (const optimize::Infeasible&) {
    result = {};
  }
  return result;
}

std::string input_noise_words(const InputNoise& noise, const FittedColumns& columns,
                              const VectorXd& deviations) {
  std::vector<std::string> biased;
  for (Index j = 0; noise.size > 0.0 && j < deviations.size(); ++j) {
    const double share = std::abs(noise.shift(j) / deviations(j));
    if (!(share > kMatters)) continue;
    const double value = columns.values(j);
    // Where the value without the noise lies.
    biased.push_back(fmt::format(
        "{} too {} by {:.2g} % or {:.2g} deviations", columns.names[static_cast<std::size_t>(j)],
        noise.shift(j) * value < 0.0 ? "large" : "small",
        100.0 * std::abs(noise.shift(j) / value), share));
  }
  if (biased.empty()) return "";
  if (biased.size() > kNamed) {
    biased.resize(kNamed);
    biased.emplace_back("others too");
  }
  return fmt::format(
      "the residuals are those of inputs that differ from the measured ones by {:.2g} %; if that "
      "is noise of the sensors of the inputs, the estimates are biased ({}): measure this noise at "
      "rest, or repeat a periodic input and average",
      100.0 * noise.size, join(biased, ", "));
}

}  // namespace alembert::identify
