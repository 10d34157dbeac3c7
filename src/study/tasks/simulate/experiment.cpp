#include "study/tasks/simulate/experiment.hpp"

#include <cmath>

#include "alembert/signal/snr.hpp"
#include "study/parts/hash.hpp"
#include "study/tasks/simulate/simulate_channels.hpp"

namespace alembert::study {
namespace {

/// Makes the signal of one input; one overload for each kind.
struct InputMaker {
  Eigen::Index samples;
  double step;
  RandomStream& random;

  Eigen::VectorXd operator()(const ZeroInput&) const { return Eigen::VectorXd::Zero(samples); }
  Eigen::VectorXd operator()(const FileInput& input) const { return input.values; }
  Eigen::VectorXd operator()(const signal::Excitation& excitation) const {
    return signal::make_excitation(samples, step, excitation, random);
  }
};

Eigen::MatrixXd make_inputs(const SimulateStudy& study, std::size_t number) {
  Eigen::MatrixXd inputs(study.samples, static_cast<Eigen::Index>(study.inputs.size()));
  for (Eigen::Index j = 0; j < inputs.cols(); ++j) {
    const InputDescription& input = study.inputs[static_cast<std::size_t>(j)];
    RandomStream random = named_stream(study.seed, number, "input", input.name);
    inputs.col(j) = std::visit(InputMaker{study.samples, study.step, random}, input.source);
  }
  return inputs;
}

// What the sensor would show without any error, in its own unit.
Eigen::VectorXd sensor_truth(const SensorDescription& sensor, const Eigen::MatrixXd& inputs,
                             const Eigen::MatrixXd& signals) {
  const Eigen::VectorXd weights = sensor.factor * sensor.weights;
  const Eigen::Index n = weights.size();
  switch (sensor.quantity) {
    case Quantity::Velocity:
      return signals.middleCols(n, n) * weights;
    case Quantity::Acceleration:
      return signals.middleCols(2 * n, n) * weights;
    case Quantity::Force:
      return inputs * weights;
    case Quantity::Displacement:
    case Quantity::Signal:
      break;
  }
  return signals.leftCols(n) * weights;
}

Eigen::MatrixXd packed_failure(const Outcome& outcome) {
  Eigen::MatrixXd packed(1, static_cast<Eigen::Index>(outcome.message.size()) + 1);
  packed(0, 0) = static_cast<double>(outcome.status);
  for (std::size_t i = 0; i < outcome.message.size(); ++i) {
    packed(0, static_cast<Eigen::Index>(i) + 1) =
        static_cast<double>(static_cast<unsigned char>(outcome.message[i]));
  }
  return packed;
}

// None where nothing was read, or where error or truth is zero.
std::optional<double> achieved_snr(const Eigen::VectorXd& truth, const Eigen::VectorXd& values,
                                   const std::optional<double>& turn) {
  if (values.array().isNaN().all()) return std::nullopt;
  const double snr = signal::snr_db(values, truth, turn);
  return std::isfinite(snr) ? std::optional(snr) : std::nullopt;
}

}  // namespace

RandomStream named_stream(std::uint64_t seed, std::size_t number, const std::string& role,
                          const std::string& name) {
  return RandomStream(seed, number).child(fnv_hash(role + ":" + name));
}

Eigen::MatrixXd packed_experiment(const SimulateStudy& study, const Simulator& simulator,
                                  std::size_t number, const StopFlag* stop) {
  const Eigen::MatrixXd inputs = make_inputs(study, number);
  const SimulatedMotion motion = simulator.run(inputs, stop);
  if (!motion.ok()) {
    return packed_failure(motion);
  }

  const Eigen::Index m = inputs.cols();
  const Eigen::Index s = motion.signals.cols();
  const Eigen::Index N = study.samples;
  const auto sensors = static_cast<Eigen::Index>(study.sensors.size());
  Eigen::MatrixXd packed = Eigen::MatrixXd::Zero(N + 2, m + s + sensors);
  packed.topLeftCorner(N, m) = inputs;
  packed.block(0, m, N, s) = motion.signals;
  for (Eigen::Index i = 0; i < sensors; ++i) {
    const SensorDescription& sensor = study.sensors[static_cast<std::size_t>(i)];
    RandomStream random = named_stream(study.seed, number, "sensor", sensor.name);
    const signal::SensorRecord record = signal::simulate_sensor(
        sensor_truth(sensor, inputs, motion.signals), study.step, sensor.options, random);
    packed.col(m + s + i) << record.values, record.sigma, static_cast<double>(record.clipped);
  }
  return packed;
}

bool is_failure(const Eigen::MatrixXd& packed) { return packed.rows() == 1; }

Outcome unpacked_failure(const Eigen::MatrixXd& packed) {
  Outcome outcome{.status = static_cast<Status>(static_cast<int>(packed(0, 0))), .message = ""};
  for (Eigen::Index i = 1; i < packed.cols(); ++i) {
    outcome.message += static_cast<char>(static_cast<unsigned char>(packed(0, i)));
  }
  return outcome;
}

Experiment unpacked_experiment(const SimulateStudy& study, std::size_t number,
                               const Eigen::MatrixXd& packed) {
  const Eigen::Index N = study.samples;
  const auto m = static_cast<Eigen::Index>(study.inputs.size());
  const auto sensors = static_cast<Eigen::Index>(study.sensors.size());
  const Eigen::Index first = packed.cols() - sensors;  // column of the sensors
  const Eigen::MatrixXd inputs = packed.topLeftCorner(N, m);
  const Eigen::MatrixXd signals = packed.block(0, m, N, first - m);

  Experiment experiment;
  experiment.number = number + 1;
  for (Eigen::Index i = 0; i < sensors; ++i) {
    const Eigen::VectorXd values = packed.col(first + i).head(N);
    const SensorDescription& sensor = study.sensors[static_cast<std::size_t>(i)];
    const Eigen::VectorXd truth = sensor_truth(sensor, inputs, signals);
    experiment.sensors.push_back({.sigma = packed(N, first + i),
                                  .snr_db = achieved_snr(truth, values, sensor.options.turn),
                                  .clipped = static_cast<Eigen::Index>(packed(N + 1, first + i)),
                                  .samples = values.size() - values.array().isNaN().count()});
  }
  const signal::TimeAxis time = signal::TimeAxis::uniform(N, study.step, study.start_time);
  std::vector<signal::Channel> channels = input_channels(study);
  std::vector<signal::Channel> true_channels = channels;
  for (auto& channel : sensor_channels(study)) {
    channels.push_back(std::move(channel));
  }
  for (auto& channel : motion_channels(study.model)) {
    true_channels.push_back(std::move(channel));
  }
  Eigen::MatrixXd samples(N, m + sensors);
  samples << inputs, packed.topRows(N).rightCols(sensors);
  experiment.record = signal::Record(time, std::move(channels), std::move(samples), study.title);
  experiment.truth =
      signal::Record(time, std::move(true_channels), packed.topLeftCorner(N, first), study.title);
  return experiment;
}

}  // namespace alembert::study
