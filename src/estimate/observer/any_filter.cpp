#include "estimate/observer/any_filter.hpp"

#include <fmt/core.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/sigma_point_filter.hpp"
#include "alembert/estimate/smoother.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "alembert/estimate/square_root_sigma_point_filter.hpp"

namespace alembert::estimate {

namespace {

/// An observed model as the filters want it.
class ObservedFilterModel {
 public:
  using Scalar = double;
  using Input = ObservedInput;
  static constexpr int kStates = Eigen::Dynamic;
  static constexpr int kOutputs = Eigen::Dynamic;

  explicit ObservedFilterModel(const ObservedModel& model)
      : model_(&model),
        states_(static_cast<int>(model.layout().states.size())),
        outputs_(static_cast<int>(model.layout().outputs.size())) {}

  [[nodiscard]] int states() const { return states_; }
  [[nodiscard]] int outputs() const { return outputs_; }
  [[nodiscard]] bool output_is_angle(int i) const {
    const std::vector<bool>& angles = model_->layout().angles;
    return !angles.empty() && angles[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] long unreached() const noexcept { return model_->unreached(); }
  void process(const Input& u, std::span<const double> x, std::span<double> next) const {
    model_->process(u, x, next);
  }
  void output(const Input& u, std::span<const double> x, std::span<double> y) const {
    model_->output(u, x, y);
  }
  void process_jacobian(const Input& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const {
    model_->process_jacobian(u, x, next, F);
  }
  void output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const {
    model_->output_jacobian(u, x, y, H);
  }

 private:
  const ObservedModel* model_;  // of the observer, which owns the filter too
  int states_, outputs_;
};

template <typename Filter>
class FilterOf final : public AnyFilter {
 public:
  template <typename... Arguments>
  explicit FilterOf(Arguments&&... arguments)
      : filter_(std::forward<Arguments>(arguments)...),
        wide_(filter_.belief()),
        upper_(wide_.spread),
        rows_(wide_.spread) {}

  Status predict(const ObservedInput& u, const DynamicNoise& q, Kernel* kernel) noexcept override {
    return kernel == nullptr ? filter_.predict(u, q) : filter_.predict(u, q, *kernel);
  }
  UpdateReport update(const ObservedInput& u, const Eigen::VectorXd& z,
                      const DynamicNoise& r) noexcept override {
    return filter_.update(u, z, r);
  }
  void note_prediction(DynamicAdapter& adapter, const DynamicNoise& q) const noexcept override {
    adapter.predicted(filter_, q);
  }
  void note_update(DynamicAdapter& adapter, const UpdateReport& report, DynamicNoise& q,
                   DynamicNoise& r) const noexcept override {
    adapter.updated(filter_, report, q, r);
  }
  [[nodiscard]] const Belief<double, Eigen::Dynamic>& belief() const noexcept override {
    return filter_.belief();
  }
  void set_belief(const Belief<double, Eigen::Dynamic>& belief) noexcept override {
    filter_.set_belief(belief);
  }
  void widen(const Eigen::VectorXd& growth) noexcept override {
    wide_ = filter_.belief();
    const Eigen::Index n = growth.size();
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = 0; i < n; ++i) {
        if constexpr (Filter::kForm == Form::Covariance) {
          wide_.spread(i, j) *= 1.0 + growth(i) * growth(j);
        } else {
          // (E S)ᵀ
          rows_(j, i) = growth(i) * wide_.spread(i, j);
        }
      }
    }
    if constexpr (Filter::kForm == Form::SquareRoot) add_rows();
    filter_.set_belief(wide_);
  }
  void blur(const Eigen::VectorXd& deviations) noexcept override {
    wide_ = filter_.belief();
    rows_.setZero();
    for (Eigen::Index i = 0; i < deviations.size(); ++i) {
      if constexpr (Filter::kForm == Form::Covariance) {
        wide_.spread(i, i) += deviations(i) * deviations(i);
      } else {
        rows_(i, i) = deviations(i);
      }
    }
    if constexpr (Filter::kForm == Form::SquareRoot) add_rows();
    filter_.set_belief(wide_);
  }
  void scale(const Eigen::VectorXd& factors) noexcept override {
    wide_ = filter_.belief();
    for (Eigen::Index j = 0; j < factors.size(); ++j) {
      for (Eigen::Index i = 0; i < factors.size(); ++i) {
        // P_ij f_i f_j, S_ij f_i
        wide_.spread(i, j) *= factors(i) * (Filter::kForm == Form::Covariance ? factors(j) : 1.0);
      }
    }
    filter_.set_belief(wide_);
  }
  [[nodiscard]] double variance(int i) const noexcept override { return filter_.variance(i); }
  [[nodiscard]] const Eigen::VectorXd& mean() const noexcept override { return filter_.mean(); }
  [[nodiscard]] Eigen::MatrixXd covariance() const override { return filter_.covariance(); }
  [[nodiscard]] const Innovation<double, Eigen::Dynamic>& innovation() const noexcept override {
    return filter_.innovation();
  }
  [[nodiscard]] std::vector<Belief<double, Eigen::Dynamic>> smooth(
      std::span<const Kernel> kernels) const override {
    auto beliefs = estimate::smooth(filter_, kernels);
    for (auto& belief : beliefs) belief.spread = covariance_of<Filter::kForm>(belief);
    return beliefs;
  }

