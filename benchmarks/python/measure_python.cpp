// measure_python identify FILE SAMPLES CHANNELS STEP REPEATS | observe STEPS REPEATS: CPU seconds
// of the fastest repeat, for benchmarks/python/run. FILE holds forces and displacements as doubles,
// a column after the other.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "alembert/estimate/own_model/equation_observer.hpp"
#include "alembert/identify/linear.hpp"

namespace {

using namespace alembert;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Call>
double fastest(int repeats, const Call& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const double begin = cpu_seconds();
    call();
    best = std::min(best, cpu_seconds() - begin);
  }
  return best;
}

void measure_identify(const std::string& file, Eigen::Index samples, Eigen::Index channels,
                      double step, int repeats) {
  Eigen::MatrixXd u(samples, channels), y(samples, channels);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(u.data()), u.size() * 8);
  in.read(reinterpret_cast<char*>(y.data()), y.size() * 8);
  double mass = 0.0;
  const double seconds = fastest(repeats, [&] {
    identify::LinearOptions options;
    options.refinement.hold = signal::BetweenSamples::Held;
    options.threads = 1;
    mass = identify::identify_linear({{.input = u, .output = y, .step = step}}, options)
               .refinement.system.M(0, 0);
  });
  fmt::print("{:.9e} {:.17g}\n", seconds, mass);
}

void measure_observe(int steps, int repeats) {
  model::EquationSetup setup;
  setup.outputs = {{"a", ""}, {"b", ""}};
  setup.parameters = {{"g", ""}, {"k", ""}};
  estimate::EquationObserverOptions options;
  options.mean = Eigen::Vector4d(0.5, 0.0, 0.3, 0.0);
  options.deviation = Eigen::VectorXd::Constant(1, 0.1);
  options.process_noise = 1e-6 * Eigen::MatrixXd::Identity(4, 4);
  options.sigma = Eigen::VectorXd::Constant(1, 0.02);
  estimate::EquationObserver observer("a'' = -g*sin(a) - k*(a - b)\nb'' = -g*sin(b) + k*(a - b)",
                                      setup, Eigen::Vector2d(9.81, 2.0), options);
  std::vector<Eigen::Vector2d> readings;
  for (int i = 0; i < steps; ++i) readings.emplace_back(0.5 * std::cos(0.03 * i), 0.3);
  const double seconds = fastest(repeats, [&] {
    for (const Eigen::Vector2d& z : readings) {
      static_cast<void>(observer.step(0.01, {z.data(), 2}));
    }
  });
  fmt::print("{:.9e} {:.17g}\n", seconds / steps, observer.mean()(0));
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 6 && words[0] == "identify") {
    measure_identify(words[1], std::stol(words[2]), std::stol(words[3]), std::stod(words[4]),
                     std::stoi(words[5]));
  } else if (words.size() == 3 && words[0] == "observe") {
    measure_observe(std::stoi(words[1]), std::stoi(words[2]));
  } else {
    return 2;
  }
  return 0;
}
