#include "estimate/kinematic_filter.hpp"

#include <limits>
#include <type_traits>
#include <utility>

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
  explicit FilterOf(Arguments&&... arguments) : filter_(std::forward<Arguments>(arguments)...) {}

  Status predict(const KinematicInput& u, const DynamicNoise& q, Kernel* kernel) noexcept override {
    return kernel == nullptr ? filter_.predict(u, q) : filter_.predict(u, q, *kernel);
  }
  UpdateReport update(const KinematicInput& u, const Eigen::VectorXd& z,
                      const DynamicNoise& r) noexcept override {
    return filter_.update(u, z, r);
  }
  [[nodiscard]] const Eigen::VectorXd& mean() const noexcept override { return filter_.mean(); }
  [[nodiscard]] Eigen::MatrixXd covariance() const override { return filter_.covariance(); }
  [[nodiscard]] const Innovation<double, Eigen::Dynamic>& innovation() const noexcept override {
    return filter_.innovation();
  }
  [[nodiscard]] std::vector<Belief<double, Eigen::Dynamic>> smooth(
      std::span<const Kernel> kernels) const override {
    auto beliefs = estimate::smooth(filter_, kernels);
    for (auto& belief : beliefs) belief.spread = covariance_of<kFormOf<Filter>>(belief);
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
  Filter filter_;
};

template <typename Model>
std::unique_ptr<KinematicFilter> filter_around(Model model, const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& covariance,
                                               const KinematicObserverOptions& options) {
  const EkfOptions extended{.iterations = options.filter == ObserverFilter::IteratedEkf ? 5 : 1,
                            .gate = options.gate};
  const SigmaPointOptions points{.gate = options.gate};
  const int n = static_cast<int>(mean.size());
  const auto sigma_points = [&](const SigmaPoints& set) {
    return std::make_unique<FilterOf<SigmaPointFilter<Model>>>(std::move(model), mean, covariance,
                                                               set, points);
  };
  switch (options.filter) {
    case ObserverFilter::SquareRootEkf:
      return std::make_unique<FilterOf<SquareRootEkf<Model>>>(std::move(model), mean, covariance,
                                                              extended);
    case ObserverFilter::SquareRootSimplex:
      return std::make_unique<FilterOf<SquareRootSigmaPointFilter<Model>>>(
          std::move(model), mean, covariance, spherical_simplex(n, options.central_weight), points);
    case ObserverFilter::Simplex:
      return sigma_points(spherical_simplex(n, options.central_weight));
    case ObserverFilter::Unscented:
      return sigma_points(unscented(n));
    case ObserverFilter::Cubature:
      return sigma_points(cubature(n));
    case ObserverFilter::Ekf:
    case ObserverFilter::IteratedEkf:
      break;
  }
  return std::make_unique<FilterOf<Ekf<Model>>>(std::move(model), mean, covariance, extended);
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
