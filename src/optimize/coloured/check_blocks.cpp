#include "optimize/coloured/check_blocks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;

constexpr auto kColouredFunction = "coloured_covariance";

[[noreturn]] void reject_block(std::size_t number, std::string argument, std::string rule,
                               std::string value) {
  throw InvalidInput({.function = kColouredFunction,
                      .item = fmt::format("block {}", number),
                      .argument = std::move(argument),
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

void check_sizes(const ColouredBlock& block, std::size_t number, Index parameters) {
  if (block.residual.size() == 0) {
    reject_block(number, "residual", "must not be empty", "0 samples");
  }
  if (block.jacobian.rows() != block.residual.size()) {
    reject_block(number, "jacobian",
                 fmt::format("must have one row per residual ({})", block.residual.size()),
                 fmt::format("{} rows", block.jacobian.rows()));
  }
  if (block.jacobian.cols() != parameters) {
    reject_block(number, "jacobian",
                 fmt::format("must have as many columns as that of block 1 ({})", parameters),
                 fmt::format("{} columns", block.jacobian.cols()));
  }
}

void check_numbers(const ColouredBlock& block, std::size_t number) {
  for (Index t = 0; t < block.residual.size(); ++t) {
    if (std::isinf(block.residual(t))) {
      reject_block(number, fmt::format("residual {}", t + 1), "must be finite or NaN", "infinity");
    }
    if (!std::isnan(block.residual(t)) && !block.jacobian.row(t).allFinite()) {
      reject_block(number, fmt::format("row {} of the jacobian", t + 1),
                   "must be finite where the residual is not missing", "NaN or infinity");
    }
  }
}

// Channels of one experiment are compared bin by bin.
void check_experiments(const std::vector<ColouredBlock>& blocks) {
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ColouredBlock& block = blocks[i];
    if (!seen.insert({block.experiment, block.channel}).second) {
      reject_block(
          i + 1, "channel", "must be there once in each experiment",
          fmt::format("channel {} of experiment {} again", block.channel, block.experiment));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (blocks[j].experiment != block.experiment) continue;
      if (blocks[j].residual.size() == block.residual.size()) continue;
      reject_block(i + 1, "residual",
                   fmt::format("must be as long as that of block {}, of the same experiment ({})",
                               j + 1, blocks[j].residual.size()),
                   fmt::format("{} samples", block.residual.size()));
    }
  }
}

}  // namespace

Index present_samples(const Eigen::VectorXd& residual) {
  return residual.size() - residual.array().isNaN().count();
}

void check_coloured_blocks(const std::vector<ColouredBlock>& blocks, const Eigen::MatrixXd& prior) {
  check::at_least(kColouredFunction, "number of blocks", static_cast<long long>(blocks.size()), 1);
  const Index parameters = blocks.front().jacobian.cols();
  check::at_least(kColouredFunction, "number of columns of the jacobian", parameters, 1);
  Index samples = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    check_sizes(blocks[i], i + 1, parameters);
    check_numbers(blocks[i], i + 1);
    samples += present_samples(blocks[i].residual);
  }
  check_experiments(blocks);
  check::at_least(kColouredFunction, "number of samples", samples, parameters + 1);
  if (prior.size() > 0) {
    check::shape(kColouredFunction, "prior", prior, prior.rows(), parameters);
    check::all_finite(kColouredFunction, "prior", prior);
  }
}

void check_coloured_options(const ColouredOptions& options) {
  check::positive(kColouredFunction, "peak_threshold", options.peak_threshold);
  check::in_range(kColouredFunction, "peak_order", options.peak_order, 0.0, 100.0);
  check::positive(kColouredFunction, "tolerance", options.tolerance);
  check::positive(kColouredFunction, "rank_tolerance", options.rank_tolerance);
  check::at_least(kColouredFunction, "iterations", options.iterations, 1);
  check::positive(kColouredFunction, "freedom_factor", options.freedom_factor);
  check::non_negative(kColouredFunction, "slow_evidence", options.slow_evidence);
  check::in_range(kColouredFunction, "lower_limit_share", options.lower_limit_share, 0.0, 1.0);
  check::in_range(kColouredFunction, "unknown_share", options.unknown_share, 0.0, 1.0);
  check::non_negative(kColouredFunction, "unknown_freedom", options.unknown_freedom);
}

void check_noise_shape(const std::vector<ColouredBlock>& blocks, const NoiseShape& shape) {
  if (shape.spectra.empty()) return;
  check::size(kColouredFunction, "shape.spectra", static_cast<long long>(shape.spectra.size()),
              static_cast<long long>(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    check::size(kColouredFunction, "bins of a shape", shape.spectra[i].size(),
                blocks[i].residual.size());
    check::all_finite(kColouredFunction, "shape.spectra", shape.spectra[i]);
  }
}

}  // namespace alembert::optimize
