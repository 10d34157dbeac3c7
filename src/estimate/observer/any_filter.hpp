#pragma once

// The filters around an observed model behind one interface.

#include <memory>

#include "alembert/estimate/adapt_noise.hpp"
#include "alembert/estimate/observer.hpp"

namespace alembert::estimate {

using DynamicNoise = Noise<double, Eigen::Dynamic>;
using DynamicBelief = Belief<double, Eigen::Dynamic>;
using DynamicAdapter = NoiseAdapter<double, Eigen::Dynamic, Eigen::Dynamic>;

class AnyFilter {
 public:
  using Kernel = Observer::Kernel;

  virtual ~AnyFilter() = default;
  virtual Status predict(const ObservedInput& u, const DynamicNoise& q,
                         Kernel* kernel) noexcept = 0;
  virtual UpdateReport update(const ObservedInput& u, const Eigen::VectorXd& z,
                              const DynamicNoise& r) noexcept = 0;
  /// Tells the adapter of a prediction with q, and of the update after it.
  virtual void note_prediction(DynamicAdapter& adapter, const DynamicNoise& q) const noexcept = 0;
  virtual void note_update(DynamicAdapter& adapter, const UpdateReport& report, DynamicNoise& q,
                           DynamicNoise& r) const noexcept = 0;
  [[nodiscard]] virtual const DynamicBelief& belief() const noexcept = 0;
  virtual void set_belief(const DynamicBelief& belief) noexcept = 0;
  /// P + E P E with E = diag(growth): an error is added that is correlated as the estimate's own.
  virtual void widen(const Eigen::VectorXd& growth) noexcept = 0;
  /// P + D² with D = diag(deviations): errors are added that depend on nothing.
  virtual void blur(const Eigen::VectorXd& deviations) noexcept = 0;
  /// F P F with F = diag(factors).
  virtual void scale(const Eigen::VectorXd& factors) noexcept = 0;
  /// P_ii
  [[nodiscard]] virtual double variance(int i) const noexcept = 0;
  [[nodiscard]] virtual const Eigen::VectorXd& mean() const noexcept = 0;
  [[nodiscard]] virtual Eigen::MatrixXd covariance() const = 0;
  [[nodiscard]] virtual const Innovation<double, Eigen::Dynamic>& innovation() const noexcept = 0;
  /// Covariances in `spread`, whatever the form of the filter.
  [[nodiscard]] virtual std::vector<DynamicBelief> smooth(
      std::span<const Kernel> kernels) const = 0;
};

/// @param model outlives the filter. @throws InvalidInput as the filters do.
[[nodiscard]] std::unique_ptr<AnyFilter> make_filter(const ObservedModel& model,
                                                     const Eigen::VectorXd& mean,
                                                     const Eigen::MatrixXd& covariance,
                                                     const ObserverOptions& options);

}  // namespace alembert::estimate
