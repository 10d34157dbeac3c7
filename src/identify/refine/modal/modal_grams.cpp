#include "identify/refine/modal/modal_grams.hpp"

#include <algorithm>

#include "core/algebra/blas.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// Long enough for the Gram product to run at full speed, short enough to stay in the cache.
constexpr Index kGramBlock = 256;

ModalSignals signals_of(const Fit& fit, const ModalCoefficients& coefficients, Index experiment) {
  const std::size_t e = static_cast<std::size_t>(experiment);
  return {coefficients.layout(),         fit.rule,        coefficients.poles(),
          coefficients.beta(experiment), fit.stencils[e], fit.data[e].input};
}

// The part of ascending samples in [first, first + count), counted from first.
std::vector<Index> inside(const std::vector<Index>& samples, Index first, Index count) {
  std::vector<Index> rows;
  for (auto it = std::lower_bound(samples.begin(), samples.end(), first);
       it != samples.end() && *it < first + count; ++it) {
    rows.push_back(*it - first);
  }
  return rows;
}

std::vector<Index> others(const std::vector<Index>& rows, Index count) {
  std::vector<Index> rest;
  for (Index row = 0; row < count; ++row) {
    if (!std::binary_search(rows.begin(), rows.end(), row)) rest.push_back(row);
  }
  return rest;
}

// The Gram matrix of a group is summed over its measured samples if they are the fewer ones, else
// over the missing ones and subtracted from that of all samples.
bool summed_directly(const OutputGroup& group, Index samples) {
  return 2 * static_cast<Index>(group.missing.size()) > samples;
}

void add_selected(const OutputGroup& group, Index samples, Index first,
                  const Eigen::Ref<const Eigen::MatrixXd>& block, Eigen::MatrixXd& gram) {
  std::vector<Index> rows = inside(group.missing, first, block.rows());
  if (summed_directly(group, samples)) rows = others(rows, block.rows());
  if (rows.empty()) return;
  const Eigen::MatrixXd selected = block(rows, Eigen::all);
  add_gram(selected, gram);
}

}  // namespace

ModalGrams modal_grams(const Fit& fit, const ModalCoefficients& coefficients, Index experiment,
                       const Eigen::MatrixXd& errors) {
  const std::vector<OutputGroup>& groups = fit.groups[static_cast<std::size_t>(experiment)];
  const Index samples = errors.rows();
  const Index columns = coefficients.layout().columns();
  ModalSignals signals = signals_of(fit, coefficients, experiment);
  ModalGrams result;
  result.grams.assign(groups.size(), Eigen::MatrixXd::Zero(columns, columns));
  result.products.setZero(columns, errors.cols());
  const bool whole_needed = std::any_of(groups.begin(), groups.end(), [&](const OutputGroup& g) {
    return !summed_directly(g, samples);
  });
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(columns, columns);
  Eigen::MatrixXd block(kGramBlock, columns);
  for (Index first = 0; first < samples; first += kGramBlock) {
    const Index count = std::min(kGramBlock, samples - first);
    if (count < kGramBlock) block.resize(count, columns);
    signals.fill(first, block);
    if (whole_needed) add_gram(block, whole);
    add_transposed_product(block, errors.middleRows(first, count), result.products);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      add_selected(groups[g], samples, first, block, result.grams[g]);
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!summed_directly(groups[g], samples)) result.grams[g] = whole - result.grams[g];
    result.grams[g] = dense::mirrored(result.grams[g]);
  }
  return result;
}

std::vector<Eigen::MatrixXd> modal_signal_factors(const Fit& fit,
                                                  const ModalCoefficients& coefficients,
                                                  Index experiment) {
  const std::size_t e = static_cast<std::size_t>(experiment);
  const std::vector<OutputGroup>& groups = fit.groups[e];
  const Index samples = fit.data[e].samples();
  const Index columns = coefficients.layout().columns();
  ModalSignals signals = signals_of(fit, coefficients, experiment);
  std::vector<Eigen::MatrixXd> factors(groups.size(), Eigen::MatrixXd(0, columns));
  // Four times the columns: the factor of the samples before adds a quarter to the work.
  const Index step = std::max(kGramBlock, 4 * columns);
  Eigen::MatrixXd block(step, columns);
  for (Index first = 0; first < samples; first += step) {
    const Index count = std::min(step, samples - first);
    if (count < step) block.resize(count, columns);
    signals.fill(first, block);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::vector<Index> rows = others(inside(groups[g].missing, first, count), count);
      Eigen::MatrixXd tall(factors[g].rows() + static_cast<Index>(rows.size()), columns);
      tall << factors[g], block(rows, Eigen::all);
      factors[g] = triangular_factor(tall);
    }
  }
  return factors;
}

}  // namespace alembert::identify
