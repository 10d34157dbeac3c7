#include "alembert/integrate/ode/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/integrate/ode/runge_kutta4.hpp"
#include "alembert/integrate/ode/stiff.hpp"

namespace alembert::integrate::ode {

namespace {

// Keeps the samples as long as they are numbers.
class KeptSamples final : public Samples {
 public:
  KeptSamples(long count, std::size_t states)
      : rows(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(states)) {}

  bool write(long sample, double /*t*/, const double* x, const double* /*s*/) override {
    const Eigen::Map<const Eigen::RowVectorXd> row(x, rows.cols());
    if (!row.allFinite()) return false;
    rows.row(static_cast<Eigen::Index>(sample)) = row;
    return true;
  }

  Eigen::MatrixXd rows;
};

void check_solve(const char* function, const System& system,
                 const Eigen::Ref<const Eigen::VectorXd>& x0, const SampleTimes& times) {
  check::size(function, "x0", x0.size(), static_cast<long long>(system.states()));
  for (const double x : x0) check::finite(function, "x0", x);
  check::at_least(function, "times.count", times.count, 1);
  check::positive(function, "times.step", times.step);
}

void check_steps(const char* function, const System& system, const AdaptiveSteps& steps) {
  if (steps.relative_tolerance) {
    check::positive(function, "relative_tolerance", *steps.relative_tolerance);
  }
  check::positive(function, "absolute_tolerance", steps.absolute_tolerance);
  if (steps.scales.empty()) return;
  check::size(function, "scales", static_cast<long long>(steps.scales.size()),
              static_cast<long long>(system.states()));
}

Solution solution_of(const KeptSamples& samples, const SampleTimes& times, long done) {
  Solution solution;
  solution.states = samples.rows.topRows(static_cast<Eigen::Index>(done));
  solution.time.resize(static_cast<Eigen::Index>(done));
  for (long k = 0; k < done; ++k) solution.time(static_cast<Eigen::Index>(k)) = times.at(k);
  if (done < times.count) {
    solution.status = Status::NotFinite;
    solution.message = fmt::format(
        "the solution ends after {} of {} samples: it leaves the range of numbers, or the steps "
        "become too small or too many",
        done, times.count);
  }
  return solution;
}

}  // namespace

Solution solve_runge_kutta4(System& system, const Eigen::Ref<const Eigen::VectorXd>& x0,
                            const SampleTimes& times, int substeps) {
  check_solve("solve_runge_kutta4", system, x0, times);
  check::at_least("solve_runge_kutta4", "substeps", substeps, 1);
  KeptSamples samples(times.count, system.states());
  RungeKutta4 method(system);
  for (std::size_t i = 0; i < system.states(); ++i) {
    method.state()[i] = x0(static_cast<Eigen::Index>(i));
  }
  const double h = times.step / substeps;
  long done = 0;
  while (samples.write(done, times.at(done), method.state(), nullptr) && ++done < times.count) {
    for (int j = 0; j < substeps; ++j) method.step(times.at(done - 1) + j * h, h);
  }
  return solution_of(samples, times, done);
}

Solution solve_adaptive(System& system, const Eigen::Ref<const Eigen::VectorXd>& x0,
                        const SampleTimes& times, const AdaptiveSteps& steps, Events* events) {
  check_solve("solve_adaptive", system, x0, times);
  check_steps("solve_adaptive", system, steps);
  KeptSamples samples(times.count, system.states());
  const std::size_t size = system.states() * system.stride();
  std::vector<double> work(AdaptiveRun::work_room(system.states()));
  std::vector<double> more(AdaptiveRun::sensitivity_room(size), 0.0);
  AdaptiveRun run(system, nullptr, times, steps, samples, work.data(), more.data());
  if (events != nullptr) run.watch(*events);
  const Eigen::VectorXd start = x0;
  Solution solution = solution_of(samples, times, run.run(start.data()));
  if (run.ended_by_event()) {
    solution.status = Status::Stopped;
    solution.message = "an event ended the solution";
  }
  return solution;
}

Solution solve_stiff(System& system, const Eigen::Ref<const Eigen::VectorXd>& x0,
                     const SampleTimes& times, const AdaptiveSteps& steps) {
  check_solve("solve_stiff", system, x0, times);
  check_steps("solve_stiff", system, steps);
  KeptSamples samples(times.count, system.states());
  const Eigen::VectorXd start = x0;
  const long done = stiff_run(system, nullptr, times, steps, samples, start.data());
  return solution_of(samples, times, done);
}

}  // namespace alembert::integrate::ode
