#include "identify/output_error/statistics/input_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/objective.hpp"
#include "alembert/signal/fft.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/force_shape.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Blocks = std::vector<optimize::ColouredBlock>;

// Draws of noise on all inputs together, and at least so many on each of them; each with both
// signs.
constexpr int kPairs = 6;
constexpr int kPairsOfEach = 2;
constexpr std::uint64_t kSeed = 20261118;
// Of the rms of an input: small enough for a linear response, and far above rounding.
constexpr double kSmall = 1e-2;
// A shift of half a deviation leaves 92 of 100 intervals of 95 % right.
constexpr double kMatters = 0.5;
constexpr std::size_t kNamed = 4;

// Noise of variance 1 on one input of one experiment.
VectorXd draw_of(Index samples, std::size_t experiment, Index input, int pair) {
  const RandomStream all(kSeed, experiment);
  RandomStream random =
      all.child(static_cast<std::uint64_t>(input)).child(static_cast<std::uint64_t>(pair));
  return random.normal_vector(samples);
}

Experiments disturbed(const Experiments& data, const VectorXd& sizes, int pair) {
  Experiments result = data;
  for (std::size_t e = 0; e < data.size(); ++e) {
    for (Index j = 0; j < sizes.size(); ++j) {
      if (sizes(j) == 0.0) continue;
      result[e].input.col(j) += sizes(j) * draw_of(data[e].samples(), e, j, pair);
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

// |Σ_t x(t) exp(-iωt)|² at the frequencies of the cosine bins, ω = πk/N per sample.
VectorXd powers_of(const VectorXd& values) {
  signal::FftPlan plan(2 * values.size());
  VectorXd padded = VectorXd::Zero(2 * values.size());
  padded.head(values.size()) = values;
  return plan.forward_real(padded).head(values.size()).cwiseAbs2();
}

// What noise on input j of the size σ_j does, from draws of it: its spectrum σ_j² |Δy|²/|v|² is
// that of a filter without the chance of the draws, and Jᵀ R J is the mean over the draws.
void add_response(const Experiments& data, const Blocks& at_estimate, const VectorXd& sizes,
                  int pairs, const BlocksOf& blocks_of, std::vector<VectorXd>& spectra,
                  MatrixXd& scores) {
  Index input = 0;
  sizes.maxCoeff(&input);
  std::vector<VectorXd> answers, draws;
  for (int pair = 0; pair < pairs; ++pair) {
    const Blocks more = blocks_of(disturbed(data, kSmall * sizes, pair));
    const Blocks less = blocks_of(disturbed(data, -kSmall * sizes, pair));
    VectorXd score = VectorXd::Zero(scores.rows());
    for (std::size_t b = 0; b < spectra.size(); ++b) {
      const VectorXd answer = (present(more[b]) - present(less[b])) / (2.0 * kSmall);
      const auto e = static_cast<std::size_t>(at_estimate[b].experiment);
      const VectorXd noise = draw_of(answer.size(), e, input, pair);
      if (pair == 0) {
        answers.push_back(powers_of(answer));
        draws.push_back(powers_of(noise));
      } else {
        answers[b] += powers_of(answer);
        draws[b] += powers_of(noise);
      }
      score += at_estimate[b].jacobian.transpose() * answer;
    }
    scores += score * score.transpose() / pairs;
  }
  for (std::size_t b = 0; b < spectra.size(); ++b) {
    spectra[b] += smoothed(answers[b]).cwiseQuotient(smoothed(draws[b]));
  }
}

// The response to noise of the sizes on all inputs.
optimize::NoiseShape response_shape(const Experiments& data, const Blocks& at_estimate,
                                    const VectorXd& sizes, const BlocksOf& blocks_of) {
  const Index p = at_estimate.front().jacobian.cols();
  optimize::NoiseShape shape;
  for (const optimize::ColouredBlock& block : at_estimate) {
    shape.spectra.emplace_back(VectorXd::Zero(block.residual.size()));
  }
  MatrixXd scores = MatrixXd::Zero(p, p);
  const int pairs = std::max(kPairsOfEach, kPairs / static_cast<int>(sizes.size()));
  for (Index j = 0; j < sizes.size(); ++j) {
    if (sizes(j) == 0.0) continue;
    VectorXd alone = VectorXd::Zero(sizes.size());
    alone(j) = sizes(j);
    add_response(data, at_estimate, alone, pairs, blocks_of, shape.spectra, scores);
  }
  const bool finite = std::all_of(shape.spectra.begin(), shape.spectra.end(),
                                  [](const VectorXd& one) { return one.allFinite(); });
  if (!finite) return {};
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
    const double variance = optimize::coloured_covariance(columns.blocks, with_shape).shape_size;
    if (!(variance > 0.0)) return result;
    const VectorXd level = (std::sqrt(variance) * sizes).cwiseMin(force_floors(data));
    result.shift = extrapolated_shift(data, columns, level, blocks_of);
    result.size = result.shift.allFinite() ? share_of_noise(variance) : 0.0;
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
    biased.push_back(fmt::format("{} too {} by {:.2g} % or {:.2g} deviations",
                                 columns.names[static_cast<std::size_t>(j)],
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
