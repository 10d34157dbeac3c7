// Mesh-adaptive direct search, written here because Debian has no NOMAD [Audet2022] and NLopt has
// no method of this kind: it alone has a convergence theory for costs with kinks, jumps and failing
// evaluations. Choices follow NOMAD 4: granular mesh, orthogonal directions from a random
// Householder matrix, n + 1 poll points ordered by a quadratic model, model search, speculative
// search. Differs from NOMAD: the model is minimised in closed form where it is convex, in place of
// an inner direct search, and in two boxes; the Nelder-Mead search is left out; at a bound the
// whole cross is polled before a failure is declared.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/core/random.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "optimize/solvers/mads_mesh.hpp"
#include "optimize/solvers/quadratic_model.hpp"
#include "optimize/solvers/solvers.hpp"

namespace alembert::optimize {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSpeculation = 4.0;
constexpr double kSamePoint = 1e-13;
// The model is trusted far first; where that fails, it may still be right near the centre.
constexpr double kFarFrames = 4.0;
constexpr double kNearFrames = 0.5;
// A direction raises the rank if this part of it is orthogonal to those before it.
constexpr double kNewDirection = 1e-6;

// 0.1 (upper - lower) if both are finite, else |x - bound|/10, else |x|/10, else 1.
VectorXd first_frame(const Transformation& map, double first_step) {
  const VectorXd& x = map.start();
  VectorXd frame(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const double range = map.upper()(i) - map.lower()(i);
    const double below = x(i) - map.lower()(i);
    const double above = map.upper()(i) - x(i);
    const double to_bound = std::isfinite(below) ? below : std::isfinite(above) ? above : 0.0;
    double size = 1.0;
    if (std::isfinite(range)) {
      size = 0.1 * range;
    } else if (to_bound > 0.0) {
      size = 0.1 * to_bound;
    } else if (x(i) != 0.0) {
      size = 0.1 * std::abs(x(i));
    }
    if (first_step > 0.0) size = std::isfinite(range) ? std::min(first_step, range) : first_step;
    frame(i) = size;
  }
  return frame;
}

class Mads {
 public:
  explicit Mads(Evaluator& evaluator)
      : evaluator_(evaluator),
        mesh_(first_frame(evaluator.map(), evaluator.options().first_step)),
        random_(evaluator.options().seed),
        centre_(evaluator.map().start()) {}

  // In a curved valley with kinks the frame may shrink before the end is reached; so the search is
  // started again with the first frame, until that gains nothing.
  Search run() {
    const MadsMesh first_mesh = mesh_;
    cost_ = evaluator_.cost(centre_);
    cache_.push_back({centre_, cost_});
    const double first = cost_;
    for (int restarts = 0;; ++restarts) {
      const double before = cost_;
      shrink_frame();
      if (evaluator_.finished()) return {{Status::NotConverged, {}}, restarts};
      if (!std::isfinite(cost_)) return {{Status::NotFinite, {}}, restarts};
      const bool in_vain = restarts > 0 && !worth_a_restart(before, evaluator_, first);
      if (in_vain || restarts == evaluator_.options().max_restarts) return {{}, restarts};
      mesh_ = first_mesh;
      last_step_.resize(0);
    }
  }

 private:
  void shrink_frame() {
    while (!evaluator_.finished() && mesh_.largest_frame() >= evaluator_.options().step_tolerance) {
      iterate();
    }
  }

  void iterate() {
    const VectorXd before = centre_;
    has_model_ = model_.fit(cache_, centre_, frame());
    if (speculate() || search_model() || poll()) {
      last_step_ = centre_ - before;
      mesh_.enlarge(last_step_);
    } else {
      last_step_.resize(0);
      mesh_.refine();
    }
  }

  VectorXd frame() const {
    VectorXd size(centre_.size());
    for (Index i = 0; i < size.size(); ++i) size(i) = mesh_.frame(i);
    return size;
  }

  VectorXd inside(const VectorXd& x) const {
    return x.cwiseMax(evaluator_.map().lower()).cwiseMin(evaluator_.map().upper());
  }

  bool known(const VectorXd& x) const {
    return std::any_of(cache_.rbegin(), cache_.rend(), [&](const KnownPoint& point) {
      return (point.x - x).cwiseAbs().maxCoeff() <= kSamePoint * (1.0 + x.cwiseAbs().maxCoeff());
    });
  }

  // Evaluates a point that was not tried before; true if it is the new centre.
  bool improves(const VectorXd& x) {
    if (evaluator_.finished() || known(x)) return false;
    const double cost = evaluator_.cost(x);
    cache_.push_back({x, cost});
    if (!(cost < cost_)) return false;
    centre_ = x;
    cost_ = cost;
    return true;
  }

  // After a success: the same way again, four times as far from where it began.
  bool speculate() {
    if (last_step_.size() == 0) return false;
    const VectorXd target = centre_ + (kSpeculation - 1.0) * last_step_;
    return improves(inside(mesh_.snapped(target, centre_)));
  }

