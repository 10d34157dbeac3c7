#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/identify/weak_form.hpp"
#include "identify/weak_form/quick_prediction.hpp"

namespace alembert::identify {

/// What stays the same for all windows.
struct WeakSetting {
  Parametrisation unknowns;  ///< affine
  const Experiments& data;
  Eigen::MatrixXd L;
  model::Motion motion;
  Eigen::VectorXd scale;  ///< rms of each output
  bool all_driven;        ///< there is a force on every coordinate
  Eigen::VectorXd noise;  ///< standard deviation of the white noise of each output
  QuickPrediction predict;
  WeakFormOptions options;
  std::optional<Experiments> bridged;  ///< `data` with short gaps filled, where these are many

  /// What the weak equations are set up from.
  [[nodiscard]] const Experiments& records() const { return bridged ? *bridged : data; }
};

/// Data, scales and noises of a call of weak_form() whose arguments fit.
[[nodiscard]] WeakSetting weak_setting(const Parametrisation& unknowns, const Experiments& data,
                                       const Eigen::Ref<const Eigen::MatrixXd>& L,
                                       model::Motion motion, const WeakFormOptions& options);

}  // namespace alembert::identify
