#pragma once

// The filters around the kinematic models behind one interface.

#include <memory>

#include "alembert/estimate/adapt_noise.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::estimate {

using DynamicNoise = Noise<double, Eigen::Dynamic>;
using KinematicAdapter = NoiseAdapter<double, Eigen::Dynamic, Eigen::Dynamic>;

class KinematicFilter {
 public:
  using Kernel = KinematicObserver::Kernel;

  virtual ~KinematicFilter() = default;
  virtual Status predict(const KinematicInput& u, const DynamicNoise& q,
                         Kernel* kernel) noexcept = 0;
  virtual UpdateReport update(const KinematicInput& u, const Eigen::VectorXd& z,
                              const DynamicNoise& r) noexcept = 0;
  /// Tells the adapter of a prediction with q, and of the update after it.
  virtual void note_prediction(KinematicAdapter& adapter, const DynamicNoise& q) const noexcept = 0;
  virtual void note_update(KinematicAdapter& adapter, const UpdateReport& report, DynamicNoise& q,
                           DynamicNoise& r) const noexcept = 0;
  [[nodiscard]] virtual const Belief<double, Eigen::Dynamic>& belief() const noexcept = 0;
  virtual void set_belief(const Belief<double, Eigen::Dynamic>& belief) noexcept = 0;
  /// P + E P E with E = diag(growth): an error is added that is correlated as the estimate's own.
  virtual void widen(const Eigen::VectorXd& growth) noexcept = 0;
  /// P + D² with D = diag(deviations): errors are added that depend on nothing.
  virtual void blur(const Eigen::VectorXd& deviations) noexcept = 0;
  /// F P F with F = diag(factors).
  virtual void scale(const Eigen::VectorXd& factors) noexcept = 0;
  /// P_ii
  [[nodiscard]] virtual double variance(int i) const noexcept = 0;
  /// Whether the mechanism can be assembled at a state.
  [[nodiscard]] virtual bool reaches(const Eigen::VectorXd& state) const noexcept = 0;
  /// How often outputs were asked for where it cannot.
  [[nodiscard]] virtual long unreached() const noexcept = 0;
  [[nodiscard]] virtual const Eigen::VectorXd& mean() const noexcept = 0;
  [[nodiscard]] virtual Eigen::MatrixXd covariance() const = 0;
  [[nodiscard]] virtual const Innovation<double, Eigen::Dynamic>& innovation() const noexcept = 0;
  /// Covariances in `spread`, whatever the form of the filter.
  [[nodiscard]] virtual std::vector<Belief<double, Eigen::Dynamic>> smooth(
      std::span<const Kernel> kernels) const = 0;
  /// det SᵀS of the input form at its mean; infinite for the output form.
  [[nodiscard]] virtual double determinant(std::span<const double> u) const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<KinematicFilter> make_filter(KinematicOutputModel model,
                                                           const Eigen::VectorXd& mean,
                                                           const Eigen::MatrixXd& covariance,
                                                           const KinematicObserverOptions& options);
[[nodiscard]] std::unique_ptr<KinematicFilter> make_filter(KinematicInputModel model,
                                                           const Eigen::VectorXd& mean,
                                                           const Eigen::MatrixXd& covariance,
                                                           const KinematicObserverOptions& options);

}  // namespace alembert::estimate
