#pragma once

#include <utility>

#include "alembert/estimate/filter_base.hpp"
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
    const auto n = static_cast<std::size_t>(int{states_of(model_)});
    const auto m = outputs_of(model_);
    const auto size = static_cast<std::size_t>(int{m});
    for (int k = 0; k < count(); ++k) {
      model_.output(u, std::span<const Scalar>(&at_(0, k), n), std::span<Scalar>(&Z_(0, k), size));
    }
    if constexpr (kHasOutputAngles<Model>) {
      unwrap_rows(
          Z_, [&](int i) { return model_.output_is_angle(i); }, m, count());
    }
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
  Points unit_;  // χ_i
  Points at_;    // X_i
  Points Y_;
  Weights mean_weights_, weights_;  // a_i, c_i
  OutputPoints Z_;
};

}  // namespace alembert::estimate
