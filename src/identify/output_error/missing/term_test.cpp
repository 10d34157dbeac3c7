#include "identify/output_error/missing/term_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "alembert/core/not_a_number.hpp"
#include "alembert/optimize/student.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/experiment/noise_options.hpp"
#include "identify/output_error/statistics/coloured_statistics.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMissingRate = 1e-3;  // of sound records that show one, all terms together
// A column that is left with less than this of its length by those of the unknowns is one of them.
constexpr double kApartFrom = 1e-3;
// The noise is estimated for so many terms: those that explain most of the residuals.
constexpr Index kMostJudged = 12;
// From so many columns on the unknowns are projected off and not given to the noise, whose
// estimate would take seconds for each term.
constexpr Index kMostOwn = 40;

// All blocks as one system of rows that are there, columns of norm 1, with priors behind.
struct Rows {
  MatrixXd own;  // of parameters and start states
  MatrixXd terms;
  VectorXd residual, own_size, term_size;
};

Index rows_of(const TermColumns& columns) {
  Index count = columns.prior.rows();
  for (const optimize::ColouredBlock& block : columns.blocks) {
    count += block.residual.size() - block.residual.array().isNaN().count();
  }
  return count;
}

VectorXd scale_columns(MatrixXd& columns) {
  VectorXd size = columns.colwise().norm();
  for (Index j = 0; j < size.size(); ++j) {
    if (size(j) > 0.0) columns.col(j) /= size(j);
  }
  return size;
}

Rows stacked(const TermColumns& columns) {
  const auto p = static_cast<Index>(columns.names.size());
  const Index states = columns.blocks.front().jacobian.cols() - p - columns.terms;
  Rows rows{.own = MatrixXd::Zero(rows_of(columns), p + states),
            .terms = MatrixXd::Zero(rows_of(columns), columns.terms),
            .residual = VectorXd::Zero(rows_of(columns)),
            .own_size = {},
            .term_size = {}};
  Index row = 0;
  for (const optimize::ColouredBlock& block : columns.blocks) {
    for (Index k = 0; k < block.residual.size(); ++k) {
      if (std::isnan(block.residual(k))) continue;
      rows.own.row(row).head(p) = block.jacobian.row(k).head(p);
      rows.own.row(row).tail(states) = block.jacobian.row(k).tail(states);
      rows.terms.row(row) = block.jacobian.row(k).segment(p, columns.terms);
      rows.residual(row++) = block.residual(k);
    }
  }
  if (columns.prior.rows() > 0) {
    rows.own.bottomLeftCorner(columns.prior.rows(), p) = columns.prior;
    rows.residual.tail(columns.prior.rows()) = columns.prior_residual;
  }
  rows.own_size = scale_columns(rows.own);
  rows.term_size = scale_columns(rows.terms);
  return rows;
}

// The least-squares step in the parameters and in one coefficient q:  r + J g + z q  is smallest.
struct Step {
  bool own = true;  // z is a combination of J
  double q = 0.0;   // of the column of norm 1
  VectorXd g;       // likewise
  double gain = 0.0;
  VectorXd apart;  // z without its part in J
};

class Steps {
 public:
  explicit Steps(const Rows& rows) : rows_(rows), factor_(rows.own) {
    base_ = factor_.solve(rows.residual);
    left_ = rows.residual - rows.own * base_;
  }

  // With z' = z - J J⁺ z:  q = -z'ᵀr/z'ᵀz',  g = -J⁺ (r + z q).
  [[nodiscard]] Step with(Index term) const {
    Step step;
    const auto z = rows_.terms.col(term);
    const VectorXd inside = factor_.solve(z);
    step.apart = z - rows_.own * inside;
    const double length = step.apart.norm();
    step.own = !(length > kApartFrom);
    if (step.own) return step;
    step.q = -step.apart.dot(left_) / (length * length);
    step.g = -base_ - step.q * inside;
    step.gain = std::abs(step.q) * length / left_.norm();
    return step;
  }

 private:
  const Rows& rows_;
  Eigen::ColPivHouseholderQR<MatrixXd> factor_;
  VectorXd base_, left_;
};

