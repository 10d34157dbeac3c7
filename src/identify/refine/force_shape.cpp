#include "identify/refine/force_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/signal/cosine_transform.hpp"
#include "alembert/signal/fft.hpp"
#include "core/algebra/blas.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr Index kShapeBefore = 4;  // samples before an impulse, for the interpolation of forces
constexpr Index kSections = 16;
// Median of χ² of one degree of freedom.
constexpr double kMedian = 0.4549364;

// Responses to a unit impulse at sample 0 of each force, samples x outputs; empty if not finite.
std::vector<MatrixXd> impulse_responses(const Fit& fit, const model::SecondOrder& system,
                                        Index length) {
  Experiments impulses;
  for (Index j = 0; j < fit.inputs(); ++j) {
    impulses.push_back({.input = MatrixXd::Zero(kShapeBefore + length, fit.inputs()),
                        .output = MatrixXd::Zero(kShapeBefore + length, fit.output_count()),
                        .step = fit.step});
    impulses.back().input(kShapeBefore, j) = 1.0;
  }
  const RefineOptions options{.method = fit.rule.method,
                              .hold = fit.rule.hold,
                              .gauss_stages = fit.rule.stages,
                              .free_start = false};
  const Fit alone("refine", impulses, fit.L, fit.outputs, options);
  const MatrixXd rest = MatrixXd::Zero(2 * fit.coordinates(), fit.inputs());
  std::vector<MatrixXd> responses = predicted(alone, system, rest);
  for (MatrixXd& one : responses) one = one.bottomRows(length).eval();
  return responses;
}

// Transforms of responses and sensitivities, long enough that nothing wraps around.
class Correlator {
 public:
  explicit Correlator(Index samples) : samples_(samples), plan_(room(samples)) {}

  [[nodiscard]] VectorXcd transform(const VectorXd& values) {
    VectorXd padded = VectorXd::Zero(plan_.length());
    padded.head(values.size()) = values;
    return plan_.forward_real(padded);
  }
  [[nodiscard]] VectorXd back(const VectorXcd& spectrum) {
    return plan_.inverse_real(spectrum).head(samples_);
  }

 private:
  static Index room(Index samples) {
    Index length = 1;
    while (length < 2 * samples) length *= 2;
    return length;
  }
  Index samples_;
  signal::FftPlan plan_;
};

using BlockPointers = std::vector<const optimize::ColouredBlock*>;

BlockPointers blocks_of(const std::vector<optimize::ColouredBlock>& blocks, int experiment) {
  BlockPointers result;
  for (const optimize::ColouredBlock& block : blocks) {
    if (block.experiment == experiment) result.push_back(&block);
  }
  return result;
}

// Σ_j A_jᵀ A_j of one experiment, A_j(s) = σ_j Σ_i Σ_{t >= s} w_i g_ij(t - s) J_i(t): the score of
// the response to a force of variance σ_j² at each sample s.
void add_scores(const BlockPointers& blocks, const std::vector<MatrixXd>& responses,
                const VectorXd& weights, const VectorXd& sizes, MatrixXd& sum) {
  const Index samples = blocks.front()->residual.size();
  const Index unknowns = sum.rows();
  Correlator correlator(samples);
  std::vector<MatrixXd> scores(responses.size(), MatrixXd(samples, unknowns));
  std::vector<std::vector<VectorXcd>> filters(responses.size());
  for (std::size_t j = 0; j < responses.size(); ++j) {
    for (const optimize::ColouredBlock* block : blocks) {
      const double size = sizes(static_cast<Index>(j)) * weights(block->channel);
      filters[j].push_back(
          correlator.transform(size * responses[j].col(block->channel).head(samples)));
    }
  }
  for (Index p = 0; p < unknowns; ++p) {
    std::vector<VectorXcd> columns;
    for (const optimize::ColouredBlock* block : blocks) {
      const VectorXd present = block->residual.array().isNaN().select(0.0, block->jacobian.col(p));
      columns.push_back(correlator.transform(present));
    }
    for (std::size_t j = 0; j < responses.size(); ++j) {
      VectorXcd total = VectorXcd::Zero(columns.front().size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        total += filters[j][i].conjugate().cwiseProduct(columns[i]);
      }
      scores[j].col(p) = correlator.back(total);
    }
  }
  for (const MatrixXd& one : scores) add_transposed_product(one, one, sum);
}

