// measure_identify make FOLDER SAMPLES: writes u.mat and y.mat, forces and noisy displacements of
//   the frame with 8 degrees of freedom (10 ms, 20 dB, white force samples, fixed seed).
// measure_identify subspace SAMPLES HORIZON REPEATS THREADS: subspace identification of the same
//   data; 0 threads are all cores.
// measure_identify refine SAMPLES REPEATS: weak form and exact refinement of the same data.
// measure_identify chain N SAMPLES REPEATS: the same for a chain with N degrees of freedom, driven
//   at every fourth mass (at least one), with every entry of M, D, K unknown.
// measure_identify banded N SAMPLES REPEATS: the same with M known to be diagonal and D and K
//   known to be tridiagonal.
// Each prints one line of JSON with times in s (passed, and used by all threads), relative errors
// of M, D, K, the peak memory and the name of the BLAS kernels.
#include <cblas.h>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "alembert/core/prepare_blas.hpp"
#include "alembert/identify/linear.hpp"
#include "alembert/identify/subspace.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "alembert/identify/weak_form.hpp"
#include "alembert/io/mat.hpp"
#include "reproductions/published_systems.hpp"
#include "reproductions/variational/linear_case.hpp"
#include "tests/support/memory_peak.hpp"

namespace {

using namespace alembert;
namespace variational = reproductions::variational;
using variational::LinearCase;
using variational::SimulatedCase;

constexpr double kStep = 0.01;
constexpr std::uint64_t kSeed = 20240617;

LinearCase frame(Eigen::Index samples) {
  const model::SecondOrder system = reproductions::frame_8dof();
  return {.system = system,
          .outputs = variational::all_displacements(system),
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
          .outputs = variational::all_displacements(system),
          .step = kStep,
          .samples = samples,
          .snr_db = 40.0};
}

struct Times {
  std::vector<double> seconds, cpu;  // passed, and used by all threads

  void add(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    work();
    cpu.push_back(static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    seconds.push_back(time.count());
  }
};

void print(const Times& times, const Eigen::Vector3d& errors,
           const alembert::test::MemoryPeak& memory, int iterations = 0,
           Eigen::Index unknowns = 0) {
  fmt::print(
      "{{\"seconds\": [{}], \"cpu\": [{}], \"errors\": [{}, {}, {}], \"memory\": {}, "
      "\"iterations\": {}, \"unknowns\": {}, \"kernels\": \"{}\"}}\n",
      fmt::join(times.seconds, ", "), fmt::join(times.cpu, ", "), errors[0], errors[1], errors[2],
      memory.growth(), iterations, unknowns, openblas_get_corename());
}

void make(const std::string& folder, Eigen::Index samples) {
  const SimulatedCase data = variational::simulate_case(frame(samples), RandomStream(kSeed));
  io::write_mat_matrix(folder + "/u.mat", data.data[0].input, "u");
  io::write_mat_matrix(folder + "/y.mat", data.data[0].output, "y");
}

void measure_subspace(Eigen::Index samples, Eigen::Index horizon, int repeats, int threads) {
  const LinearCase linear = frame(samples);
  const SimulatedCase data = variational::simulate_case(linear, RandomStream(kSeed));
  const alembert::test::MemoryPeak memory;
  identify::SubspaceModel model;
  Times times;
  for (int i = 0; i < repeats; ++i) {
    times.add([&] {
      model = identify::subspace(data.data, {.order = 16,
                                             .horizon = horizon,
                                             .feedthrough = false,
                                             .innovation = true,
                                             .threads = threads});
    });
  }
  const identify::ContinuousModel continuous =
      identify::to_continuous(model.model, identify::DiscreteRule::ZeroOrderHold);
  const identify::ProjectedMatrices projected =
      identify::second_order_projection(continuous, linear.system.L, identify::MassScaling::Markov);
  print(times,
        identify::relative_differences(projected.matrices, variational::matrices_of(linear.system)),
        memory);
}

identify::LinearProblem banded_problem(const LinearCase& linear) {
  const Eigen::Index n = linear.system.degrees_of_freedom();
  identify::StructureOptions structure{.diagonal_mass = true};
  for (const char matrix : {'D', 'K'}) {
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j + 1 < i; ++j) {
        structure.rules.push_back({.matrix = matrix, .row = i, .column = j});
      }
    }
  }
  return {linear.system.L, linear.outputs, identify::structured_matrices(n, structure)};
}

void measure_refine(const LinearCase& linear, const identify::LinearProblem& problem, int repeats) {
  const SimulatedCase data = variational::simulate_case(linear, RandomStream(kSeed));
  const alembert::test::MemoryPeak memory;
  identify::Refinement refinement;
  Times times;
  for (int i = 0; i < repeats; ++i) {
    times.add([&] {
      const identify::WeakFormEstimate weak = identify::weak_form(
          problem.unknowns, data.data, linear.system.L, model::Motion::Displacement);
      refinement = identify::refine(problem, data.data, identify::clipped(weak.matrices));
    });
  }
  print(times,
        identify::relative_differences(variational::matrices_of(refinement.system),
                                       variational::matrices_of(linear.system)),
        memory, refinement.iterations, problem.unknowns.size());
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) {
    return static_cast<Eigen::Index>(std::atoll(words.at(i).c_str()));
  };
  const std::string& mode = words.at(0);
  if (mode == "make") {
    make(words.at(1), number(2));
  } else if (mode == "subspace") {
    measure_subspace(number(1), number(2), static_cast<int>(number(3)),
                     static_cast<int>(number(4)));
  } else if (mode == "refine") {
    const LinearCase linear = frame(number(1));
    measure_refine(linear, variational::free_problem(linear), static_cast<int>(number(2)));
  } else if (mode == "chain" || mode == "banded") {
    const LinearCase linear = chain(number(1), number(2));
    const bool banded = mode == "banded";
    measure_refine(linear, banded ? banded_problem(linear) : variational::free_problem(linear),
                   static_cast<int>(number(3)));
  } else {
    fmt::print(stderr, "unknown mode {}; see the head of the source\n", mode);
    return 2;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  alembert::prepare_blas();
  try {
    return run(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