// Blocks with the residuals after the step and the columns of the unknowns and of one term, or of
// the term alone without its part in the others.
std::vector<optimize::ColouredBlock> blocks_with(const TermColumns& columns, const Rows& rows,
                                                 const Step& step, Index term, bool alone) {
  const Index own = rows.own.cols();
  VectorXd left = rows.residual + rows.own * step.g + rows.terms.col(term) * step.q;
  std::vector<optimize::ColouredBlock> blocks;
  Index row = 0;
  for (const optimize::ColouredBlock& block : columns.blocks) {
    const Index samples = block.residual.size();
    optimize::ColouredBlock one{.jacobian = MatrixXd::Zero(samples, alone ? 1 : own + 1),
                                .residual = VectorXd::Constant(samples, kNaN),
                                .channel = block.channel,
                                .experiment = block.experiment};
    for (Index k = 0; k < samples; ++k) {
      if (std::isnan(block.residual(k))) continue;
      if (alone) {
        one.jacobian(k, 0) = step.apart(row);
      } else {
        one.jacobian.row(k) << rows.own.row(row), rows.terms(row, term);
      }
      one.residual(k) = left(row++);
    }
    blocks.push_back(std::move(one));
  }
  return blocks;
}

// Deviation and degrees of freedom of q, by the noise that is left with the term.
void judge_step(const TermColumns& columns, const Rows& rows, const Step& step, FoundTerm& found) {
  const Index own = rows.own.cols();
  const bool alone = own > kMostOwn;
  FittedColumns judged;
  judged.blocks = blocks_with(columns, rows, step, found.place, alone);
  judged.weighed = columns.weighed;
  optimize::ColouredOptions options = noise_options();
  if (columns.prior.rows() > 0 && !alone) {
    options.prior = MatrixXd::Zero(columns.prior.rows(), own + 1);
    options.prior.leftCols(own) = rows.own.bottomRows(columns.prior.rows());
  }
  optimize::ColouredCovariance noise = optimize::coloured_covariance(judged.blocks, options);
  if (noise.deviations.size() == 0) return;
  allow_for_weights(judged, noise);
  const Index last = noise.deviations.size() - 1;
  const double size = rows.term_size(found.place);
  found.term.coefficient = step.q / size;
  found.term.deviation = noise.deviations(last) / size;
  found.term.freedom = noise.freedom(last);
}

void find_shift(const TermColumns& columns, const Rows& rows, const Step& step,
                UnmodelledTerm& term) {
  for (std::size_t j = 0; j < columns.names.size(); ++j) {
    const auto at = static_cast<Index>(j);
    const double moved = step.g(at) / rows.own_size(at);
    const double shift = moved / columns.deviations(at);
    if (!std::isfinite(shift) || !(std::abs(shift) > std::abs(term.shift))) continue;
    term.parameter = columns.names[j];
    term.shift = shift;
    term.moved = moved;
  }
}

bool is_sure(const UnmodelledTerm& term, Index terms) {
  if (!(term.deviation > 0.0) || !std::isfinite(term.deviation) || !(term.freedom > 0.0)) {
    return false;
  }
  const double rate = kMissingRate / static_cast<double>(terms);
  return term.deviations() > optimize::student_quantile(1.0 - 0.5 * rate, term.freedom);
}

}  // namespace

VectorXd told_deviations(const std::vector<std::string>& names, const OutputErrorResult& result) {
  const optimize::EstimateStatistics& told = result.trusted();
  VectorXd found = VectorXd::Constant(static_cast<Index>(names.size()), kNaN);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto at = std::find(told.names.begin(), told.names.end(), names[j]);
    const Index i = at - told.names.begin();
    if (i < told.deviations.size()) found(static_cast<Index>(j)) = told.deviations(i);
  }
  return found;
}

std::vector<FoundTerm> test_terms(const TermColumns& columns) {
  std::vector<FoundTerm> found;
  if (columns.terms == 0 || columns.blocks.empty()) return found;
  const Rows rows = stacked(columns);
  if (rows.residual.size() < 4 * (rows.own.cols() + 1) || !rows.terms.allFinite()) return found;
  const Steps steps(rows);
  std::vector<Step> all;
  std::vector<Index> order;
  for (Index k = 0; k < columns.terms; ++k) {
    all.push_back(steps.with(k));
    if (!all.back().own) order.push_back(k);
  }
  const auto tried = static_cast<Index>(order.size());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return all[static_cast<std::size_t>(a)].gain > all[static_cast<std::size_t>(b)].gain;
  });
  order.resize(static_cast<std::size_t>(std::min(tried, kMostJudged)));
  for (const Index k : order) {
    const Step& step = all[static_cast<std::size_t>(k)];
    FoundTerm one{.place = k, .term = {}};
    judge_step(columns, rows, step, one);
    if (!is_sure(one.term, tried)) continue;
    find_shift(columns, rows, step, one.term);
    found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(), [](const FoundTerm& a, const FoundTerm& b) {
    return a.term.deviations() > b.term.deviations();
  });
  return found;
}

}  // namespace alembert::identify