// w² Σ_j σ_j² |Σ_t g_ij(t) exp(-iωt)|² at the frequencies of the cosine bins, ω = πk/N per sample.
VectorXd spectrum_of(const optimize::ColouredBlock& block, const std::vector<MatrixXd>& responses,
                     double weight, const VectorXd& sizes) {
  const Index samples = block.residual.size();
  signal::FftPlan plan(2 * samples);
  VectorXd result = VectorXd::Zero(samples);
  for (std::size_t j = 0; j < responses.size(); ++j) {
    VectorXd padded = VectorXd::Zero(2 * samples);
    const double size = weight * sizes(static_cast<Index>(j));
    padded.head(samples) = size * responses[j].col(block.channel).head(samples);
    result += plan.forward_real(padded).head(samples).cwiseAbs2();
  }
  return result;
}

}  // namespace

optimize::NoiseShape force_shape(const Fit& fit, const model::SecondOrder& system,
                                 const std::vector<optimize::ColouredBlock>& blocks,
                                 const VectorXd& weights, const VectorXd& sizes) {
  optimize::NoiseShape shape;
  Index longest = 0;
  for (const optimize::ColouredBlock& block : blocks) {
    longest = std::max(longest, block.residual.size());
  }
  std::vector<MatrixXd> responses = impulse_responses(fit, system, longest);
  if (responses.empty()) return {};
  for (const optimize::ColouredBlock& block : blocks) {
    shape.spectra.push_back(spectrum_of(block, responses, weights(block.channel), sizes));
    if (!shape.spectra.back().allFinite()) return {};
  }
  shape.scores = [&blocks, weights, sizes, responses = std::move(responses),
                  experiments = fit.data.size()] {
    const Index unknowns = blocks.front().jacobian.cols();
    MatrixXd sum = MatrixXd::Zero(unknowns, unknowns);
    for (std::size_t e = 0; e < experiments; ++e) {
      const BlockPointers own = blocks_of(blocks, static_cast<int>(e));
      if (!own.empty()) add_scores(own, responses, weights, sizes, sum);
    }
    return sum;
  };
  return shape;
}

VectorXd force_sizes(const Experiments& data) {
  VectorXd squares = VectorXd::Zero(data.front().input.cols());
  double samples = 0.0;
  for (const Experiment& one : data) {
    squares += one.input.colwise().squaredNorm().transpose();
    samples += static_cast<double>(one.samples());
  }
  return (squares / samples).cwiseSqrt();
}

double share_of_noise(double variance) { return std::sqrt(variance / (1.0 + variance)); }

VectorXd force_floors(const Experiments& data) {
  VectorXd floors =
      VectorXd::Constant(data.front().input.cols(), std::numeric_limits<double>::infinity());
  for (const Experiment& one : data) {
    const MatrixXd bins = signal::cosine_transform(one.input);
    const Index width = one.samples() / kSections;
    if (width < 8) continue;
    for (Index j = 0; j < floors.size(); ++j) {
      for (Index section = 0; section < kSections; ++section) {
        VectorXd powers = bins.col(j).segment(section * width, width).cwiseAbs2();
        std::nth_element(powers.begin(), powers.begin() + width / 2, powers.end());
        // The median of the power of white noise is 0.455 of its variance.
        floors(j) = std::min(floors(j), std::sqrt(powers(width / 2) / kMedian));
      }
    }
  }
  return floors;
}

}  // namespace alembert::identify
