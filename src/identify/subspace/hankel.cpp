#include "identify/subspace/hankel.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/lapack.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// Rounding in the Gram matrix, eps relative to a unit diagonal, moves a pivot of its Cholesky
// factor by eps / pivot: above this square of the smallest pivot the triangle has nine digits.
constexpr double kSafePivot = 1e-7;
// Added to the unit diagonal where it is not: directions of the input below √ridge of its size are
// then treated as absent. The dimension times eps is 1e-13 for 600 rows.
constexpr double kRidge = 1e-12;
// What those directions carry must be small against the noise in the outputs: pivots of Y_f above
// this, that is noise above 1e-4 of the signal, a hundred times √ridge.
constexpr double kNoisePivot = 1e-8;
// Gram entries that are left of much larger sums have lost their digits.
constexpr double kSmallestShare = 1e-2;

struct GramTriangle {
  MatrixXd L;
  bool good = false;
};

// The Cholesky factor of the Gram matrix with unit diagonal, scaled back.
GramTriangle factor(const MatrixXd& unit, const Eigen::VectorXd& size, double ridge, Index outputs,
                    double least_all, double least_outputs) {
  GramTriangle result;
  result.L = unit;
  result.L.diagonal().array() += ridge;
  if (!cholesky_in_place(result.L)) return result;
  const Eigen::VectorXd pivots = result.L.diagonal().array().square();
  result.good = pivots.minCoeff() >= least_all && pivots.tail(outputs).minCoeff() >= least_outputs;
  result.L = size.asDiagonal() * result.L;
  return result;
}

GramTriangle gram_triangle(const HankelGram& gram, Index outputs, bool exact_inverse, bool forced) {
  Eigen::VectorXd size = gram.G.diagonal().cwiseMax(0.0).cwiseSqrt();
  size = (size.array() > 0.0).select(size, 1.0);
  const Eigen::VectorXd inverse = size.cwiseInverse();
  const MatrixXd unit = inverse.asDiagonal() * gram.G * inverse.asDiagonal();
  GramTriangle result = factor(unit, size, 0.0, outputs, kSafePivot, 0.0);
  if (!result.good && !exact_inverse) {
    result = factor(unit, size, kRidge, outputs, 0.0, kNoisePivot);
  }
  if (!result.good && forced) result = factor(unit, size, kRidge, outputs, 0.0, 0.0);
  result.good = result.good && (forced || gram.edge_share >= kSmallestShare);
  return result;
}

double root_mean_square(const Experiments& data, bool input, Index channel) {
  double sum = 0.0;
  double count = 0.0;
  for (const Experiment& experiment : data) {
    const MatrixXd& samples = input ? experiment.input : experiment.output;
    sum += samples.col(channel).squaredNorm();
    count += static_cast<double>(samples.rows());
  }
  const double rms = std::sqrt(sum / std::max(1.0, count));
  return rms > 0.0 ? rms : 1.0;
}

}  // namespace

std::vector<Sequence> sequences(const Experiments& data, Index stride) {
  std::vector<Sequence> result;
  for (const Experiment& experiment : data) {
    for (Index first = 0; first < std::min(stride, experiment.samples()); ++first) {
      result.push_back(
          {&experiment, first, stride, (experiment.samples() - first + stride - 1) / stride});
    }
  }
  return result;
}

ChannelScales channel_scales(const Experiments& data) {
  ChannelScales scales{Eigen::VectorXd(data.front().input.cols()),
                       Eigen::VectorXd(data.front().output.cols())};
  for (Index c = 0; c < scales.input.size(); ++c) scales.input(c) = root_mean_square(data, true, c);
  for (Index c = 0; c < scales.output.size(); ++c) {
    scales.output(c) = root_mean_square(data, false, c);
  }
  return scales;
}

Index hankel_columns(const std::vector<Sequence>& data, Index horizon) {
  Index columns = 0;
  for (const Sequence& sequence : data) {
    columns += std::max<Index>(0, sequence.length - 2 * horizon + 1);
  }
  return columns;
}

void fill_samples(const Sequence& sequence, const ChannelScales& scales, Index begin,
                  Eigen::Ref<MatrixXd> samples) {
  const Index inputs = scales.input.size();
  const Index valid = std::clamp<Index>(sequence.length - begin, 0, samples.cols());
  const auto copy = [&](const MatrixXd& source, Index channel, double scale, Index row) {
    const double* from = source.col(channel).data() + sequence.first + begin * sequence.stride;
    for (Index k = 0; k < valid; ++k) samples(row, k) = from[k * sequence.stride] / scale;
  };
  for (Index c = 0; c < inputs; ++c) copy(sequence.experiment->input, c, scales.input(c), c);
  for (Index c = 0; c < scales.output.size(); ++c) {
    copy(sequence.experiment->output, c, scales.output(c), inputs + c);
  }
  samples.rightCols(samples.cols() - valid).setZero();
}

void fill_rows(const Sequence& sequence, const ChannelScales& scales, Index begin,
               Eigen::Ref<MatrixXd> inputs, Eigen::Ref<MatrixXd> outputs) {
  const auto copy = [&](const MatrixXd& source, Index channel, double scale, double* to,
                        Index count) {
    const double* from = source.col(channel).data() + sequence.first + begin * sequence.stride;
    for (Index k = 0; k < count; ++k) to[k] = from[k * sequence.stride] / scale;
  };
  for (Index c = 0; c < inputs.cols(); ++c) {
    copy(sequence.experiment->input, c, scales.input(c), inputs.col(c).data(), inputs.rows());
  }
  for (Index c = 0; c < outputs.cols(); ++c) {
    copy(sequence.experiment->output, c, scales.output(c), outputs.col(c).data(), outputs.rows());
  }
}

Index hankel_row(Index block, Index channel, Index inputs, Index outputs, Index horizon) {
  const bool future = block >= horizon;
  if (channel < inputs) {
    return (future ? block - horizon : horizon + block) * inputs + channel;
  }
  // Y_p and Y_f follow each other in the order of the blocks.
  return 2 * horizon * inputs + block * outputs + channel - inputs;
}

Compression compress(const std::vector<Sequence>& data, const ChannelScales& scales, Index horizon,
                     bool exact_inverse, CompressionWay way, int threads) {
  Compression result;
  result.inputs = scales.input.size();
  result.outputs = scales.output.size();
  result.horizon = horizon;
  result.columns = hankel_columns(data, horizon);
  if (way != CompressionWay::Orthogonal) {
    GramTriangle triangle =
        gram_triangle(hankel_gram(data, scales, horizon, threads), horizon * result.outputs,
                      exact_inverse, way == CompressionWay::Gram);
    result.by_gram = triangle.good;
    if (triangle.good) result.L = std::move(triangle.L);
  }
  if (!result.by_gram) result.L = hankel_triangle(data, scales, horizon);
  return result;
}

}  // namespace alembert::identify::realisation
