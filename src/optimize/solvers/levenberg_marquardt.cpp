#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/optimize/detail/box_quadratic.hpp"
#include "optimize/solvers/second_order_part.hpp"
#include "optimize/solvers/solvers.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFirstDamping = 1e-3;
constexpr double kSmallestDamping = 1e-15;
constexpr double kLargestDamping = 1e15;
// After an infeasible trial the step is halved rather than damped: the cost says nothing there.
constexpr int kMaxHalvings = 30;
// Below this part of the first cost the fit is exact: towards a solution at which J is singular the
// steps would go on forever.
constexpr double kZeroResidual = 1e-28;
// After a step that raised the cost the next one is this part of it at least and at most; between
// them the parabola through what is known decides. Dampings are tried by this factor.
constexpr double kShortestPart = 0.05;
constexpr double kLongestPart = 0.7;
constexpr double kDampingStep = 1.5;
constexpr double kLeastRaisedDamping = 1e-6;

// Scaled normal equations around x: z = D (new x - x), D the length of the columns of J.
struct LocalModel {
  MatrixXd H;
  MatrixXd S;  // beside H, if it is used
  VectorXd g, lower, upper, D;

  void build(const NormalEquations& sums, const VectorXd& x, const Transformation& map,
             const SecondOrderPart& second) {
    const Index size = x.size();
    D.conservativeResizeLike(VectorXd::Zero(size));
    H.resize(size, size);
    g.resize(size);
    // The longest column so far, as MINPACK does, keeps the metric from collapsing where J does.
    for (Index j = 0; j < size; ++j) D(j) = std::max(D(j), std::sqrt(sums.matrix(j, j)));
    const VectorXd unit = D.unaryExpr([](double length) { return length > 0.0 ? length : 1.0; });
    for (Index j = 0; j < size; ++j) {
      g(j) = sums.gradient(j) / unit(j);
      for (Index i = j; i < size; ++i) H(i, j) = H(j, i) = sums.matrix(i, j) / (unit(i) * unit(j));
    }
    lower = (map.lower() - x).cwiseProduct(unit);
    upper = (map.upper() - x).cwiseProduct(unit);
    metric = unit;
    S = second.scaled(unit);
  }

  // The largest cosine between r and a column of J along which x can move.
  double optimality(const NormalEquations& sums) const {
    double largest = 0.0;
    for (Index j = 0; j < g.size(); ++j) {
      const bool blocked = (g(j) > 0.0 && lower(j) >= 0.0) || (g(j) < 0.0 && upper(j) <= 0.0);
      // Two roots: the product of both squares may leave the range of numbers.
      const double length = std::sqrt(sums.matrix(j, j)) * std::sqrt(sums.cost);
      if (!blocked && length > 0.0) {
        largest = std::max(largest, std::abs(sums.gradient(j)) / length);
      }
    }
    return largest;
  }

  // rᵀr - |r + J p|² for the step z = D p.
  double predicted(const VectorXd& z) const { return -(2.0 * g.dot(z) + z.dot(H * z)); }
  // The same with S.
  double predicted_with_second(const VectorXd& z) const { return predicted(z) - z.dot(S * z); }

  VectorXd metric;  // D without zeros
};

enum class Step { Taken, Small, None };

class LevenbergMarquardt {
 public:
  explicit LevenbergMarquardt(Evaluator& evaluator) : evaluator_(evaluator), x_(evaluator.best()) {}

  Outcome run() {
    const MinimiseOptions& options = evaluator_.options();
    cost_ = evaluator_.sums(x_, sums_);
    if (!std::isfinite(cost_)) return {Status::NotFinite, {}};
    const double first = cost_;
    while (!evaluator_.finished()) {
      if (cost_ <= kZeroResidual * first) return {};
      model_.build(sums_, x_, evaluator_.map(), second_);
      if (model_.optimality(sums_) <= options.gradient_tolerance) return {};
      const VectorXd x = x_, gradient = sums_.gradient;
      const Step step = improve();
      if (step == Step::Small) return {};
      if (step == Step::None) return no_progress();
      if (!refresh()) return no_progress();
      second_.update(x_ - x, sums_.gradient - gradient, sums_.matrix);
    }
    return {Status::NotConverged, {}};
  }

 private:
  // At a kink the derivatives promise a gain that no step brings. If the step that they ask for is
  // below a tenth of a standard deviation, predicted gain <= noise_tolerance σ², the data cannot
  // tell the difference.
  Outcome no_progress() {
    const Index freedom = sums_.count - x_.size();
    VectorXd z;
    damping_ = kSmallestDamping;
    with_second_ = false;
    if (freedom > 0 && solve(z) &&
        model_.predicted(z) <=
            evaluator_.options().noise_tolerance * cost_ / static_cast<double>(freedom)) {
      return {};
    }
    return {Status::NotConverged,
            fmt::format("levenberg-marquardt: no step lowers the cost, though the largest cosine "
                        "between residual and Jacobian is {:.1e}; check the Jacobian, or try mads",
                        model_.optimality(sums_))};
  }

