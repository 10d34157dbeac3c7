#include "identify/output_error/window_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/optimize/detail/box_quadratic.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFirstWindowDamping = 1e-3;
constexpr double kLeastWindowDamping = 1e-12;
constexpr double kMostWindowDamping = 1e10;

// Root of the mean square length of the columns of each state over all windows.
VectorXd state_sizes(const WindowEquations& equations) {
  VectorXd squares = VectorXd::Zero(equations.blocks.front().g.size());
  for (const WindowEquations::Block& block : equations.blocks) squares += block.A.diagonal();
  squares /= static_cast<double>(equations.blocks.size());
  const double floor = 1e-12 * std::max(squares.maxCoeff(), std::numeric_limits<double>::min());
  return squares.cwiseMax(floor).cwiseSqrt();
}

class WindowDescent {
 public:
  WindowDescent(WindowProblem& problem, WindowPoint& point, const WindowSearchOptions& options)
      : problem_(problem), point_(point), options_(options) {}

  WindowSearchEnd run() {
    if (!problem_.linearise(point_, equations_)) return WindowSearchEnd::Infeasible;
    for (int step = 0; step < options_.max_steps; ++step) {
      if (options_.stop != nullptr && options_.stop->requested()) break;
      const double before = point_.cost;
      if (!improve()) return WindowSearchEnd::Settled;
      const double gain = before - point_.cost;
      if (gain <= options_.cost_tolerance * before && damping_ <= 1.0) {
        return WindowSearchEnd::Settled;
      }
    }
    return WindowSearchEnd::Unfinished;
  }

 private:
  // One accepted step, and the equations around its end; false if none lowers the cost. Most steps
  // are accepted, so that the slopes are found with the outputs.
  bool improve() {
    lengths_.conservativeResizeLike(VectorXd::Zero(equations_.g.size()));
    for (Index j = 0; j < lengths_.size(); ++j) {
      lengths_(j) = std::max(lengths_(j), std::sqrt(std::max(equations_.C(j, j), 0.0)));
    }
    sizes_ = state_sizes(equations_);
    double growth = 2.0;
    for (; damping_ <= kMostWindowDamping; damping_ *= growth, growth *= 2.0) {
      WindowPoint trial;
      double predicted = 0.0;
      if (!propose(trial, predicted) || !problem_.linearise(trial, trial_equations_)) {
        continue;
      }
      const double gain = point_.cost - trial.cost;
      if (!(gain > 0.0)) {
        if (predicted <= 1e-10 * point_.cost) return false;
        continue;
      }
      // Damping by the ratio of the real and the predicted gain [Nielsen1999].
      const double odd = 2.0 * gain / std::max(predicted, gain * 1e-3) - 1.0;
      damping_ = std::max(damping_ * std::max(0.1, 1.0 - odd * odd * odd), kLeastWindowDamping);
      point_ = std::move(trial);
      std::swap(equations_, trial_equations_);
      return true;
    }
    damping_ = kMostWindowDamping;
    return false;
  }

  bool propose(WindowPoint& trial, double& predicted) {
    const CondensedEquations condensed = condense(equations_, damping_, sizes_, solutions_);
    if (!condensed.definite) return false;
    const optimize::Transformation& map = problem_.map();
    const VectorXd x = map.to_free(point_.theta);
    // Box of the step in variables with columns of unit length.
    VectorXd unit = lengths_;
    for (double& length : unit) length = length > 0.0 ? length : 1.0;
    MatrixXd H = condensed.matrix;
    for (Index c = 0; c < H.cols(); ++c) {
      for (Index r = 0; r < H.rows(); ++r) H(r, c) /= unit(r) * unit(c);
      H(c, c) += std::max(damping_, 1e-14);
    }
    VectorXd z;
    if (!optimize::minimise_box_quadratic(H, condensed.gradient.cwiseQuotient(unit),
                                          (map.lower() - x).cwiseProduct(unit),
                                          (map.upper() - x).cwiseProduct(unit), z)) {
      return false;
    }
    const VectorXd step = z.cwiseQuotient(unit);
    const MatrixXd moves = back_substitute(solutions_, step);
    if (!step.allFinite() || !moves.allFinite()) return false;
    const VectorXd moved = (x + step).cwiseMax(map.lower()).cwiseMin(map.upper());
    map.to_parameters(moved, trial.theta);
    trial.states = point_.states + moves;
    predicted = gain_of(step, moves);
    return true;
  }

