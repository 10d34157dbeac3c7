#pragma once

#include <utility>

#include "alembert/estimate/detail/filter_base.hpp"
#include "alembert/estimate/sigma_points.hpp"

namespace alembert::estimate {

/// Options of the sigma-point filters.
struct SigmaPointOptions {
  GateOptions gate = {};
};

/// Takes angles to the branch nearest to that of the first column, so that linear means and
/// differences are those on the circle; right while the points span less than half a turn.
template <typename Matrix, typename IsAngle, typename Size>
void unwrap_rows(Matrix& values, const IsAngle& is_angle, Size rows, int columns) noexcept {
  for (int i = 0; i < rows; ++i) {
    if (!is_angle(i)) continue;
    for (int k = 1; k < columns; ++k) {
      values(i, k) = values(i, 0) + wrap_angle(values(i, k) - values(i, 0));
    }
  }
}

/// What the sigma-point filters of both forms share: the set, the points and their way through the
/// model. The filter itself draws the points into at_.
template <typename Filter, typename Model, int Count, Form form>
class SampledFilter : public FilterBase<Filter, Model, form> {
  using Base = FilterBase<Filter, Model, form>;

 public:
  using typename Base::Input;
  using typename Base::OutputNoise;
  using typename Base::Scalar;
  using typename Base::State;
  using typename Base::StateMatrix;

 protected:
  using Points = Eigen::Matrix<Scalar, Base::kN, Count>;
  using OutputPoints = Eigen::Matrix<Scalar, Base::kM, Count>;
  using Weights = Eigen::Matrix<Scalar, Count, 1>;

  SampledFilter(Model model, const State& mean, const StateMatrix& covariance,
                const SigmaPoints& set, const SigmaPointOptions& options)
      : Base(std::move(model), options.gate) {
    check_points(set, states_of(model_), Count);
    unit_ = set.points.cast<Scalar>();
    mean_weights_ = set.mean_weights.cast<Scalar>();
    weights_ = set.covariance_weights.cast<Scalar>();
    at_ = Y_ = Points::Zero(states_of(model_), set.count());
    Z_ = OutputPoints::Zero(outputs_of(model_), set.count());
    this->set_estimate(mean, covariance);
  }

  /// Number of points, as a constant where it is one.
  [[nodiscard]] auto count() const noexcept { return kernels::extent<Count>(unit_.cols()); }

  /// Y_i = f(u, X_i); their mean in next_, their differences from it in Y_.
  void map_states(const Input& u) noexcept {
    const auto n = states_of(model_);
    const auto size = static_cast<std::size_t>(int{n});
    for (int k = 0; k < count(); ++k) {
      model_.process(u, std::span<const Scalar>(&at_(0, k), size),
                     std::span<Scalar>(&Y_(0, k), size));
    }
    if constexpr (kHasStateAngles<Model>) {
      unwrap_rows(
          Y_, [&](int i) { return model_.state_is_angle(i); }, n, count());
    }
    kernels::centre(Y_, mean_weights_, next_, n, count());
  }

  /// Z_i = h(u, X_i); their mean in y_, their differences from it in Z_.
  void map_outputs(const Input& u) noexcept {
    const auto m = outputs_of(model_);
    Scalar share = Scalar(1);
    if constexpr (kCountsUnreached<Model>) {
      if (!map_reachable(u)) share = draw_together(u);
    } else {
      for (int k = 0; k < count(); ++k) output_at(u, &at_(0, k), &Z_(0, k));
    }
    if constexpr (kHasOutputAngles<Model>) {
      unwrap_rows(
          Z_, [&](int i) { return model_.output_is_angle(i); }, m, count());
    }
    if (share < Scalar(1)) extrapolate(share);
    kernels::centre(Z_, mean_weights_, y_, m, count());
  }

