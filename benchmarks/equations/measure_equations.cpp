// measure_equations REPEATS: simulates text models with both engines, and the same models written
// by hand in C++ with the same integrator. Prints one line of JSON for each model: least times in
// s.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alembert/integrate/equation_simulator.hpp"
#include "hand_written.hpp"

namespace {

using namespace alembert::model;
using namespace alembert::integrate;

struct Case {
  std::string name;
  std::string text;
  EquationSetup setup;
  std::vector<double> parameters;
  RecordTask task;
  std::vector<double> inputs;
  std::function<void(const std::vector<double>& x0, double* y)> by_hand;
};

double least_time(int repeats, const std::function<void()>& work) {
  double least = 1e300;
  for (int k = 0; k < repeats; ++k) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count());
  }
  return least;
}

Case tanks() {
  Case result;
  result.name = "tanks";
  result.text =
      "v1  = min(x1, vmax)\n"
      "ov  = max(x1 - vmax, 0)\n"
      "x1' = -p1*sqrt(2*g*v1) + p1*p2*(u - bu) - kover*ov\n"
      "x2' = p1*sqrt(2*g)*(sqrt(v1) - sqrt(x2)) + kover*ov\n"
      "y   = min(x2, vmax)\n";
  result.setup.inputs = {{"u", ""}};
  result.setup.outputs = {{"y", ""}};
  for (const char* name : {"p1", "p2", "kover", "bu", "v10", "v20"}) {
    result.setup.parameters.push_back({name, ""});
  }
  result.setup.constants = {{"g", 9.81, ""}, {"vmax", 10.0, ""}};
  result.setup.starts = {{"x1", "v10"}, {"x2", "v20"}};
  result.parameters = {0.0094, 4.87, 0.6, 0.675, 4.89, 5.16};
  result.task = {.samples = 1024, .step = 4.0, .substeps = 20};
  for (int k = 0; k < 1024; ++k) {
    result.inputs.push_back(3.2 + 1.2 * std::sin(0.05 * k) + 0.5 * std::sin(0.31 * k));
  }
  return result;
}

Case bouc_wen() {
  Case result;
  result.name = "bouc-wen";
  result.text =
      "y'' = (u - c*y' - k*y - z)/m\n"
      "z'  = alpha*y' - beta*(gamma*abs(y')*abs(z)^(nu - 1)*z + delta*y'*abs(z)^nu)\n";
  result.setup.inputs = {{"u", ""}};
  result.setup.outputs = {{"y", ""}};
  for (const char* name : {"m", "c", "k", "alpha", "beta", "gamma", "delta", "nu"}) {
    result.setup.parameters.push_back({name, ""});
  }
  result.parameters = {2.0, 10.0, 5e4, 5e4, 1e3, 0.8, -1.1, 1.1};
  result.task = {.samples = 2048,
                 .step = 1.0 / 750.0,
                 .substeps = 20,
                 .between = alembert::signal::BetweenSamples::Cubic};
  for (std::size_t k = 0; k < 2 * 20 * 2047 + 1; ++k) {
    const double t = static_cast<double>(k) / (750.0 * 40.0);
    result.inputs.push_back(60.0 * std::sin(200.0 * t) + 60.0 * std::sin(331.0 * t + 1.0));
  }
  return result;
}

// Times of one engine: plain simulation and simulation with all sensitivities.
std::pair<double, double> measure(const CompiledEquations& compiled, const Case& model,
                                  const RecordTask& task, int repeats, std::vector<double>& y) {
  EquationSimulator evaluator(compiled);
  evaluator.set_parameters(model.parameters);
  const std::size_t states = compiled.model().states().size();
  const std::size_t count = model.parameters.size();
  EquationJacobians start = evaluator.start_jacobians();
  evaluator.start(start);
  std::vector<int> columns;
  std::vector<double> s0(states * count), dy(y.size() * count);
  for (std::size_t k = 0; k < count; ++k) {
    columns.push_back(static_cast<int>(k));
    for (std::size_t i = 0; i < states; ++i) {
      s0[i * count + k] = start.by_parameter[k * states + i];
    }
  }
  const double sensitive = least_time(repeats, [&] {
    evaluator.simulate(task, start.values, y, {},
                       {.columns = columns, .start = s0, .outputs = dy, .states = {}});
  });
  const double plain = least_time(repeats, [&] { evaluator.simulate(task, start.values, y); });
  return {plain, sensitive};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double next = std::fabs(a[k] - b[k]);
    difference = next <= difference ? difference : next;  // NaN stays
    size = std::max(size, std::fabs(a[k]));
  }
  return difference / size;
}

