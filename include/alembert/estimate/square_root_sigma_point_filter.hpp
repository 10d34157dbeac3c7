#pragma once

#include <utility>

#include "alembert/estimate/noise.hpp"
#include "alembert/estimate/sigma_point_filter.hpp"
#include "alembert/estimate/square_root_arrays.hpp"

namespace alembert::estimate {

/// How a set of N points in n states leaves its regression residuals: through `complement` rows,
/// N - n - 1 of them, or for large sets point by point.
constexpr bool residuals_by_point(int count) { return count > 64; }

/// Rows of residuals of a set.
constexpr int residual_rows(int n, int count) {
  if (n == Eigen::Dynamic || count == Eigen::Dynamic) return Eigen::Dynamic;
  return residuals_by_point(count) ? count : count - n - 1;
}

/// Sigma-point filter with the lower factor S, P = S Sᵀ, by orthogonal reflections only: no
/// Cholesky factorisation or downdate in a step, and the covariance cannot become indefinite. Same
/// results as SigmaPointFilter up to rounding.
///
/// Needs a set with one set of weights, none negative: spherical simplex, cubature, Gauss-Hermite,
/// and the unscented set with κ >= 0, α = 1, β = 0.
template <typename Model, int Count = Eigen::Dynamic>
class SquareRootSigmaPointFilter {
 public:
  using Types = ModelTypes<Model>;
  using Scalar = typename Types::Scalar;
  using Input = typename Types::Input;
  using State = typename Types::State;
  using Output = typename Types::Output;
  using StateMatrix = typename Types::StateMatrix;
  static constexpr int kN = Types::kN;
  static constexpr int kM = Types::kM;
  using ProcessNoise = Noise<Scalar, kN>;
  using OutputNoise = Noise<Scalar, kM>;
  using Kernel = BackwardKernel<Scalar, kN>;

  /// @throws InvalidInput if the set has negative weights, is not for the model's states or has not
  /// Count points, the sizes are not the model's, the covariance is not one, or an option is out
  /// of range.
  SquareRootSigmaPointFilter(Model model, const State& mean, const StateMatrix& covariance,
                             const SigmaPoints& set, const SigmaPointOptions& options = {})
      : model_(std::move(model)),
        gate_(options.gate, outputs_of(model_)),
        innovation_(outputs_of(model_)),
        arrays_(states_of(model_), outputs_of(model_), checked_rows(set)) {
    allocate(set);
    set_estimate(mean, covariance);
  }

  /// Starts anew from a mean and covariance. @throws InvalidInput as the constructor.
  void set_estimate(const State& mean, const StateMatrix& covariance) {
    check_estimate(states_of(model_), mean.template cast<double>(),
                   covariance.template cast<double>());
    belief_ = {mean, ProcessNoise::from_covariance(covariance).factor()};
  }

  /// Time update. Status Success or NotFinite; the estimate changes on Success only.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q) noexcept {
    return advance(u, q, nullptr);
  }
  /// The same, and what a smoother needs of it.
  [[nodiscard]] Status predict(const Input& u, const ProcessNoise& q, Kernel& kernel) noexcept {
    return advance(u, q, &kernel);
  }

  /// Measurement update with z, NaN where nothing was measured.
  UpdateReport update(const Input& u, const Output& z, const OutputNoise& r) noexcept {
    spread_outputs(u);
    innovation_.select(model_, z, y_, outputs_of(model_));
    if (gate_.each_output()) {
      innovation_.gate_each(gate_, [&](int i) { return output_variance(i, r); });
    }
    if (innovation_.count == 0) return {};
    UpdateReport report = innovation_.with_size([&](auto m) { return pass(r, m); });
    if (!report.accepted) return report;
    report.status = commit();
    report.accepted = report.status == Status::Success;
    return report;
  }

  [[nodiscard]] const State& mean() const noexcept { return belief_.mean; }
  /// S Sᵀ.
  [[nodiscard]] StateMatrix covariance() const {
    return belief_.spread * belief_.spread.transpose();
  }
  /// S.
  [[nodiscard]] const StateMatrix& factor() const noexcept { return belief_.spread; }
  [[nodiscard]] const Innovation<Scalar, kM>& innovation() const noexcept { return innovation_; }
  [[nodiscard]] const Belief<Scalar, kN>& belief() const noexcept { return belief_; }
  void set_belief(const Belief<Scalar, kN>& belief) noexcept { belief_ = belief; }
  [[nodiscard]] const Model& model() const noexcept { return model_; }
  [[nodiscard]] Model& model() noexcept { return model_; }

 private:
  using T = Scalar;
  using Points = Eigen::Matrix<T, kN, Count>;
  using OutputPoints = Eigen::Matrix<T, kM, Count>;
  static constexpr int kRest = residual_rows(kN, Count);

  [[nodiscard]] auto count() const noexcept { return kernels::extent<Count>(unit_.cols()); }

  [[nodiscard]] int checked_rows(const SigmaPoints& set) const {
    check_points(set, states_of(model_), Count);
    check_square_root(set);
    return set.states() + residual_rows(set.states(), set.count());
  }

  void allocate(const SigmaPoints& set) {
    const int n = states_of(model_);
    const int m = outputs_of(model_);
    unit_ = set.points.cast<T>();
    weights_ = set.mean_weights.cast<T>();
    weighted_ = (set.points * set.mean_weights.asDiagonal()).cast<T>();
    if (residuals_by_point(set.count())) {
      roots_ = set.mean_weights.cwiseSqrt().cast<T>();
    } else {
      complement_ = complement(set).cast<T>();
    }
    at_ = Y_ = Points::Zero(n, set.count());
    Z_ = OutputPoints::Zero(m, set.count());
    next_ = correction_ = State::Zero(n);
    posterior_ = StateMatrix::Zero(n, n);
    y_ = Output::Zero(m);
  }

