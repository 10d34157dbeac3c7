#include "reproductions/bouc_wen/model.hpp"

#include "alembert/io/mat.hpp"
#include "reproductions/studies.hpp"

namespace alembert::reproductions::bouc_wen {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kStep = 1.0 / 750.0;  // s
constexpr Index kPeriod = 8192;
// 20 steps of Newmark's method a sample, as the authors of the benchmark take.
constexpr Index kSubsteps = 20;

const std::string kStudy = "bouc-wen/simulate.toml";

// β is a constant of the study.
double true_value(const std::string& name) {
  return study_number(kStudy,
                      (name == "beta" ? "model.constants." : "simulate.parameters.") + name);
}

VectorXd values_of(const std::filesystem::path& file, const std::string& channel) {
  const signal::Records records = io::read_mat(file, {.step = kStep, .channels = {channel}});
  return records.front().samples().col(0);
}

identify::Experiments one_record(const VectorXd& input, const VectorXd& output) {
  return {{.input = input, .output = output, .step = kStep}};
}

identify::Experiments test_record(const ReproduceOptions& options, const std::string& name) {
  const auto file = [&](const std::string& which) {
    return benchmark_file(options, "bouc-wen", "bouc_wen/" + which + name + ".mat");
  };
  return one_record(values_of(file("uval_"), "uval_" + name),
                    values_of(file("yval_"), "yval_" + name));
}

}  // namespace

const std::array<Parameter, kParameters>& parameters() {
  static const std::array<Parameter, kParameters> all{{{"m", true_value("m"), 1.0},
                                                       {"c", true_value("c"), 2.0},
                                                       {"k", true_value("k"), 1e4},
                                                       {"alpha", true_value("alpha"), 1e4},
                                                       {"beta", true_value("beta"), 1e3},
                                                       {"gamma", true_value("gamma"), 1.0},
                                                       {"delta", true_value("delta"), -0.9},
                                                       {"nu", true_value("nu"), 1.2}}};
  return all;
}

model::CompiledEquations equations() {
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{"y", {}}};
  for (const Parameter& parameter : parameters()) {
    setup.parameters.push_back({parameter.name, {}});
  }
  return model::CompiledEquations(
      model::parse_equations(study_word(kStudy, "model.equations"), setup),
      {.loops = model::NativeLoops::Newmark});
}

VectorXd truth() {
  VectorXd truth(static_cast<Index>(kParameters));
  for (std::size_t i = 0; i < kParameters; ++i) {
    truth(static_cast<Index>(i)) = parameters()[i].truth;
  }
  return truth;
}

identify::SimulationOptions steady() {
  return {.between = signal::BetweenSamples::BandLimited,
          .start = identify::StartState::Periodic,
          .substeps = kSubsteps,
          .integrator = identify::Integrator::Newmark};
}

identify::SimulationOptions from_rest(signal::BetweenSamples between) {
  return {.between = between, .substeps = kSubsteps, .integrator = identify::Integrator::Newmark};
}

Data read_data(const ReproduceOptions& options) {
  const std::filesystem::path train =
      benchmark_file(options, "bouc-wen", "bouc_wen/train_converted.mat");
  // Five periods from rest: the last one is in steady state.
  return {.estimation =
              one_record(values_of(train, "u").tail(kPeriod), values_of(train, "y").tail(kPeriod)),
          .multisine = test_record(options, "multisine"),
          .sweep = test_record(options, "sinesweep")};
}

std::vector<optimize::Parameter> start_of(const identify::Experiments& data, double share) {
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{"y", {}}};
  setup.parameters = {{"m", {}}, {"c", {}}, {"k", {}}};
  const model::CompiledEquations linear(model::parse_equations("y'' = (u - c*y' - k*y)/m", setup));
  const auto& published = parameters();
  identify::SimulationOptions coarse = steady();
  coarse.substeps = 2;
  const identify::OutputErrorResult fit = identify::output_error(
      linear,
      {{.name = "m", .guess = published[0].guess, .lower = 0.1},
       {.name = "c", .guess = published[1].guess, .lower = 0.0},
       {.name = "k", .guess = published[2].guess + published[3].guess, .lower = 1e3}},
      data, {.simulation = coarse});
  std::vector<optimize::Parameter> start;
  for (const Parameter& parameter : published) {
    start.push_back({.name = parameter.name, .guess = parameter.guess});
  }
  const double stiffness = fit.parameters(2);
  start[0].guess = fit.parameters(0);
  start[1].guess = 0.5 * fit.parameters(1);
  start[2].guess = share * stiffness;
  start[3].guess = (1.15 - share) * stiffness;
  for (const std::size_t positive : {0U, 1U, 2U, 3U}) start[positive].lower = 0.0;
  start[4].fixed = true;  // β stands beside γ and δ alone
  start[7].lower = 1.0;   // below it the model is unstable
  return start;
}

}  // namespace alembert::reproductions::bouc_wen
