#include "alembert/estimate/kinematic_observer.hpp"

#include <fmt/core.h>

#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/observer/steps.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

constexpr const char* kObserver = "KinematicObserver";

MechanismState assembled(const Mechanism& mechanism, const VectorXd& z) {
  check::size(kObserver, "start.z", z.size(), mechanism.coordinates());
  MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(z, state);
  if (!assembly.ok())
    throw InvalidInput({.function = std::string(kObserver), .rule = assembly.message});
  return state;
}

// Mean and standard deviations of the blocks of derivatives; what follows them is left at zero.
void fill_start(const ObserverStart& start, int n, int blocks, VectorXd& mean,
                VectorXd& deviations) {
  const VectorXd* const given[] = {&start.z, &start.zd, &start.zdd};
  const char* const names[] = {"start.z", "start.zd", "start.zdd"};
  const double sigmas[] = {start.sigma_z, start.sigma_zd, start.sigma_zdd, start.sigma_zddd};
  const std::vector<double>* const each[] = {&start.sigmas_z, &start.sigmas_zd, &start.sigmas_zdd};
  const char* const names_of_each[] = {"start.sigmas_z", "start.sigmas_zd", "start.sigmas_zdd"};
  for (int b = 0; b < blocks; ++b) {
    deviations.segment(b * n, n).setConstant(sigmas[b]);
    if (b > 2) continue;
    if (!each[b]->empty()) {
      check::size(kObserver, names_of_each[b], static_cast<Index>(each[b]->size()), n);
      deviations.segment(b * n, n) = Eigen::Map<const VectorXd>(each[b]->data(), n);
    }
    if (given[b]->size() == 0) continue;
    check::size(kObserver, names[b], given[b]->size(), n);
    mean.segment(b * n, n) = *given[b];
  }
}

// Standard deviations of so many states: one for each, or one for all.
std::vector<double> sigmas_of(const char* argument, const std::vector<double>& each, double all,
                              int count) {
  if (each.empty()) return std::vector<double>(static_cast<std::size_t>(count), all);
  check::size(kObserver, argument, static_cast<Index>(each.size()), count);
  return each;
}

MatrixXd diagonal(const VectorXd& deviations) {
  MatrixXd P = MatrixXd::Zero(deviations.size(), deviations.size());
  for (Index i = 0; i < deviations.size(); ++i) P(i, i) = deviations(i) * deviations(i);
  return P;
}

DynamicNoise block_noise(const char* argument, const std::vector<double>& variances, int blocks,
                         int n) {
  if (static_cast<int>(variances.size()) < blocks) {
    throw InvalidInput({.function = std::string(kObserver),
                        .argument = std::string(argument),
                        .rule = fmt::format("must have {} entries", blocks),
                        .value = fmt::format("{}", variances.size())});
  }
  MatrixXd Q = MatrixXd::Zero(blocks * n, blocks * n);
  for (int i = 0; i < blocks * n; ++i) Q(i, i) = variances[static_cast<std::size_t>(i / n)];
  return DynamicNoise::from_covariance(Q);
}

}  // namespace

struct KinematicObserver::Implementation {
  std::shared_ptr<const Mechanism> mechanism;  // constant, shared with the models
  std::vector<std::string> names;
  std::unique_ptr<ObserverSteps> steps;

  void begin_output_form(MechanismState state, const KinematicObserverOptions& options);
  void begin_input_form(MechanismState state, const KinematicObserverOptions& options);
  void add_rest(const KinematicOutputModel& model, const ObserverStart& start,
                VectorXd& deviations);
  void add_names(int blocks);
};

void KinematicObserver::Implementation::add_names(int blocks) {
  std::string primes;
  for (int b = 0; b < blocks; ++b) {
    for (const model::planar::Coordinate& c : mechanism->description().coordinates) {
      names.push_back(model::planar::to_string(c) + primes);
    }
    primes += "'";
  }
}

// Names and standard deviations of geometry parameters and biases.
void KinematicObserver::Implementation::add_rest(const KinematicOutputModel& model,
                                                 const ObserverStart& start, VectorXd& deviations) {
  const std::vector<double> of_parameters =
      sigmas_of("start.sigma_parameters", start.sigma_parameters, start.sigma_parameter,
                model.first_bias() - model.first_parameter());
  const std::vector<double> of_biases =
      sigmas_of("start.sigma_biases", start.sigma_biases, start.sigma_bias,
                model.states() - model.first_bias());
  for (int i = model.first_parameter(); i < model.first_bias(); ++i) {
    const auto k = static_cast<std::size_t>(i - model.first_parameter());
    deviations(i) = of_parameters[k];
    names.push_back(mechanism->description().parameters[k].name);
  }
  for (const int sensor : model.options().biases) {
    const auto at = static_cast<Index>(names.size());
    deviations(at) = of_biases[static_cast<std::size_t>(at - model.first_bias())];
    names.push_back(fmt::format(
        "bias({})", mechanism->description().sensors[static_cast<std::size_t>(sensor)].name));
  }
}

