#include "identify/subspace/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/core/parallel.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/subspace/equations.hpp"
#include "identify/subspace/innovation_filter.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Samples at once: the regressors of a block stay in the cache.
constexpr Index kInputBlock = 256;
// Samples of a piece that belong together; such segments are spread over the threads.
constexpr Index kSegment = 16 * kInputBlock;
constexpr std::size_t kSegmentsAtOnce = 16;
// Start states that a short or fast decaying record does not show are held at zero by this much of
// the unit diagonal.
constexpr double kStartRidge = 1e-13;
// Products of regressors follow from those with the inputs if no more than this is lost; the
// correction with the residuals restores it.
constexpr double kSafeSeparation = 1e-5;

// A positive semidefinite matrix scaled to unit diagonal and factorised.
struct ScaledFactor {
  VectorXd scale;
  Eigen::LDLT<MatrixXd> factor;

  ScaledFactor(const MatrixXd& matrix, double ridge) {
    scale = matrix.diagonal().cwiseMax(0.0).cwiseSqrt();
    scale = (scale.array() > 0.0).select(scale.cwiseInverse(), 1.0);
    MatrixXd unit = scale.asDiagonal() * matrix * scale.asDiagonal();
    unit.diagonal().array() += ridge;
    factor.compute(unit);
  }
  [[nodiscard]] MatrixXd solve(const MatrixXd& right) const {
    return scale.asDiagonal() * factor.solve(scale.asDiagonal() * right);
  }
  // Smallest against largest pivot: zero for a singular matrix.
  [[nodiscard]] double reciprocal_condition() const {
    const VectorXd pivots = factor.vectorD();
    return pivots.size() == 0 ? 1.0 : std::max(0.0, pivots.minCoeff() / pivots.maxCoeff());
  }
};

// The start state of a piece, eliminated from the normal equations.
struct StartPart {
  MatrixXd coupling;  // common unknowns x n
  MatrixXd reduced;   // start_matrix⁻¹ couplingᵀ
  ScaledFactor factor;
};

// Consecutive samples of a piece, with the filter's state before the first.
struct Segment {
  Index begin = 0, length = 0;
  FilterState state;
};

class Fitter {
 public:
  Fitter(const std::vector<Sequence>& data, const ChannelScales& scales, const RealModes& modes,
         const MatrixXd& H, bool feedthrough, int threads)
      : scales_(scales),
        modes_(modes),
        fast_(least_separation(modes) > kSafeSeparation),
        shapes_(modal_shapes(modes, H)),
        filter_(modes, scales.input.size()),
        unknowns_{modes.V.rows(), scales.input.size(), scales.output.size(), feedthrough},
        threads_(threads) {
    double radius = 0.0;
    for (const std::complex<double>& pole : modes.poles) radius = std::max(radius, std::abs(pole));
    pieces_ = pieces(data, radius);
    for (const Piece& piece : pieces_) segments_.push_back(segments_of(piece));
    common_ = VectorXd::Zero(unknowns_.count());
    starts_ = MatrixXd::Zero(unknowns_.order, static_cast<Index>(pieces_.size()));
  }

