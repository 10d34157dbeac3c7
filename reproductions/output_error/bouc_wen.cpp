#include "reproductions/output_error/bouc_wen.hpp"

#include "alembert/io/mat.hpp"

namespace alembert::reproductions {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kBoucWenStep = 1.0 / 750.0;  // s
constexpr Index kPeriod = 8192;
// 20 steps of Newmark's method a sample, as the authors of the benchmark take.
constexpr Index kBoucWenSubsteps = 20;

VectorXd values_of(const std::filesystem::path& file, const std::string& channel) {
  const signal::Records records = io::read_mat(file, {.step = kBoucWenStep, .channels = {channel}});
  return records.front().samples().col(0);
}

identify::Experiments one_record(const VectorXd& input, const VectorXd& output) {
  return {{.input = input, .output = output, .step = kBoucWenStep}};
}

identify::Experiments test_record(const ReproduceOptions& options, const std::string& name) {
  const auto file = [&](const std::string& which) {
    return benchmark_file(options, "bouc-wen", "bouc_wen/" + which + name + ".mat");
  };
  return one_record(values_of(file("uval_"), "uval_" + name),
                    values_of(file("yval_"), "yval_" + name));
}

}  // namespace

const std::array<BoucWenParameter, kBoucWenParameters>& bouc_wen_parameters() {
  static constexpr std::array<BoucWenParameter, kBoucWenParameters> kParameters{
      {{"m", 2.0, 1.0},
       {"c", 10.0, 2.0},
       {"k", 5e4, 1e4},
       {"alpha", 5e4, 1e4},
       {"beta", 1e3, 1e3},
       {"gamma", 0.8, 1.0},
       {"delta", -1.1, -0.9},
       {"nu", 1.0, 1.2}}};
  return kParameters;
}

model::CompiledEquations bouc_wen_model() {
  const std::string text = R"(
    y'' = (u - c*y' - k*y - z)/m
    z'  = alpha*y' - beta*(gamma*abs(y')*abs(z)^(nu - 1)*z + delta*y'*abs(z)^nu)
  )";
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{"y", {}}};
  for (const BoucWenParameter& parameter : bouc_wen_parameters()) {
    setup.parameters.push_back({parameter.name, {}});
  }
  return model::CompiledEquations(model::parse_equations(text, setup),
                                  {.loops = model::NativeLoops::Newmark});
}

VectorXd bouc_wen_truth() {
  VectorXd truth(static_cast<Index>(kBoucWenParameters));
  for (std::size_t i = 0; i < kBoucWenParameters; ++i) {
    truth(static_cast<Index>(i)) = bouc_wen_parameters()[i].truth;
  }
  return truth;
}

identify::SimulationOptions steady_bouc_wen() {
  return {.between = identify::Interpolation::BandLimited,
          .start = identify::StartState::Periodic,
          .substeps = kBoucWenSubsteps,
          .integrator = identify::Integrator::Newmark};
}

identify::SimulationOptions bouc_wen_from_rest(identify::Interpolation between) {
  return {.between = between,
          .substeps = kBoucWenSubsteps,
          .integrator = identify::Integrator::Newmark};
}

BoucWenData read_bouc_wen(const ReproduceOptions& options) {
  const std::filesystem::path train =
      benchmark_file(options, "bouc-wen", "bouc_wen/train_converted.mat");
  // Five periods from rest: the last one is in steady state.
  return {.estimation =
              one_record(values_of(train, "u").tail(kPeriod), values_of(train, "y").tail(kPeriod)),
          .multisine = test_record(options, "multisine"),
          .sweep = test_record(options, "sinesweep")};
}

std::vector<optimize::Parameter> bouc_wen_start(const identify::Experiments& data, double share) {
  model::EquationSetup setup;
  setup.inputs = {{"u", {}}};
  setup.outputs = {{"y", {}}};
  setup.parameters = {{"m", {}}, {"c", {}}, {"k", {}}};
  const model::CompiledEquations linear(model::parse_equations("y'' = (u - c*y' - k*y)/m", setup));
  const auto& published = bouc_wen_parameters();
  identify::SimulationOptions coarse = steady_bouc_wen();
  coarse.substeps = 2;
  const identify::OutputErrorResult fit = identify::output_error(
      linear,
      {{.name = "m", .guess = published[0].guess, .lower = 0.1},
       {.name = "c", .guess = published[1].guess, .lower = 0.0},
       {.name = "k", .guess = published[2].guess + published[3].guess, .lower = 1e3}},
      data, {.simulation = coarse});
  std::vector<optimize::Parameter> start;
  for (const BoucWenParameter& parameter : published) {
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

}  // namespace alembert::reproductions