  /// X = x + S χ.
  void draw() noexcept {
    const auto n = states_of(model_);
    kernels::lower_product(belief_.spread, unit_, at_, n, count());
    for (int k = 0; k < count(); ++k) {
      for (int i = 0; i < n; ++i) at_(i, k) += belief_.mean(i);
    }
  }

  Status advance(const Input& u, const ProcessNoise& q, Kernel* kernel) noexcept {
    const auto n = states_of(model_);
    const auto size = static_cast<std::size_t>(int{n});
    draw();
    for (int k = 0; k < count(); ++k) {
      model_.process(u, std::span<const T>(&at_(0, k), size), std::span<T>(&Y_(0, k), size));
    }
    if constexpr (kHasStateAngles<Model>) {
      unwrap_rows(
          Y_, [&](int i) { return model_.state_is_angle(i); }, n, count());
    }
    kernels::centre(Y_, weights_, next_, n, count());
    regress(Y_, n, [](int i) { return i; });
    if (kernel != nullptr) arrays_.append_spread(belief_.spread, n, n);
    if (!kernels::all_finite(next_, n)) return Status::NotFinite;
    if (!arrays_.time(q.factor(), posterior_, kernel, n)) return Status::NotFinite;
    wrap_state(model_, next_);
    if (kernel != nullptr) kernel->mean = belief_.mean, kernel->predicted = next_;
    belief_.mean = next_;
    belief_.spread = posterior_;
    return Status::Success;
  }

  /// Rows of the array from differences V: (AS)ᵀ = Σ w_i χ_i V_iᵀ, then the residuals
  /// E = complement Vᵀ, or √w_i (V_i - A S χ_i)ᵀ point by point.
  template <typename Values, typename Size, typename Row>
  void regress(const Values& values, Size columns, const Row& row) noexcept {
    const auto n = states_of(model_);
    auto& rows = arrays_.rows();
    for (int c = 0; c < columns; ++c) {
      for (int i = 0; i < n; ++i) rows(i, c) = T(0);
      for (int k = 0; k < count(); ++k) {
        const T value = values(row(c), k);
        for (int i = 0; i < n; ++i) rows(i, c) += weighted_(i, k) * value;
      }
      const auto rest = kernels::extent<kRest>(arrays_.height() - n);
      if (residuals_by_point(count())) {
        for (int k = 0; k < rest; ++k) {
          T residual = values(row(c), k);
          for (int i = 0; i < n; ++i) residual -= rows(i, c) * unit_(i, k);
          rows(n + k, c) = roots_(k) * residual;
        }
      } else {
        for (int e = 0; e < rest; ++e) {
          T sum = T(0);
          for (int k = 0; k < count(); ++k) sum += complement_(e, k) * values(row(c), k);
          rows(n + e, c) = sum;
        }
      }
    }
  }

  /// Output points, their mean in y_, their differences in Z_.
  void spread_outputs(const Input& u) noexcept {
    const auto n = static_cast<std::size_t>(int{states_of(model_)});
    const auto m = outputs_of(model_);
    const auto size = static_cast<std::size_t>(int{m});
    draw();
    for (int k = 0; k < count(); ++k) {
      model_.output(u, std::span<const T>(&at_(0, k), n), std::span<T>(&Z_(0, k), size));
    }
    if constexpr (kHasOutputAngles<Model>) {
      unwrap_rows(
          Z_, [&](int i) { return model_.output_is_angle(i); }, m, count());
    }
    kernels::centre(Z_, weights_, y_, m, count());
  }

  T output_variance(int row, const OutputNoise& r) const noexcept {
    T variance = r.covariance()(row, row);
    for (int k = 0; k < count(); ++k) variance += weights_(k) * Z_(row, k) * Z_(row, k);
    return variance;
  }

  template <typename Size>
  UpdateReport pass(const OutputNoise& r, Size m) noexcept {
    const auto n = states_of(model_);
    regress(Z_, m, [&](int i) { return innovation_.row(i, m); });
    arrays_.append_spread(belief_.spread, n, m);
    const UpdateReport report = arrays_.judge(innovation_, gate_, r.factor(), r.size(), n, m);
    if (report.accepted) arrays_.finish(innovation_, correction_, posterior_, n, m);
    return report;
  }

  Status commit() noexcept {
    const auto n = states_of(model_);
    if (!kernels::all_finite(correction_, n)) return Status::NotFinite;
    for (int i = 0; i < n; ++i) belief_.mean(i) += correction_(i);
    wrap_state(model_, belief_.mean);
    belief_.spread = posterior_;
    return Status::Success;
  }

  Model model_;
  Gate gate_;
  Belief<T, kN> belief_;
  Innovation<T, kM> innovation_;
  SquareRootArrays<T, kN, kM, kernels::sum(kN, kRest)> arrays_;
  Points unit_, weighted_, at_, Y_;
  Eigen::Matrix<T, Count, 1> weights_;
  Eigen::Matrix<T, Eigen::Dynamic, 1> roots_;  // of the weights, only for large sets
  Eigen::Matrix<T, kRest == Count ? Eigen::Dynamic : kRest, Count> complement_;  // for others
  OutputPoints Z_;
  State next_, correction_;
  StateMatrix posterior_;
  Output y_;
};

}  // namespace alembert::estimate