 private:
  /// The factor of S Sᵀ + BᵀB with the rows B:  Sᵀ = qr [ Sᵀ ; B ].
  void add_rows() noexcept {
    const auto n = static_cast<int>(rows_.cols());
    upper_ = wide_.spread.transpose();
    kernels::triangularise(upper_, rows_, n, n, n);
    wide_.spread = upper_.transpose();
  }

  Filter filter_;
  Belief<double, Eigen::Dynamic> wide_;  // workspace, as are the following
  Eigen::MatrixXd upper_, rows_;
};

constexpr int kIterations = 5;
constexpr int kGaussHermiteOrder = 3;
constexpr int kMostGaussHermiteStates = 6;

// Points whose number grows as 3ⁿ are for few states.
SigmaPoints few_states_gauss_hermite(int n) {
  if (n > kMostGaussHermiteStates) {
    throw InvalidInput(
        {.function = "Observer",
         .argument = "filter",
         .rule =
             fmt::format("must not be gauss-hermite with more than {} states (3^{} = 729 points)",
                         kMostGaussHermiteStates, kMostGaussHermiteStates),
         .value = fmt::format("{}; take cubature", n)});
  }
  return gauss_hermite(n, kGaussHermiteOrder);
}

// The points of a sigma-point filter; none for the extended ones.
std::optional<SigmaPoints> points_of(const ObserverOptions& options, int n) {
  switch (options.filter.rule) {
    case FilterRule::Simplex:
      return spherical_simplex(n, options.central_weight);
    case FilterRule::Unscented:
      return unscented(n);
    case FilterRule::Cubature:
      return cubature(n);
    case FilterRule::GaussHermite:
      return few_states_gauss_hermite(n);
    case FilterRule::Ekf:
    case FilterRule::IteratedEkf:
      break;
  }
  return std::nullopt;
}

}  // namespace

// One class for each rule and form: sets of points differ in their numbers only.
std::unique_ptr<AnyFilter> make_filter(const ObservedModel& model, const Eigen::VectorXd& mean,
                                       const Eigen::MatrixXd& covariance,
                                       const ObserverOptions& options) {
  const auto make = [&]<typename Filter>(std::type_identity<Filter>, const auto&... rest) {
    return std::unique_ptr<AnyFilter>(
        std::make_unique<FilterOf<Filter>>(ObservedFilterModel(model), mean, covariance, rest...));
  };
  const bool root = options.filter.square_root;
  if (const auto set = points_of(options, static_cast<int>(mean.size()))) {
    const SigmaPointOptions points{.gate = options.gate};
    return root ? make(std::type_identity<SquareRootSigmaPointFilter<ObservedFilterModel>>{}, *set,
                       points)
                : make(std::type_identity<SigmaPointFilter<ObservedFilterModel>>{}, *set, points);
  }
  const bool iterated = options.filter.rule == FilterRule::IteratedEkf;
  const EkfOptions extended{.iterations = iterated ? kIterations : 1, .gate = options.gate};
  return root ? make(std::type_identity<SquareRootEkf<ObservedFilterModel>>{}, extended)
              : make(std::type_identity<Ekf<ObservedFilterModel>>{}, extended);
}

}  // namespace alembert::estimate