void measure_case(const Case& model, const std::string& cache, int repeats) {
  const EquationModel parsed = parse_equations(model.text, model.setup);
  const double parse = least_time(repeats, [&] { (void)parse_equations(model.text, model.setup); });
  const EngineOptions options{.kind = EngineKind::Native,
                              .cache_folder = cache + "/" + model.name,
                              .loops = native_loops(model.task.method)};
  const auto prepare = [&] { const CompiledEquations compiled(parsed, options); };
  const double compile = least_time(1, prepare);
  const double cached = least_time(repeats, prepare);
  const CompiledEquations interpreted(parsed, {.kind = EngineKind::Interpreter});
  const CompiledEquations native(parsed, options);

  RecordTask task = model.task;
  task.inputs = model.inputs;
  EquationSimulator evaluator(interpreted);
  evaluator.set_parameters(model.parameters);
  std::vector<double> x0(parsed.states().size());
  evaluator.start(x0);
  std::vector<double> by_hand(task.samples), y1(task.samples), y2(task.samples);
  const double hand = least_time(repeats, [&] { model.by_hand(x0, by_hand.data()); });
  const auto [slow, slow_sensitive] = measure(interpreted, model, task, repeats, y1);
  const auto [fast, fast_sensitive] = measure(native, model, task, repeats, y2);
  fmt::print(
      "{{\"model\": \"{}\", \"steps\": {}, \"parse\": {}, \"compile\": {}, \"cached\": {}, "
      "\"hand\": {}, \"native\": {}, \"native_sensitivities\": {}, \"interpreter\": {}, "
      "\"interpreter_sensitivities\": {}, \"difference\": {}}}\n",
      model.name, (task.samples - 1) * task.substeps, parse, compile, cached, hand, fast,
      fast_sensitive, slow, slow_sensitive,
      std::max(largest_difference(by_hand, y1), largest_difference(y1, y2)));
}

void run(int repeats) {
  const std::filesystem::path cache =
      std::filesystem::temp_directory_path() / fmt::format("alembert-equations-{}", std::rand());
  std::filesystem::remove_all(cache);
  Case one = tanks();
  one.by_hand = [&one](const std::vector<double>& x0, double* y) {
    hand_written::simulate<hand_written::Tanks, false>({one.parameters.data()}, one.inputs.data(),
                                                       one.task.samples, one.task.substeps,
                                                       one.task.step, x0.data(), y);
  };
  Case two = bouc_wen();
  two.by_hand = [&two](const std::vector<double>& x0, double* y) {
    hand_written::simulate<hand_written::BoucWen, true>({two.parameters.data()}, two.inputs.data(),
                                                        two.task.samples, two.task.substeps,
                                                        two.task.step, x0.data(), y);
  };
  Case three = bouc_wen();
  three.name = "bouc-wen, Newmark";
  three.task.method = Integrator::Newmark;
  three.by_hand = [&three](const std::vector<double>&, double* y) {
    hand_written::BoucWenNewmark(three.parameters.data(),
                                 three.task.step / static_cast<double>(three.task.substeps))
        .simulate(three.inputs.data(), three.task.samples, three.task.substeps, y);
  };
  measure_case(one, cache.string(), repeats);
  measure_case(two, cache.string(), repeats);
  measure_case(three, cache.string(), repeats);
  std::filesystem::remove_all(cache);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: measure_equations REPEATS\n");
    return 2;
  }
  try {
    run(std::atoi(arguments[1]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