  // First solution: products of all regressors and outputs.
  double solve() {
    const Index width = filter_.columns().count();
    MatrixXd gram = MatrixXd::Zero(width, width);
    MatrixXd normal = MatrixXd::Zero(unknowns_.count(), unknowns_.count());
    MatrixXd sides = MatrixXd::Zero(unknowns_.order, static_cast<Index>(pieces_.size()));
    VectorXd side = VectorXd::Zero(unknowns_.count());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Products products = fast_ ? products_by_inputs(i) : products_by_sums(i);
      gram += products.own;
      eliminate(products.own, products.with, normal, sides, side);
    }
    normal += common_matrix(shapes_, filter_.columns(), unknowns_, gram);
    factor_.emplace(normal, 0.0);
    add_solution(sides, side);
    return factor_->reciprocal_condition();
  }

  // Residuals of the present solution; their covariance. With `correct` the solution is improved.
  MatrixXd refine(bool correct) {
    const Index width = filter_.columns().count();
    MatrixXd squares = MatrixXd::Zero(unknowns_.outputs, unknowns_.outputs);
    MatrixXd sides = MatrixXd::Zero(unknowns_.order, static_cast<Index>(pieces_.size()));
    VectorXd side = VectorXd::Zero(unknowns_.count());
    double samples = 0.0;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const MatrixXd weights = output_weights(shapes_, filter_.columns(), unknowns_, common_,
                                              starts_.col(static_cast<Index>(i)));
      // Sums of the regressors with the errors, and of the errors with each other below.
      const auto add = [&](const auto& block, MatrixXd& sum) {
        const MatrixXd errors =
            block.rightCols(unknowns_.outputs) - product(block.leftCols(width), weights);
        add_gram(errors, sum.bottomRows(unknowns_.outputs));
        if (correct) add_transposed_product(block.leftCols(width), errors, sum.topRows(width));
      };
      const MatrixXd sums = segment_sums(i, width + unknowns_.outputs, unknowns_.outputs, add).sum;
      squares += sums.bottomRows(unknowns_.outputs);
      const MatrixXd with = sums.topRows(width);
      samples += static_cast<double>(pieces_[i].length);
      side += common_side(shapes_, filter_.columns(), unknowns_, with);
      sides.col(static_cast<Index>(i)) = start_side(shapes_, filter_.columns(), with);
    }
    if (correct) {
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        side -= parts_[i].reduced.transpose() * sides.col(static_cast<Index>(i));
      }
      add_solution(sides, side);
    }
    const MatrixXd full = squares.selfadjointView<Eigen::Lower>();
    return full / std::max(1.0, samples);
  }

  [[nodiscard]] InputFit result(const MatrixXd& V, Index sequences) const {
    const Index n = unknowns_.order;
    InputFit fit;
    fit.G = V * common_.head(unknowns_.gains()).reshaped(n, unknowns_.inputs);
    fit.J = MatrixXd::Zero(unknowns_.outputs, unknowns_.inputs);
    if (unknowns_.feedthrough) {
      fit.J = common_.tail(unknowns_.count() - unknowns_.gains())
                  .reshaped(unknowns_.outputs, unknowns_.inputs);
    }
    fit.start = MatrixXd::Zero(n, sequences);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].begin == 0) {
        fit.start.col(pieces_[i].index) = V * starts_.col(static_cast<Index>(i));
      }
    }
    return fit;
  }

 private:
  // Products of the regressors with each other and with the outputs over a piece.
  struct Products {
    MatrixXd own, with;
  };

  Products products_by_sums(std::size_t piece) {
    const Index width = filter_.columns().count();
    const Index p = unknowns_.outputs;
    const MatrixXd sums =
        segment_sums(piece, width + p, width + p, [](const auto& block, MatrixXd& sum) {
          add_gram(block, sum);
        }).sum;
    return {sums.topLeftCorner(width, width).selfadjointView<Eigen::Lower>(),
            sums.bottomLeftCorner(p, width).transpose()};
  }

  Products products_by_inputs(std::size_t piece) {
    const Index width = filter_.columns().count();
    const Index m = unknowns_.inputs;
    const Index p = unknowns_.outputs;
    const SegmentSums found =
        segment_sums(piece, width, m + p, [&](const auto& block, MatrixXd& sum) {
          add_transposed_product(block.leftCols(width), block.rightCols(m + p), sum);
        });
    filter_.restart();
    const MatrixXd first = filter_.states();
    filter_.restart(found.last);
    return {products_from_inputs(modes_, filter_.columns(), found.sum.leftCols(m), first,
                                 filter_.states()),
            found.sum.rightCols(p)};
  }

  // Calls use(regressors and outputs) for the blocks of a segment; returns the state at its end.
  template <typename Use>
  FilterState each_block(const Piece& piece, const Segment& segment, const Use& use) const {
    const Index width = filter_.columns().count();
    ModalFilter filter(modes_, unknowns_.inputs);
    filter.restart(segment.state);
    MatrixXd block(kInputBlock, width + unknowns_.outputs);
    for (Index begin = 0; begin < segment.length; begin += kInputBlock) {
      const Index count = std::min(kInputBlock, segment.length - begin);
      if (count < kInputBlock) block.resize(count, Eigen::NoChange);
      fill_rows(piece.sequence, scales_, piece.begin + segment.begin + begin,
                block.middleCols(filter.columns().direct(), unknowns_.inputs),
                block.rightCols(unknowns_.outputs));
      filter.next(block.leftCols(width));
      use(block);
    }
    return filter.state();
  }

  [[nodiscard]] ParallelOptions parallel(const Piece& piece) const {
    return {.threads = piece.length < kLongRecord ? 1 : threads_};
  }

  // Σ over the segments of a piece of sums (rows x columns) that add(block, sum) makes.
  struct SegmentSums {
    MatrixXd sum;
    FilterState last;  // state after the piece
  };
  template <typename Add>
  SegmentSums segment_sums(std::size_t piece, Index rows, Index columns, const Add& add) const {
    const std::vector<Segment>& segments = segments_[piece];
    SegmentSums result{MatrixXd::Zero(rows, columns), {}};
    std::vector<MatrixXd> sums(std::min(segments.size(), kSegmentsAtOnce));
    // A few at a time, so that memory does not grow with the record.
    for (std::size_t first = 0; first < segments.size(); first += sums.size()) {
      const std::size_t count = std::min(sums.size(), segments.size() - first);
      parallel_for(
          count,
          [&](std::size_t i) {
            sums[i].setZero(rows, columns);
            FilterState end = each_block(pieces_[piece], segments[first + i],
                                         [&](const auto& block) { add(block, sums[i]); });
            if (first + i + 1 == segments.size()) result.last = std::move(end);
          },
          parallel(pieces_[piece]));
      for (std::size_t i = 0; i < count; ++i) result.sum += sums[i];
    }
    return result;
  }

  // The segments of a piece. Their states follow from the responses of each to its inputs alone.
  std::vector<Segment> segments_of(const Piece& piece) {
    const Index count = std::max<Index>(1, (piece.length + kSegment - 1) / kSegment);
    filter_.restart();
    FilterState state = filter_.state();
    FilterState zero = state;
    zero.real.setZero();
    std::vector<Segment> segments(static_cast<std::size_t>(count));
    std::vector<FilterState> forced(segments.size());
    parallel_for(
        segments.size(),
        [&](std::size_t s) {
          const Index begin = static_cast<Index>(s) * kSegment;
          segments[s] = {begin, std::min(kSegment, piece.length - begin), zero};
          if (s + 1 == segments.size()) return;
          forced[s] = each_block(piece, segments[s], [](const auto&) {});
        },
        parallel(piece));
    for (std::size_t s = 0; s < segments.size(); ++s) {
      segments[s].state = state;
      if (s + 1 == segments.size()) break;
      state = later_state(modes_, state, segments[s].length, forced[s]);
    }
    return segments;
  }

  // normal - C S⁻¹ Cᵀ and side - C S⁻¹ s for the start state of one piece.
  void eliminate(const MatrixXd& own, const MatrixXd& with, MatrixXd& normal, MatrixXd& sides,
                 VectorXd& side) {
    const auto& columns = filter_.columns();
    StartPart part{start_coupling(shapes_, columns, unknowns_, own),
                   {},
                   ScaledFactor(start_matrix(shapes_, columns, own), kStartRidge)};
    part.reduced = part.factor.solve(part.coupling.transpose());
    const Index i = static_cast<Index>(parts_.size());
    sides.col(i) = start_side(shapes_, columns, with);
    normal -= product(part.coupling, part.reduced);
    side +=
        common_side(shapes_, columns, unknowns_, with) - part.reduced.transpose() * sides.col(i);
    parts_.push_back(std::move(part));
  }

  void add_solution(const MatrixXd& sides, const VectorXd& side) {
    const VectorXd change = factor_->solve(side);
    common_ += change;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Index column = static_cast<Index>(i);
      starts_.col(column) += parts_[i].factor.solve(sides.col(column)) - parts_[i].reduced * change;
    }
  }

  const ChannelScales& scales_;
  const RealModes& modes_;
  bool fast_;
  ModalShapes shapes_;
  ModalFilter filter_;
  Unknowns unknowns_;
  int threads_;
  std::vector<Piece> pieces_;
  std::vector<std::vector<Segment>> segments_;  // of each piece
  std::vector<StartPart> parts_;
  std::optional<ScaledFactor> factor_;  // none until solve()
  VectorXd common_;
  MatrixXd starts_;  // modal, one column per piece
};

}  // namespace

InputFit fit_inputs(const std::vector<Sequence>& data, const ChannelScales& scales,
                    const RealModes& modes, const MatrixXd& H, bool feedthrough, int threads) {
  Fitter fitter(data, scales, modes, H, feedthrough, threads);
  const double reciprocal_condition = fitter.solve();
  MatrixXd covariance = fitter.refine(true);
  InputFit fit = fitter.result(modes.V, static_cast<Index>(data.size()));
  fit.covariance = std::move(covariance);
  fit.reciprocal_condition = reciprocal_condition;
  return fit;
}

}  // namespace alembert::identify::realisation