  /// (Σ c_k δZ_k δZ_kᵀ + R)_ii
  [[nodiscard]] Scalar output_variance(int row, const OutputNoise& r) const noexcept {
    Scalar variance = r.covariance()(row, row);
    for (int k = 0; k < count(); ++k) variance += weights_(k) * Z_(row, k) * Z_(row, k);
    return variance;
  }

  using Base::belief_;
  using Base::model_;
  using Base::next_;
  using Base::y_;

 private:
  static constexpr int kMostCuts = 8;

  void output_at(const Input& u, const Scalar* x, Scalar* y) noexcept {
    const auto n = static_cast<std::size_t>(int{states_of(model_)});
    const auto m = static_cast<std::size_t>(int{outputs_of(model_)});
    model_.output(u, std::span<const Scalar>(x, n), std::span<Scalar>(y, m));
  }

  /// Z_k = h(u, X_k); false if the model has no output at one of them.
  [[nodiscard]] bool map_reachable(const Input& u) noexcept {
    const auto before = model_.unreached();
    for (int k = 0; k < count(); ++k) output_at(u, &at_(0, k), &Z_(0, k));
    return model_.unreached() == before;
  }

  /// All points come nearer to the mean, by quarters, until the model has an output at each:
  /// X_k = x + s δX_k, Z_k = h(u, X_k), and h(u, x) in y_. Returns s.
  /// Without output at the mean itself nothing is changed, and s is 1.
  [[nodiscard]] Scalar draw_together(const Input& u) noexcept {
    const auto before = model_.unreached();
    output_at(u, &belief_.mean(0), &y_(0));
    if (model_.unreached() != before) return Scalar(1);
    Scalar share = Scalar(1);
    for (int cut = 0; cut < kMostCuts; ++cut) {
      share *= Scalar(0.25);
      for (int k = 0; k < count(); ++k) {
        for (int i = 0; i < states_of(model_); ++i) {
          at_(i, k) = belief_.mean(i) + Scalar(0.25) * (at_(i, k) - belief_.mean(i));
        }
      }
      if (map_reachable(u)) return share;
    }
    for (int k = 0; k < count(); ++k) mirror_if_unreached(u, k);
    return share;
  }

  /// On the very edge the other side of the mean serves: Z_k = 2 h(x) - h(2x - X_k), or h(x) if the
  /// model has no output there either.
  void mirror_if_unreached(const Input& u, int k) noexcept {
    const auto before = model_.unreached();
    output_at(u, &at_(0, k), &Z_(0, k));
    if (model_.unreached() == before) return;
    for (int i = 0; i < states_of(model_); ++i) {
      at_(i, k) = belief_.mean(i) - (at_(i, k) - belief_.mean(i));
    }
    const auto again = model_.unreached();
    output_at(u, &at_(0, k), &Z_(0, k));
    const bool reached = model_.unreached() == again;
    for (int i = 0; i < outputs_of(model_); ++i) {
      Z_(i, k) = reached ? y_(i) - (Z_(i, k) - y_(i)) : y_(i);
    }
  }

  /// Z_k = h(x) + (h(x + s δX_k) - h(x))/s: the outputs go on in straight lines where there are
  /// none, so that their differences belong to those of the states.
  void extrapolate(Scalar share) noexcept {
    for (int i = 0; i < outputs_of(model_); ++i) {
      if constexpr (kHasOutputAngles<Model>) {
        // Z is on the branch of its first column.
        if (model_.output_is_angle(i)) {
          y_(i) = Z_(i, 0) + wrap_angle(y_(i) - Z_(i, 0));
        }
      }
      for (int k = 0; k < count(); ++k) {
        Z_(i, k) = y_(i) + (Z_(i, k) - y_(i)) / share;
      }
    }
  }

 protected:
  Points unit_;  // χ_i
  Points at_;    // X_i
  Points Y_;
  Weights mean_weights_, weights_;  // a_i, c_i
  OutputPoints Z_;
};

}  // namespace alembert::estimate
