#include "study/tasks/monte_carlo/monte_carlo_run.hpp"

#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/core/random.hpp"
#include "study/tasks/simulate/experiment.hpp"

namespace alembert::study {
namespace {

constexpr double kInterval95 = 1.959963984540054;  // Φ⁻¹(0.975)

/// Collects entries or modes of one quantity.
class ErrorCounter {
 public:
  void add(double estimate, double truth, double deviation) {
    const double error = estimate - truth;
    // A known entry has no deviation, one without covariance a NaN.
    if (!(deviation > 0.0) || !std::isfinite(deviation)) return;
    sum_.counted += 1.0;
    sum_.covered += std::abs(error) <= kInterval95 * deviation ? 1.0 : 0.0;
    sum_.squares += (error / deviation) * (error / deviation);
  }
  [[nodiscard]] RunError with(double error, double reported) const {
    RunError result = sum_;
    result.error = error;
    result.reported = reported;
    return result;
  }

 private:
  RunError sum_;
};

// Entries of the lower triangle: the upper one repeats them.
RunError matrix_error(const Eigen::MatrixXd& estimate, const Eigen::MatrixXd& truth,
                      const Eigen::MatrixXd& deviations) {
  const bool known = deviations.size() > 0;
  ErrorCounter counter;
  for (Eigen::Index j = 0; known && j < truth.cols(); ++j) {
    for (Eigen::Index i = j; i < truth.rows(); ++i) {
      counter.add(estimate(i, j), truth(i, j), deviations(i, j));
    }
  }
  return counter.with((estimate - truth).norm() / truth.norm(),
                      known ? deviations.norm() / truth.norm() : kNaN);
}

RunError mode_error(const Eigen::VectorXd& estimate, const Eigen::VectorXd& truth,
                    const Eigen::VectorXd& deviations) {
  ErrorCounter counter;
  for (Eigen::Index i = 0; i < truth.size(); ++i) {
    counter.add(estimate(i), truth(i), deviations(i));
  }
  const double root = std::sqrt(static_cast<double>(truth.size()));
  return counter.with((estimate - truth).cwiseQuotient(truth).norm() / root,
                      deviations.cwiseQuotient(truth).norm() / root);
}

template <typename Member>
Eigen::VectorXd mode_numbers(const std::vector<identify::ModeVerdict>& modes, Member member) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(modes.size()));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    numbers(static_cast<Eigen::Index>(i)) = modes[i].*member;
  }
  return numbers;
}

void compare_modes(const std::vector<identify::ModeVerdict>& found,
                   const std::vector<identify::ModeVerdict>& truth, MonteCarloRun& run) {
  using identify::ModeVerdict;
  // An overdamped pair is no mode: the others cannot be told by their order any more.
  if (found.empty() || found.size() != truth.size()) return;
  run.frequency = mode_numbers(found, &ModeVerdict::frequency_hz);
  run.frequency_deviation = mode_numbers(found, &ModeVerdict::frequency_deviation);
  run.damping = mode_numbers(found, &ModeVerdict::damping);
  run.damping_deviation = mode_numbers(found, &ModeVerdict::damping_deviation);
  run.errors[static_cast<std::size_t>(Compared::Frequencies)] = mode_error(
      run.frequency, mode_numbers(truth, &ModeVerdict::frequency_hz), run.frequency_deviation);
  run.errors[static_cast<std::size_t>(Compared::DampingRatios)] =
      mode_error(run.damping, mode_numbers(truth, &ModeVerdict::damping), run.damping_deviation);
}

