#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/optimize/group_scatter.hpp"
#include "alembert/signal/cosine_transform.hpp"
#include "core/algebra/decompositions.hpp"
#include "optimize/coloured/sine_bins.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// One channel of a piece with the start states eliminated. Missing samples are zero.
struct PieceRows {
  int channel = 0;
  MatrixXd columns;  // p
  VectorXd residual;
};

std::vector<PieceRows> rows_of(const std::vector<ColouredBlock>& blocks, const DataPiece& piece) {
  std::vector<PieceRows> rows;
  for (const ColouredBlock& block : blocks) {
    if (block.experiment != piece.experiment) continue;
    PieceRows one{.channel = block.channel,
                  .columns = block.jacobian.middleRows(piece.first, piece.count),
                  .residual = block.residual.segment(piece.first, piece.count)};
    for (Index t = 0; t < piece.count; ++t) {
      if (!std::isnan(one.residual(t))) continue;
      one.residual(t) = 0.0;
      one.columns.row(t).setZero();
    }
    rows.push_back(std::move(one));
  }
  return rows;
}

// The columns from p on that are not zero, all channels one below the other.
MatrixXd own_columns(const std::vector<PieceRows>& rows, Index p, Index count) {
  std::vector<Index> places;
  for (Index j = p; j < rows.front().columns.cols(); ++j) {
    const bool used = std::any_of(rows.begin(), rows.end(), [&](const PieceRows& one) {
      return !one.columns.col(j).isZero(0.0);
    });
    if (used) places.push_back(j);
  }
  MatrixXd own(count * static_cast<Index>(rows.size()), static_cast<Index>(places.size()));
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      own.col(static_cast<Index>(k)).segment(static_cast<Index>(c) * count, count) =
          rows[c].columns.col(places[k]);
    }
  }
  return own;
}

// Keeps the first p columns, without what the start states of the piece explain of them.
void eliminate_starts(Index p, Index count, std::vector<PieceRows>& rows) {
  const MatrixXd own = own_columns(rows, p, count);
  MatrixXd kept(own.rows(), p);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    kept.middleRows(static_cast<Index>(c) * count, count) = rows[c].columns.leftCols(p);
  }
  if (own.cols() > 0) {
    const Eigen::ColPivHouseholderQR<MatrixXd> starts(own);
    MatrixXd left = starts.householderQ().transpose() * kept;
    left.topRows(starts.rank()).setZero();
    kept = starts.householderQ() * left;
  }
  for (std::size_t c = 0; c < rows.size(); ++c) {
    rows[c].columns = kept.middleRows(static_cast<Index>(c) * count, count);
  }
}

// S of each bin k of a transform, at the frequency (k + shift)/(2N) cycles per sample.
VectorXd spectrum_at(const NoiseSpectrum& noise, Index bins, Index shift) {
  VectorXd result(bins);
  const VectorXd& f = noise.frequency;
  for (Index k = 0; k < bins; ++k) {
    const double at = 0.5 * static_cast<double>(k + shift) / static_cast<double>(bins);
    const Index above = std::lower_bound(f.begin(), f.end(), at) - f.begin();
    const Index below = std::max(Index{0}, above - 1);
    const bool nearer_above = above < f.size() && f(above) - at < at - f(below);
    result(k) = noise.noise(nearer_above ? above : below);
  }
  return result;
}

// cov Jᵀe of noise with this spectrum: the mean over cosine and sine bins.
MatrixXd noise_of_scores(const MatrixXd& columns, const NoiseSpectrum& noise) {
  const Index N = columns.rows();
  const MatrixXd cosine =
      spectrum_at(noise, N, 0).cwiseSqrt().asDiagonal() * signal::cosine_transform(columns);
  const MatrixXd sine = spectrum_at(noise, N, 1).cwiseSqrt().asDiagonal() * sine_transform(columns);
  return 0.5 * (cosine.transpose() * cosine + sine.transpose() * sine);
}

const NoiseSpectrum& spectrum_of(const std::vector<NoiseSpectrum>& noise, int channel) {
  return *std::find_if(noise.begin(), noise.end(),
                       [&](const NoiseSpectrum& one) { return one.channel == channel; });
}

// Whether a piece goes on where another ends.
bool follows(const DataPiece& next, const DataPiece& before) {
  return next.experiment == before.experiment && next.first == before.first + before.count;
}

struct PieceSums {
  std::vector<PieceRows> rows;
  MatrixXd information;
};

