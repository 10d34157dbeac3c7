#include "alembert/estimate/observed_model.hpp"

#include <cmath>

#include "alembert/core/check.hpp"

namespace alembert::estimate {

SwitchRule::SwitchRule(const SwitchOptions& options) : options_(options) {
  check::non_negative("SwitchRule", "threshold", options.threshold);
  check::in_range("SwitchRule", "release_ratio", options.release_ratio, 1.0, 1e12);
  check::non_negative("SwitchRule", "look_ahead", options.look_ahead);
}

bool SwitchRule::update(double measure, double step) noexcept {
  const double value = std::isnan(measure) ? 0.0 : measure;
  const double rate = has_last_ && step > 0.0 ? (value - last_) / step : 0.0;
  last_ = value;
  has_last_ = true;
  const double threshold = options_.threshold;
  const bool near = value <= threshold || value + rate * options_.look_ahead <= threshold;
  if (!active_) {
    active_ = threshold > 0.0 && near;
  } else {
    const double release = options_.release_ratio * threshold;
    // While it falls, only a configuration well outside counts as left.
    const bool falling = options_.look_ahead > 0.0 && rate < 0.0;
    active_ = falling ? value <= options_.release_ratio * release || near : value <= release;
  }
  return active_;
}

}  // namespace alembert::estimate