// The experiments of one run in the model's units.
Outcome simulated_data(const PreparedPoint& prepared, std::uint64_t seed, const StopFlag* stop,
                       identify::Experiments& data) {
  const MonteCarloPoint& point = *prepared.point;
  SimulateStudy simulate = point.simulate;
  simulate.seed = seed;
  const Eigen::Index m = simulate.linear()->system.inputs();
  const Eigen::Index n = simulate.linear()->system.degrees_of_freedom();
  const LinearSimulator simulator(*simulate.linear(), simulate, prepared.map);
  for (std::size_t e = 0; e < simulate.experiments; ++e) {
    const Eigen::MatrixXd packed = packed_experiment(simulate, simulator, e, stop);
    if (is_failure(packed)) return unpacked_failure(packed);
    // In a packed experiment the motion stands between inputs and sensors.
    const auto column = [&](Eigen::Index of_record, double factor) -> Eigen::VectorXd {
      return factor *
             packed.col(of_record < m ? of_record : of_record + 3 * n).head(simulate.samples);
    };
    identify::Experiment one;
    one.step = simulate.step;
    one.input.resize(simulate.samples, m);
    one.output.resize(simulate.samples, static_cast<Eigen::Index>(point.output_columns.size()));
    for (std::size_t j = 0; j < point.input_columns.size(); ++j) {
      one.input.col(static_cast<Eigen::Index>(j)) =
          column(point.input_columns[j], point.identify.inputs[j].factor);
    }
    for (std::size_t i = 0; i < point.output_columns.size(); ++i) {
      one.output.col(static_cast<Eigen::Index>(i)) =
          column(point.output_columns[i], point.identify.outputs[i].column.factor);
    }
    data.push_back(std::move(one));
  }
  return {};
}

void fail_run(MonteCarloRun& run, Status status, const std::string& message) {
  run.status = status;
  run.message = message;
}

void identify_and_compare(const PreparedPoint& prepared, IdentifyStudy study, const StopFlag* stop,
                          MonteCarloRun& run) {
  study.settings.alternatives = false;  // nobody reads advice on one run of many
  try {
    const IdentifyResult result = run_identify(std::move(study), {.threads = 1, .stop = stop});
    run.status = result.status;
    run.message = result.message;
    run.iterations = result.refinement.iterations;
    if (result.has_system()) compare_with_truth(result, prepared.modes, run);
  } catch (const PlacedError& error) {
    fail_run(run, Status::NotIdentifiable, error.reason());
  } catch (const InvalidInput& error) {
    fail_run(run, Status::NotIdentifiable, error.reason());
  }
}

}  // namespace

std::uint64_t run_seed(std::uint64_t seed, std::size_t run) {
  RandomStream random(seed, run);
  const std::uint64_t high = random.bits();
  const std::uint64_t low = random.bits();
  return ((high << 32U) | low) >> 11U;
}

PreparedPoint prepared_point(const MonteCarloPoint& point) {
  const model::SecondOrder& system = point.simulate.linear()->system;
  const Eigen::Index n = system.degrees_of_freedom();
  const Eigen::Index entries = 3 * n * (n + 1) / 2;
  return {.point = &point,
          .map = integrate::one_step_map(system, point.simulate.step, point.simulate.integration),
          .modes = identify::mode_verdicts(system, Eigen::MatrixXd::Zero(entries, entries))};
}

void compare_with_truth(const IdentifyResult& result,
                        const std::vector<identify::ModeVerdict>& true_modes, MonteCarloRun& run) {
  const model::SecondOrder& found = result.refinement.system;
  const identify::Matrices& truth = *result.study.settings.truth;
  run.errors[0] = matrix_error(found.M, truth.M, result.deviations.M);
  run.errors[1] = matrix_error(found.D, truth.D, result.deviations.D);
  run.errors[2] = matrix_error(found.K, truth.K, result.deviations.K);
  compare_modes(result.modes, true_modes, run);
}

MonteCarloRun simulate_and_identify(const PreparedPoint& prepared, std::uint64_t seed,
                                    const StopFlag* stop) {
  MonteCarloRun run;
  for (RunError& error : run.errors) error.error = error.reported = kNaN;
  IdentifyStudy study = prepared.point->identify;
  const Outcome simulated = simulated_data(prepared, seed, stop, study.data.experiments);
  if (!simulated.ok()) {
    fail_run(run, simulated.status, simulated.message);
    return run;
  }
  study.data.sources.resize(study.data.experiments.size());
  identify_and_compare(prepared, std::move(study), stop, run);
  return run;
}

}  // namespace alembert::study
