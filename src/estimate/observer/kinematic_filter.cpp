#include "estimate/observer/kinematic_filter.hpp"

#include <fmt/core.h>

#include <limits>
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

template <typename Filter>
class FilterOf final : public KinematicFilter {
 public:
  template <typename... Arguments>
  explicit FilterOf(Arguments&&... arguments)
      : filter_(std::forward<Arguments>(arguments)...),
        wide_(filter_.belief()),
        upper_(wide_.spread),
        rows_(wide_.spread) {}

  Status predict(const KinematicInput& u, const DynamicNoise& q, Kernel* kernel) noexcept override {
    return kernel == nullptr ? filter_.predict(u, q) : filter_.predict(u, q, *kernel);
  }
  UpdateReport update(const KinematicInput& u, const Eigen::VectorXd& z,
                      const DynamicNoise& r) noexcept override {
    return filter_.update(u, z, r);
  }
  void note_prediction(KinematicAdapter& adapter, const DynamicNoise& q) const noexcept override {
    adapter.predicted(filter_, q);
  }
  void note_update(KinematicAdapter& adapter, const UpdateReport& report, DynamicNoise& q,
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
  [[nodiscard]] long unreached() const noexcept override { return filter_.model().unreached(); }
  [[nodiscard]] bool reaches(const Eigen::VectorXd& state) const noexcept override {
    return filter_.model().reaches({state.data(), static_cast<std::size_t>(state.size())});
  }
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
  [[nodiscard]] double determinant(std::span<const double> u) const noexcept override {
    if constexpr (requires { filter_.model().determinant(u, u); }) {
      const auto n = static_cast<std::size_t>(filter_.model().mechanism().coordinates());
      return filter_.model().determinant({filter_.mean().data(), n}, u);
    } else {
      return std::numeric_limits<double>::infinity();
    }
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

constexpr int kGaussHermiteOrder = 3;
constexpr int kMostGaussHermiteStates = 6;

// Points whose number grows as 3ⁿ are for few states.
SigmaPoints few_states_gauss_hermite(int n) {
  if (n > kMostGaussHermiteStates) {
    throw InvalidInput(
        {.function = "KinematicObserver",
         .argument = "filter",
         .rule =
             fmt::format("must not be gauss-hermite with more than {} states (3^{} = 729 points)",
                         kMostGaussHermiteStates, kMostGaussHermiteStates),
         .value = fmt::format("{}; take cubature", n)});
  }
  return gauss_hermite(n, kGaussHermiteOrder);
}

// The points of a sigma-point filter; none for the extended ones.
std::optional<SigmaPoints> points_of(const KinematicObserverOptions& options, int n) {
  switch (options.filter) {
    case ObserverFilter::Simplex:
    case ObserverFilter::SquareRootSimplex:
      return spherical_simplex(n, options.central_weight);
    case ObserverFilter::Unscented:
    case ObserverFilter::SquareRootUnscented:
      return unscented(n);
    case ObserverFilter::Cubature:
    case ObserverFilter::SquareRootCubature:
      return cubature(n);
    case ObserverFilter::GaussHermite:
    case ObserverFilter::SquareRootGaussHermite:
      return few_states_gauss_hermite(n);
    case ObserverFilter::Ekf:
    case ObserverFilter::IteratedEkf:
    case ObserverFilter::SquareRootEkf:
    case ObserverFilter::IteratedSquareRootEkf:
      break;
  }
  return std::nullopt;
}

bool is_square_root(ObserverFilter filter) {
  return filter == ObserverFilter::SquareRootEkf ||
         filter == ObserverFilter::IteratedSquareRootEkf ||
         filter == ObserverFilter::SquareRootSimplex ||
         filter == ObserverFilter::SquareRootUnscented ||
         filter == ObserverFilter::SquareRootCubature ||
         filter == ObserverFilter::SquareRootGaussHermite;
}

bool is_iterated(ObserverFilter filter) {
  return filter == ObserverFilter::IteratedEkf || filter == ObserverFilter::IteratedSquareRootEkf;
}

// One class for each rule and form: sets of points differ in their numbers only.
template <typename Model>
std::unique_ptr<KinematicFilter> filter_around(Model model, const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& covariance,
                                               const KinematicObserverOptions& options) {
  const auto make = [&]<typename Filter>(std::type_identity<Filter>, const auto&... rest) {
    return std::unique_ptr<KinematicFilter>(
        std::make_unique<FilterOf<Filter>>(std::move(model), mean, covariance, rest...));
  };
  const bool root = is_square_root(options.filter);
  if (const auto set = points_of(options, static_cast<int>(mean.size()))) {
    const SigmaPointOptions points{.gate = options.gate};
    return root ? make(std::type_identity<SquareRootSigmaPointFilter<Model>>{}, *set, points)
                : make(std::type_identity<SigmaPointFilter<Model>>{}, *set, points);
  }
  const EkfOptions extended{.iterations = is_iterated(options.filter) ? 5 : 1,
                            .gate = options.gate};
  return root ? make(std::type_identity<SquareRootEkf<Model>>{}, extended)
              : make(std::type_identity<Ekf<Model>>{}, extended);
}

}  // namespace

std::unique_ptr<KinematicFilter> make_filter(KinematicOutputModel model,
                                             const Eigen::VectorXd& mean,
                                             const Eigen::MatrixXd& covariance,
                                             const KinematicObserverOptions& options) {
  return filter_around(std::move(model), mean, covariance, options);
}

std::unique_ptr<KinematicFilter> make_filter(KinematicInputModel model, const Eigen::VectorXd& mean,
                                             const Eigen::MatrixXd& covariance,
                                             const KinematicObserverOptions& options) {
  return filter_around(std::move(model), mean, covariance, options);
}

}  // namespace alembert::estimate
