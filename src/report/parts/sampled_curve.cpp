#include "report/parts/sampled_curve.hpp"

#include <vector>

#include "alembert/signal/decimate.hpp"

namespace alembert::report {
namespace {

constexpr Eigen::Index kMostPoints = 20'000;  // no page holds more of one curve

}  // namespace

Curve sampled_curve(const std::string& name, const Eigen::Ref<const Eigen::VectorXd>& times,
                    const Eigen::Ref<const Eigen::VectorXd>& values) {
  signal::Decimated kept = signal::decimate_min_max(times, values, kMostPoints / 4);
  return {.name = name, .x = std::move(kept.x), .y = std::move(kept.y), .samples = values.size()};
}

Eigen::VectorXd true_signal(const study::SimulateStudy& study,
                            const study::SensorDescription& sensor,
                            const study::Experiment& experiment) {
  const auto inputs = static_cast<Eigen::Index>(study.inputs.size());
  // A linear model moves by displacements, velocities and accelerations of its coordinates.
  const Eigen::Index n =
      study.linear() == nullptr ? 0 : study.linear()->system.degrees_of_freedom();
  const Eigen::MatrixXd& truth = experiment.truth.samples();
  const Eigen::Index motion =
      sensor.quantity == study::Quantity::Signal ? sensor.weights.size() : 3 * n;
  if (truth.cols() < inputs + motion) return {};
  Eigen::Index first = 0;  // Quantity::Force: the inputs come first
  if (sensor.quantity == study::Quantity::Displacement) first = inputs;
  if (sensor.quantity == study::Quantity::Signal) first = inputs;
  if (sensor.quantity == study::Quantity::Velocity) first = inputs + n;
  if (sensor.quantity == study::Quantity::Acceleration) first = inputs + 2 * n;
  // Most sensors look at one coordinate: long columns with weight zero are not read.
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(truth.rows());
  for (Eigen::Index i = 0; i < sensor.weights.size(); ++i) {
    if (sensor.weights(i) != 0.0) sum += sensor.weights(i) * truth.col(first + i);
  }
  return sensor.factor * sum;
}

}  // namespace alembert::report