// Σ C over runs of pieces that follow each other: their noise does too.
MatrixXd noise_of_group(const std::vector<DataPiece>& pieces, const std::vector<PieceSums>& sums,
                        std::size_t first, std::size_t end,
                        const std::vector<NoiseSpectrum>& noise) {
  const Index p = sums.front().information.rows();
  MatrixXd result = MatrixXd::Zero(p, p);
  for (std::size_t i = first; i < end;) {
    std::size_t last = i + 1;
    while (last < end && follows(pieces[last], pieces[last - 1])) ++last;
    const Index count = pieces[last - 1].first + pieces[last - 1].count - pieces[i].first;
    for (std::size_t c = 0; c < sums[i].rows.size(); ++c) {
      MatrixXd columns(count, p);
      for (std::size_t k = i; k < last; ++k) {
        columns.middleRows(pieces[k].first - pieces[i].first, pieces[k].count) =
            sums[k].rows[c].columns;
      }
      result += noise_of_scores(columns, spectrum_of(noise, sums[i].rows[c].channel));
    }
    i = last;
  }
  return result;
}

std::vector<PieceSums> sums_of(const std::vector<ColouredBlock>& blocks, Index parameters,
                               const std::vector<DataPiece>& pieces) {
  std::vector<PieceSums> sums;
  for (const DataPiece& piece : pieces) {
    PieceSums one{.rows = rows_of(blocks, piece),
                  .information = MatrixXd::Zero(parameters, parameters)};
    if (!one.rows.empty()) eliminate_starts(parameters, piece.count, one.rows);
    for (const PieceRows& rows : one.rows) {
      one.information += rows.columns.transpose() * rows.columns;
    }
    sums.push_back(std::move(one));
  }
  return sums;
}

// The group of each piece: neighbours, of about equal tr(A_g A⁻¹).
std::vector<Index> group_of_pieces(const std::vector<PieceSums>& sums, Index most) {
  MatrixXd A = sums.front().information;
  for (std::size_t i = 1; i < sums.size(); ++i) A += sums[i].information;
  const VectorXd scale = A.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<MatrixXd> solver(scale.asDiagonal() * A * scale.asDiagonal());
  VectorXd leverage(static_cast<Index>(sums.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const MatrixXd scaled = scale.asDiagonal() * sums[i].information * scale.asDiagonal();
    leverage(static_cast<Index>(i)) = solver.solve(scaled).trace();
  }
  const Index count = std::min(most, leverage.size());
  std::vector<Index> groups;
  double before = 0.0;
  for (const double one : leverage) {
    const double middle = (before + 0.5 * one) / leverage.sum();
    groups.push_back(std::min(count - 1, static_cast<Index>(static_cast<double>(count) * middle)));
    before += one;
  }
  return groups;
}

}  // namespace

std::vector<DataPiece> whole_experiments(const std::vector<ColouredBlock>& blocks) {
  std::vector<DataPiece> pieces;
  for (const ColouredBlock& block : blocks) {
    const bool known = std::any_of(pieces.begin(), pieces.end(), [&](const DataPiece& piece) {
      return piece.experiment == block.experiment;
    });
    if (!known) pieces.push_back({block.experiment, 0, block.residual.size()});
  }
  return pieces;
}

std::vector<ScoreGroup> score_groups(const std::vector<ColouredBlock>& blocks, Index parameters,
                                     const std::vector<DataPiece>& pieces,
                                     const std::vector<NoiseSpectrum>& noise, Index most) {
  check::at_least("score_groups", "number of pieces", static_cast<long long>(pieces.size()), 1);
  const std::vector<PieceSums> sums = sums_of(blocks, parameters, pieces);
  const std::vector<Index> number = group_of_pieces(sums, most);
  std::vector<ScoreGroup> groups;
  for (std::size_t first = 0; first < sums.size();) {
    std::size_t end = first;
    ScoreGroup group{.information = MatrixXd::Zero(parameters, parameters),
                     .score = VectorXd::Zero(parameters),
                     .noise = {}};
    for (; end < sums.size() && number[end] == number[first]; ++end) {
      group.information += sums[end].information;
      for (const PieceRows& rows : sums[end].rows) {
        group.score += rows.columns.transpose() * rows.residual;
      }
    }
    group.noise = noise_of_group(pieces, sums, first, end, noise);
    groups.push_back(std::move(group));
    first = end;
  }
  return groups;
}

}  // namespace alembert::optimize
