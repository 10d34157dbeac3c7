#pragma once

// What models of equations and of functions share as observed models.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/estimate/own_model/model_observer_options.hpp"
#include "alembert/model/second_order_pair.hpp"

namespace alembert::estimate {

/// The sizes of a model of one's own.
struct OwnModelSizes {
  const char* function;  ///< for messages
  std::vector<std::string> states;
  int inputs = 0, outputs = 0;
  std::vector<model::SecondOrderPair> pairs = {};  ///< coordinates with their velocities
};

/// Mean and covariance at the start. @param otherwise the mean if none is given.
struct OwnModelStart {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};
[[nodiscard]] OwnModelStart start_of(const OwnModelSizes& sizes,
                                     const ModelObserverOptions& options,
                                     const Eigen::VectorXd& otherwise);

/// Layout and noise of a model of one's own.
class OwnModel : public ObservedModel {
 public:
  /// @throws InvalidInput for sizes that do not fit and noise that is none.
  OwnModel(const OwnModelSizes& sizes, const ModelObserverOptions& options);

  [[nodiscard]] const ObservedLayout& layout() const noexcept override { return layout_; }
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;

 protected:
  [[nodiscard]] int states() const { return static_cast<int>(layout_.states.size()); }

 private:
  ObservedLayout layout_;
  std::vector<model::SecondOrderPair> pairs_;
  Eigen::VectorXd density_;            // empty: a covariance for each step
  Eigen::MatrixXd each_step_;          // that covariance
  Eigen::MatrixXd sum_;                // workspace
  double scale_ = -1.0, step_ = -1.0;  // that noise_ is for; none at first
  Noise<double, Eigen::Dynamic> noise_;
};

}  // namespace alembert::estimate