  // -(2 gᵀδ + δᵀHδ) of the whole system without damping.
  double gain_of(const VectorXd& step, const MatrixXd& moves) const {
    double sum = 2.0 * equations_.g.dot(step) + step.dot(equations_.C * step);
    for (std::size_t w = 0; w < equations_.blocks.size(); ++w) {
      const WindowEquations::Block& block = equations_.blocks[w];
      const VectorXd move = moves.col(static_cast<Index>(w));
      sum += 2.0 * (block.g.dot(move) + move.dot(block.B * step)) + move.dot(block.A * move);
      if (w + 1 < equations_.blocks.size()) {
        const VectorXd next = moves.col(static_cast<Index>(w) + 1);
        sum += 2.0 * move.dot(block.O * next);
      }
    }
    return -sum;
  }

  WindowProblem& problem_;
  WindowPoint& point_;
  WindowSearchOptions options_;
  WindowEquations equations_, trial_equations_;
  std::vector<MatrixXd> solutions_;
  VectorXd lengths_, sizes_;
  double damping_ = kFirstWindowDamping;
};

}  // namespace

CondensedEquations condense(const WindowEquations& equations, double damping, const VectorXd& sizes,
                            std::vector<MatrixXd>& solutions) {
  const Index n = equations.blocks.front().g.size();
  const Index q = equations.g.size();
  CondensedEquations result{equations.C, equations.g, true};
  solutions.resize(equations.blocks.size());
  // Rows of the window: its matrix, and the right sides (O, B, g), both after the windows before.
  MatrixXd A(n, n);
  MatrixXd sides(n, n + q + 1);
  MatrixXd carried = MatrixXd::Zero(n, n + q + 1);
  for (std::size_t w = 0; w < equations.blocks.size(); ++w) {
    const WindowEquations::Block& block = equations.blocks[w];
    A = block.A - carried.leftCols(n);
    A.diagonal() += damping * sizes.cwiseAbs2();
    sides << block.O, block.B - carried.middleCols(n, q), block.g - carried.col(n + q);
    const Eigen::LLT<MatrixXd> factor(A);
    if (factor.info() != Eigen::Success) {
      result.definite = false;
      return result;
    }
    solutions[w] = factor.solve(sides);
    // Oᵀ A⁻¹ (O, B, g) acts on the next window.
    carried.noalias() = block.O.transpose() * solutions[w];
    const MatrixXd bordered = sides.middleCols(n, q).transpose() * solutions[w];
    result.matrix -= bordered.middleCols(n, q);
    result.gradient -= bordered.col(n + q);
  }
  return result;
}

MatrixXd back_substitute(const std::vector<MatrixXd>& solutions, const VectorXd& step) {
  const Index n = solutions.front().rows();
  const Index q = step.size();
  MatrixXd moves(n, static_cast<Index>(solutions.size()));
  VectorXd next = VectorXd::Zero(n);
  for (Index w = moves.cols() - 1; w >= 0; --w) {
    const MatrixXd& solution = solutions[static_cast<std::size_t>(w)];
    next = (-solution.col(n + q) - solution.middleCols(n, q) * step - solution.leftCols(n) * next)
               .eval();
    moves.col(w) = next;
  }
  return moves;
}

WindowSearchEnd search_windows(WindowProblem& problem, WindowPoint& point,
                               const WindowSearchOptions& options) {
  return WindowDescent(problem, point, options).run();
}

}  // namespace alembert::identify