  // Solves (H + μ I) z = -g in the box, with S beside H where that predicts better.
  bool solve(VectorXd& z) const {
    MatrixXd damped = model_.H;
    if (with_second_) damped += model_.S;
    damped.diagonal().array() += damping_;
    return minimise_box_quadratic(damped, model_.g, model_.lower, model_.upper, z);
  }

  VectorXd moved(const VectorXd& z) const {
    VectorXd x = x_ + z.cwiseQuotient(model_.metric);
    return x.cwiseMax(evaluator_.map().lower()).cwiseMin(evaluator_.map().upper());
  }

  // Normal equations at the new x; the Jacobian may be infeasible where the cost alone was not.
  bool refresh() {
    if (!with_sums_) {
      return std::isfinite(evaluator_.sums(x_, sums_)) || evaluator_.finished();
    }
    std::swap(sums_, trial_);
    return true;
  }

  // Cost at x + z, with z halved until it is feasible.
  double try_step(VectorXd& z, VectorXd& x) {
    double value = kInfinity;
    x = x_;  // if a stop is requested before the first trial
    for (int halvings = 0; halvings < kMaxHalvings && !evaluator_.finished(); ++halvings) {
      x = moved(z);
      value = with_sums_ ? evaluator_.sums(x, trial_) : evaluator_.cost(x);
      if (std::isfinite(value)) break;
      z *= 0.5;
      damping_ = std::min(4.0 * std::max(damping_, kFirstDamping), kLargestDamping);
    }
    return value;
  }

  // Raises the damping until the step is shorter, as the parabola asks for that has the cost and
  // its slope here and the cost that the step led to.
  void shorten(const VectorXd& z, double value) {
    const double slope = 2.0 * model_.g.dot(z);
    const double curve = value - cost_ - slope;
    const double part = std::clamp(-slope / (2.0 * curve), kShortestPart, kLongestPart);
    VectorXd shorter;
    damping_ = std::max(damping_, kLeastRaisedDamping);
    do {
      damping_ *= kDampingStep;
    } while (damping_ < kLargestDamping && (!solve(shorter) || shorter.norm() > part * z.norm()));
  }

  // Damping by the ratio of the real and the predicted gain. Differs from [Nielsen1999]: falls to a
  // tenth at once where the model is good (there to a third), and after a
  // step that raised the cost grows until the next one is as long as a parabola asks for (there by
  // 2, 4, 8).
  Step improve() {
    const MinimiseOptions& options = evaluator_.options();
    double growth = 2.0;
    VectorXd z, x;
    // Where steps succeed at once the Jacobian is wanted there, and the cost alone is not.
    with_sums_ = !evaluator_.has_cost() || at_once_;
    at_once_ = true;
    while (damping_ <= kLargestDamping && !evaluator_.finished()) {
      if (!solve(z)) {
        damping_ *= growth *= 2.0;
        continue;
      }
      const double value = try_step(z, x);
      const double plain = model_.predicted(z), second = model_.predicted_with_second(z);
      const double predicted = with_second_ ? second : plain;
      const double gain = cost_ - value;
      if (std::isfinite(value)) with_second_ = std::abs(gain - second) < std::abs(gain - plain);
      const bool short_step = (x - x_).cwiseAbs().maxCoeff() <= options.step_tolerance;
      const bool small = predicted <= options.cost_tolerance * cost_ &&
                         std::abs(gain) <= options.cost_tolerance * cost_;
      // A step that is small by damping alone does not mean arrival.
      const bool free_step = damping_ <= 1.0;
      if (!(gain > 0.0)) {
        if (short_step || (small && std::isfinite(value))) {
          return free_step ? Step::Small : Step::None;
        }
        with_sums_ = !evaluator_.has_cost();
        at_once_ = false;
        if (std::isfinite(value)) {
          shorten(z, value);
        } else {
          damping_ *= growth *= 2.0;
        }
        continue;
      }
      const double ratio = predicted > 0.0 ? gain / predicted : 1.0;
      const double cube = (2.0 * ratio - 1.0) * (2.0 * ratio - 1.0) * (2.0 * ratio - 1.0);
      damping_ = std::max(damping_ * std::max(0.1, 1.0 - cube), kSmallestDamping);
      x_ = x;
      cost_ = value;
      return small && free_step ? Step::Small : Step::Taken;
    }
    return Step::None;
  }

  Evaluator& evaluator_;
  VectorXd x_;
  double cost_ = kInfinity;
  double damping_ = kFirstDamping;
  NormalEquations sums_, trial_;
  LocalModel model_;
  SecondOrderPart second_;
  bool with_second_ = false;  // S predicted the last cost better than JᵀJ alone
  bool with_sums_ = true;     // a trial computes its normal equations too
  bool at_once_ = true;       // the last step was the first trial
};

}  // namespace

Search search_levenberg_marquardt(Evaluator& evaluator) {
  return {LevenbergMarquardt(evaluator).run(), 0};
}

}  // namespace alembert::optimize