  // The model's minimiser within so many frames and among the points it was fitted to.
  VectorXd model_point(double frames) const {
    const VectorXd reach = frames * frame();
    const VectorXd low = model_.lower().cwiseMax(centre_ - reach);
    const VectorXd high = model_.upper().cwiseMin(centre_ + reach);
    const VectorXd best = model_.minimiser(inside(low), inside(high));
    return inside(mesh_.snapped(best, centre_));
  }

  bool search_model() {
    if (!has_model_) return false;
    return improves(model_point(kFarFrames)) || improves(model_point(kNearFrames));
  }

  // The columns of ±(I - 2 u uᵀ), u uniform on the sphere, as poll points.
  std::vector<VectorXd> poll_points() {
    const Index n = centre_.size();
    const VectorXd u = random_.normal_vector(n).normalized();
    std::vector<VectorXd> points;
    for (Index j = 0; j < n; ++j) {
      VectorXd v = -2.0 * u(j) * u;
      v(j) += 1.0;
      const VectorXd d = mesh_.scaled(v);
      points.push_back(inside(centre_ + d));
      points.push_back(inside(centre_ - d));
    }
    if (has_model_) {
      std::stable_sort(points.begin(), points.end(), [&](const VectorXd& a, const VectorXd& b) {
        return model_.value(a) < model_.value(b);
      });
    }
    return points;
  }

  // The first n points whose directions are independent; bounds may leave fewer.
  std::vector<VectorXd> independent(const std::vector<VectorXd>& points) const {
    const VectorXd size = frame();
    std::vector<VectorXd> kept, basis;
    for (const VectorXd& point : points) {
      VectorXd d = (point - centre_).cwiseQuotient(size);
      const double length = d.norm();
      for (const VectorXd& q : basis) d -= q.dot(d) * q;
      if (!(d.norm() > kNewDirection * length)) continue;
      basis.push_back(d.normalized());
      kept.push_back(point);
    }
    return kept;
  }

  // Whether d closes the cone: d = -Σ w_i (p_i - c) with all w_i > 0, so that d and the directions
  // span the space with positive weights.
  bool closes(const VectorXd& d, const std::vector<VectorXd>& points) const {
    const VectorXd size = frame();
    Eigen::MatrixXd directions(d.size(), static_cast<Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      directions.col(static_cast<Index>(i)) = (points[i] - centre_).cwiseQuotient(size);
    }
    const VectorXd weights = dense::least_squares(directions, -d.cwiseQuotient(size));
    return weights.minCoeff() > 0.0;
  }

  // One more point that closes the cone of the directions: the model's minimiser in the box of
  // minus their sum, and that sum itself where the minimiser leaves a side open.
  bool close_cone(const std::vector<VectorXd>& points) {
    VectorXd sum = VectorXd::Zero(centre_.size());
    for (const VectorXd& point : points) sum += point - centre_;
    const VectorXd opposite = centre_ - sum;
    if (has_model_ && !points.empty()) {
      const VectorXd low = centre_.cwiseMin(opposite).cwiseMax(centre_ - frame());
      const VectorXd high = centre_.cwiseMax(opposite).cwiseMin(centre_ + frame());
      const VectorXd best =
          inside(mesh_.snapped(model_.minimiser(inside(low), inside(high)), centre_));
      if (best != centre_ && improves(best)) return true;
      if (best != centre_ && closes(best - centre_, points)) return false;
    }
    return improves(inside(mesh_.snapped(opposite, centre_)));
  }

  bool poll() {
    const std::vector<VectorXd> all = poll_points();
    const std::vector<VectorXd> points = independent(all);
    for (const VectorXd& point : points) {
      if (improves(point)) return true;
    }
    if (close_cone(points)) return true;
    return poll_rest(all);
  }

  // At a bound the kept directions may all have been cut off, and without a finite cost there is
  // nothing to order them by: then the whole cross is polled.
  bool poll_rest(const std::vector<VectorXd>& points) {
    const bool cut = (centre_.array() <= evaluator_.map().lower().array()).any() ||
                     (centre_.array() >= evaluator_.map().upper().array()).any();
    if (!cut && std::isfinite(cost_) && has_model_) return false;
    return std::any_of(points.begin(), points.end(),
                       [&](const VectorXd& point) { return improves(point); });
  }

  Evaluator& evaluator_;
  MadsMesh mesh_;
  RandomStream random_;
  VectorXd centre_;
  double cost_ = kInfinity;
  std::vector<KnownPoint> cache_;
  QuadraticModel model_;
  bool has_model_ = false;
  VectorXd last_step_;
};

}  // namespace

Search search_mads(Evaluator& evaluator) { return Mads(evaluator).run(); }

}  // namespace alembert::optimize
