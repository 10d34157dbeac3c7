// measure_identify make FOLDER SAMPLES: writes u.mat and y.mat, forces and noisy displacements of
// the
//   frame with 8 degrees of freedom (10 ms, 20 dB, white force samples, fixed seed).
// measure_identify subspace SAMPLES HORIZON REPEATS: subspace identification of the same data.
// measure_identify refine SAMPLES REPEATS: weak form and exact refinement of the same data.
// measure_identify chain N SAMPLES REPEATS: the same for a chain with N degrees of freedom, driven
//   at every fourth mass (at least one).
// Each prints one line of JSON with times in s, relative errors of M, D, K and the peak memory.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "alembert/identify/subspace.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "alembert/identify/weak_form.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/model/published_systems.hpp"
#include "study/linear_case.hpp"
#include "tests/support/memory_peak.hpp"

namespace {

using namespace alembert;
using study::LinearCase;
using study::SimulatedCase;

constexpr double kStep = 0.01;
constexpr std::uint64_t kSeed = 20240617;

LinearCase frame(Eigen::Index samples) {
  const model::SecondOrder system = model::frame_8dof();
  return {.system = system,
          .outputs = study::all_displacements(system),
          .step = kStep,
          .samples = samples,
          .snr_db = 20.0};
}

// Masses of 1 kg between springs of 1 kN/m and dampers, both ends held.
LinearCase chain(Eigen::Index n, Eigen::Index samples) {
  model::SecondOrder system;
  system.M = Eigen::MatrixXd::Identity(n, n);
  system.K = 2000.0 * Eigen::MatrixXd::Identity(n, n);
  system.K.diagonal(1).setConstant(-1000.0);
  system.K.diagonal(-1).setConstant(-1000.0);
  system.D = 1e-3 * system.K + 0.2 * system.M;
  const Eigen::Index forces = std::max<Eigen::Index>(1, n / 4);
  system.L = Eigen::MatrixXd::Zero(n, forces);
  for (Eigen::Index c = 0; c < forces; ++c) {
    system.L(4 * c, c) = 1.0;
  }
  return {.system = system,
          .outputs = study::all_displacements(system),
          .step = kStep,
          .samples = samples,
          .snr_db = 40.0};
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

void print(const std::vector<double>& seconds, const Eigen::Vector3d& errors, long long before,
           int iterations = 0) {
  fmt::print(
      "{{\"seconds\": [{}], \"errors\": [{}, {}, {}], \"before\": {}, \"peak\": {}, "
      "\"iterations\": {}}}\n",
      fmt::join(seconds, ", "), errors[0], errors[1], errors[2], before,
      alembert::test::peak_memory(), iterations);
}

void make(const std::string& folder, Eigen::Index samples) {
  const SimulatedCase data = study::simulate_case(frame(samples), RandomStream(kSeed));
  io::write_mat_matrix(folder + "/u.mat", data.data[0].input, "u");
  io::write_mat_matrix(folder + "/y.mat", data.data[0].output, "y");
}

void measure_subspace(Eigen::Index samples, Eigen::Index horizon, int repeats) {
  const LinearCase linear = frame(samples);
  const SimulatedCase data = study::simulate_case(linear, RandomStream(kSeed));
  const long long before = alembert::test::peak_memory();
  identify::SubspaceModel model;
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(seconds_of([&] {
      model = identify::subspace(
          data.data, {.order = 16, .horizon = horizon, .feedthrough = false, .innovation = true});
    }));
  }
  const identify::ContinuousModel continuous =
      identify::to_continuous(model.model, identify::DiscreteRule::ZeroOrderHold);
  const identify::ProjectedMatrices projected =
      identify::second_order_projection(continuous, linear.system.L, identify::MassScaling::Markov);
  print(seconds, study::relative_errors(projected.matrices, study::matrices_of(linear.system)),
        before);
}

void measure_refine(const LinearCase& linear, int repeats) {
  const SimulatedCase data = study::simulate_case(linear, RandomStream(kSeed));
  const identify::LinearProblem problem = study::free_problem(linear);
  const long long before = alembert::test::peak_memory();
  identify::Refinement refinement;
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    seconds.push_back(seconds_of([&] {
      const identify::WeakFormEstimate weak = identify::weak_form(
          problem.unknowns, data.data, linear.system.L, model::Motion::Displacement);
      refinement = identify::refine(problem, data.data, identify::clipped(weak.matrices));
    }));
  }
  print(seconds,
        study::relative_errors(study::matrices_of(refinement.system),
                               study::matrices_of(linear.system)),
        before, refinement.iterations);
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) {
    return static_cast<Eigen::Index>(std::atoll(words.at(i).c_str()));
  };
  const std::string& mode = words.at(0);
  if (mode == "make") {
    make(words.at(1), number(2));
  } else if (mode == "subspace") {
    measure_subspace(number(1), number(2), static_cast<int>(number(3)));
  } else if (mode == "refine") {
    measure_refine(frame(number(1)), static_cast<int>(number(2)));
  } else if (mode == "chain") {
    measure_refine(chain(number(1), number(2)), static_cast<int>(number(3)));
  } else {
    fmt::print(stderr, "unknown mode {}; see the head of the source\n", mode);
    return 2;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
