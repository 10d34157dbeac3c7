#include "reproductions/acceleration/motion_cases.hpp"

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::acceleration {

const MotionCase& duffing_case() {
  static const std::string study = "duffing/identify.toml";
  static const MotionCase system{
      .name = "Duffing",
      .equation = study_word(study, "model.equations"),
      .parameters = Eigen::Vector3d(study_number(study, "truth.a"), study_number(study, "truth.b"),
                                    study_number(study, "truth.c")),
      .x0 = study_number(study, "data.amplitude")};
  return system;
}

SensorCase published_sensor(Eigen::Index every) {
  return {.every = every, .sigma = 1e-3, .bits = 12};
}

Eigen::VectorXd true_acceleration(const identify::MotionEquation& equation,
                                  const MotionCase& system) {
  const auto samples = static_cast<Eigen::Index>(std::lround(system.duration / system.step)) + 1;
  const identify::SimulatedMotion motion =
      identify::simulate_motion(equation, system.parameters, system.x0, 0.0, system.step, samples);
  if (!motion.ok()) throw StudyError({.file = system.name}, motion.message);
  return motion.acceleration;
}

identify::MotionRecord sensed(const Eigen::VectorXd& truth, double step, const SensorCase& sensor,
                              std::uint64_t seed) {
  identify::MotionRecord record;
  record.step = step * static_cast<double>(sensor.every);
  const Eigen::Index samples = (truth.size() - 1) / sensor.every + 1;
  record.acceleration.resize(samples);
  const double rms = std::sqrt(truth.squaredNorm() / static_cast<double>(truth.size()));
  const double sigma =
      sensor.snr_db == 0.0 ? sensor.sigma : rms * std::pow(10.0, -sensor.snr_db / 20.0);
  const double quantum = sensor.bits == 0 ? 0.0 : 2.0 * sensor.range / std::exp2(sensor.bits);
  RandomStream random(seed);
  for (Eigen::Index k = 0; k < samples; ++k) {
    double value = truth(k * sensor.every) + sensor.offset;
    if (sigma > 0.0) value += sigma * random.normal();
    if (quantum > 0.0) value = quantum * std::round(value / quantum);
    record.acceleration(k) = value;
  }
  return record;
}

}  // namespace alembert::reproductions::acceleration
