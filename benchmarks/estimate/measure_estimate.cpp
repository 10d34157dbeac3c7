// Time of a filter step (predict and update): mean, 99.9 percentile and worst of many. Prints one
// line of JSON for each case; the script `run` makes the table.
#include <fmt/format.h>

#include <Eigen/Core>
#include <cstdlib>
#include <string>
#include <vector>

#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/sigma_point_filter.hpp"
#include "alembert/estimate/square_root_ekf.hpp"
#include "alembert/estimate/square_root_sigma_point_filter.hpp"
#include "bare_model.hpp"
#include "measure_dynamics.hpp"
#include "measure_mechanisms.hpp"
#include "measure_peers.hpp"
#include "step_times.hpp"
#include "support/slider_crank.hpp"

namespace {

using namespace alembert;
using namespace alembert::estimate;
using benchmark::Bare;
using benchmark::measure_steps;
namespace crank = alembert::test::slider_crank;

template <typename Filter>
struct Case {
  std::string model;
  std::string name;
  Filter filter;
  typename Filter::ProcessNoise q;
  typename Filter::OutputNoise r;
  std::vector<typename Filter::Output> measurements;
};

template <typename Filter>
void measure(Case<Filter> test, long steps) {
  long failures = 0;
  const typename Filter::Input u{};
  std::size_t at = 0;
  const auto step = [&] {
    if (test.filter.predict(u, test.q) != Status::Success) ++failures;
    const UpdateReport report = test.filter.update(u, test.measurements[at], test.r);
    if (report.status != Status::Success) ++failures;
    if (++at == test.measurements.size()) at = 0;
  };
  measure_steps(test.model, test.name, steps, failures, step);
}

template <typename Model>
void measure_all(const std::string& name, const typename ModelTypes<Model>::State& mean,
                 const typename ModelTypes<Model>::StateMatrix& covariance,
                 const Noise<double, Model::kStates>& q, const Noise<double, Model::kOutputs>& r,
                 const std::vector<typename ModelTypes<Model>::Output>& z, long steps) {
  constexpr int kN = Model::kStates;
  const Model model;
  const auto run = [&](const std::string& filter_name, const auto& filter) {
    using Filter = std::decay_t<decltype(filter)>;
    measure(Case<Filter>{name, filter_name, filter, q, r, z}, steps);
  };
  run("ekf", Ekf<Model>(model, mean, covariance));
  run("square-root ekf", SquareRootEkf<Model>(model, mean, covariance));
  const SigmaPoints simplex = spherical_simplex(kN);
  run("simplex", SigmaPointFilter<Model, simplex_count(kN)>(model, mean, covariance, simplex));
  run("unscented",
      SigmaPointFilter<Model, unscented_count(kN)>(model, mean, covariance, unscented(kN)));
  run("square-root simplex",
      SquareRootSigmaPointFilter<Model, simplex_count(kN)>(model, mean, covariance, simplex));
  run("square-root unscented", SquareRootSigmaPointFilter<Model, unscented_count(kN)>(
                                   model, mean, covariance, unscented(kN)));
}

template <int N, int M>
void measure_bare(long steps) {
  using Model = Bare<N, M>;
  using Types = ModelTypes<Model>;
  RandomStream random(1);
  std::vector<typename Types::Output> z(1000);
  for (auto& value : z) value = 0.1 * random.normal_vector(M);
  measure_all<Model>(
      fmt::format("bare n = {}, m = {}", N, M), Types::State::Zero(),
      Types::StateMatrix::Identity(),
      Noise<double, N>::from_deviations(Types::State::Constant(benchmark::kBareProcessDeviation)),
      Noise<double, M>::from_deviations(Types::Output::Constant(benchmark::kBareOutputDeviation)),
      z, steps);
}

void measure_slider_crank(long steps) {
  using Model = crank::OutputForm<double, 3>;
  std::vector<Eigen::Vector2d> z;
  for (const crank::Sample& sample : crank::record(30.0, 1)) {
    z.emplace_back(sample.encoder, sample.acceleration);
  }
  const Eigen::Vector3d mean(0.0, 13.8, 0.0);
  const Eigen::Vector3d variance(1e-5, 1.0, 400.0);
  const Eigen::Matrix3d covariance = variance.asDiagonal();
  const auto q = Noise<double, 3>::from_covariance(Model::noise(162.0));
  const auto r =
      Noise<double, 2>::from_deviations({crank::kAngleDeviation, crank::kAccelerationDeviation});
  const std::string name = "slider-crank, output form";
  measure_all<Model>(name, mean, covariance, q, r, z, steps);
  using ByHand = Ekf<crank::OutputFormByHand>;
  measure(Case<ByHand>{name, "ekf, derivatives by hand", ByHand({}, mean, covariance), q, r, z},
          steps);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: measure_estimate STEPS\n");
    return 2;
  }
  const long steps = std::atol(arguments[1]);
  measure_bare<2, 1>(steps);
  measure_bare<4, 2>(steps);
  measure_bare<6, 3>(steps);
  measure_bare<10, 5>(steps);
  alembert::benchmark::measure_peers(steps);
  measure_slider_crank(steps);
  alembert::benchmark::measure_mechanisms(steps);
  alembert::benchmark::measure_dynamics(steps);
}