void KinematicObserver::Implementation::begin_output_form(MechanismState state,
                                                          const KinematicObserverOptions& options) {
  KinematicOutputModel model(mechanism, std::move(state), options.output);
  const std::vector<int> outputs = model.options().sensors;
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, mechanism->coordinates(), model.blocks(), mean, deviations);
  add_names(model.blocks());
  add_rest(model, options.start, deviations);
  ObserverNoise noise{.r = sensor_noise(*mechanism, outputs),
                      .motion = MotionNoise(model, options.output_noise)};
  const int derivatives = model.first_parameter();
  auto filter = make_filter(std::move(model), mean, diagonal(deviations), options);
  steps = std::make_unique<ObserverSteps>(mechanism, std::move(filter), std::move(noise),
                                          std::vector<int>{}, outputs, derivatives, options);
}

void KinematicObserver::Implementation::begin_input_form(MechanismState state,
                                                         const KinematicObserverOptions& options) {
  KinematicInputModel model(mechanism, std::move(state), options.input);
  const int n = mechanism->coordinates();
  const int blocks = model.blocks();
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, n, blocks, mean, deviations);
  add_names(blocks);
  const InputFormNoise& given = options.input_noise;
  ObserverNoise noise{
      .r = sensor_noise(*mechanism, options.input.outputs),
      .input_form = {block_noise("input_noise.kinematic", given.kinematic, blocks, n),
                     block_noise("input_noise.random_walk", given.random_walk, blocks, n)}};
  if (given.from_inputs) noise.from_inputs.emplace(model, noise.input_form[0]);
  auto filter = make_filter(std::move(model), mean, diagonal(deviations), options);
  steps = std::make_unique<ObserverSteps>(mechanism, std::move(filter), std::move(noise),
                                          options.input.inputs, options.input.outputs, blocks * n,
                                          options);
}

KinematicObserver::KinematicObserver(std::shared_ptr<const Mechanism> mechanism,
                                     const KinematicObserverOptions& options)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& me = *implementation_;
  me.mechanism = std::move(mechanism);
  MechanismState state = assembled(*me.mechanism, options.start.z);
  if (options.form == ObserverForm::Output) {
    me.begin_output_form(std::move(state), options);
  } else {
    me.begin_input_form(std::move(state), options);
  }
}

KinematicObserver::~KinematicObserver() = default;
KinematicObserver::KinematicObserver(KinematicObserver&&) noexcept = default;
KinematicObserver& KinematicObserver::operator=(KinematicObserver&&) noexcept = default;

ObserverStep KinematicObserver::step(double step, std::span<const double> readings) noexcept {
  return implementation_->steps->step(step, readings, nullptr);
}
ObserverStep KinematicObserver::step(double step, std::span<const double> readings,
                                     Kernel& kernel) noexcept {
  return implementation_->steps->step(step, readings, &kernel);
}
ObserverStep KinematicObserver::step_late(double ago, std::span<const double> readings) noexcept {
  return implementation_->steps->step_late(ago, readings);
}

int KinematicObserver::states() const { return static_cast<int>(implementation_->names.size()); }
int KinematicObserver::coordinates() const { return implementation_->mechanism->coordinates(); }
const std::vector<std::string>& KinematicObserver::state_names() const {
  return implementation_->names;
}
const VectorXd& KinematicObserver::mean() const { return implementation_->steps->filter().mean(); }
MatrixXd KinematicObserver::covariance() const {
  return implementation_->steps->filter().covariance();
}
const std::vector<int>& KinematicObserver::outputs() const {
  return implementation_->steps->outputs();
}
const Innovation<double, Eigen::Dynamic>& KinematicObserver::innovation() const {
  return implementation_->steps->filter().innovation();
}
const VectorXd& KinematicObserver::unreached() const { return implementation_->steps->unreached(); }
double KinematicObserver::process_scale() const { return implementation_->steps->process_scale(); }
const DynamicNoise& KinematicObserver::output_noise() const {
  return implementation_->steps->output_noise();
}
std::vector<Belief<double, Eigen::Dynamic>> KinematicObserver::smooth(
    std::span<const Kernel> kernels) const {
  return implementation_->steps->filter().smooth(kernels);
}

}  // namespace alembert::estimate
