#include "reproductions/two_link/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/tune_noise.hpp"
#include "alembert/optimize/minimise.hpp"

namespace alembert::reproductions::two_link {
namespace {

using Eigen::Index;

constexpr double kRigInfinity = std::numeric_limits<double>::infinity();
constexpr long kRigEvaluations = 40;
constexpr Index kTunedSamples = 5500;

/// The beginning of a record, and an observer that has not seen it.
struct RigRecord {
  Motion motion;
  Eigen::MatrixXd readings;
  estimate::KinematicObserverOptions options;
};

Motion first_part(const Motion& motion, Index samples) {
  return {motion.time.head(samples), motion.truth.topRows(samples), motion.exact.topRows(samples)};
}

RigRecord rig_record(const Case& one, std::uint64_t seed) {
  const Index samples = std::min(kTunedSamples, one.motion->time.size());
  RigRecord record{first_part(*one.motion, samples), {}, one.options};
  record.readings = read_sensors(record.motion, seed, one.encoders);
  record.options.start.z = start_options(*one.mechanism, record.readings).start.z;
  return record;
}

// Steps an observer over the record and calls after(k, observer) behind each; false if one fails.
template <typename After>
bool run_over(const Case& one, const RigRecord& record, const After& after) {
  estimate::KinematicObserver observer(one.mechanism, record.options);
  Eigen::Vector4d row;
  for (Index k = 0; k < record.readings.rows(); ++k) {
    row = record.readings.row(k).transpose();
    const double step = k == 0 ? 0.0 : record.motion.time(k) - record.motion.time(k - 1);
    const estimate::ObserverStep result = observer.step(step, {row.data(), 4});
    if (result.status != Status::Success) return false;
    after(k, observer);
  }
  return true;
}

}  // namespace

std::vector<double> likeliest_density(const Case& one, std::uint64_t seed) {
  RigRecord record = rig_record(one, seed);
  const bool snap = one.options.output.motion == estimate::MotionModel::WhiteSnap;
  const double guess = snap ? 1e8 : 3e3;
  const estimate::TunedNoise tuned = estimate::tune_noise(
      {{.name = "shoulder", .guess = guess, .decades = 6.0},
       {.name = "elbow", .guess = guess, .decades = 6.0}},
      [&](const Eigen::VectorXd& density) {
        record.options.output_noise.density = {density(0), density(1)};
        double sum = 0.0;
        const bool ok =
            run_over(one, record, [&](Index k, const estimate::KinematicObserver& observer) {
              // Before that the start is not forgotten.
              if (record.motion.time(k) < kMargin) return;
              sum += observer.innovation().log_likelihood();
            });
        return ok ? sum : -kRigInfinity;
      },
      // The logarithms are of the size of 1e5: ends within about one natural unit of the greatest.
      {.max_evaluations = kRigEvaluations, .tolerance = 1e-5});
  return {tuned.levels(0), tuned.levels(1)};
}

std::vector<double> truest_variances(const Case& one, std::uint64_t seed) {
  RigRecord record = rig_record(one, seed);
  optimize::Problem problem;
  problem.parameters = {
      {.name = "velocity", .guess = 1e-8, .lower = 1e-14, .upper = 1e2, .logarithmic = true},
      {.name = "acceleration", .guess = 3.0, .lower = 1e-8, .upper = 1e6, .logarithmic = true}};
  Eigen::MatrixXd estimate(record.readings.rows(), 6);
  problem.objective.cost = [&](const Eigen::VectorXd& variances) {
    record.options.input_noise.kinematic = {1e-12, variances(0), variances(1)};
    const bool ok =
        run_over(one, record, [&](Index k, const estimate::KinematicObserver& observer) {
          estimate.row(k) = observer.mean().head(6).transpose();
        });
    // Σ ln rms: every column counts by its ratio, whatever its unit.
    return ok ? rms_errors(record.motion, estimate).array().log().sum() : kRigInfinity;
  };
  const optimize::Minimum best = optimize::minimise(problem, {.max_evaluations = kRigEvaluations,
                                                              .cost_tolerance = 1e-4,
                                                              .step_tolerance = 1e-2,
                                                              .first_step = 2.0});
  return {1e-12, best.parameters(0), best.parameters(1)};
}

}  // namespace alembert::reproductions::two_link
