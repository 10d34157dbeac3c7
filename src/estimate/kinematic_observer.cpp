#include "alembert/estimate/kinematic_observer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/kinematic_filter.hpp"

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
  if (!assembly.ok()) throw InvalidInput(fmt::format("{}: {}", kObserver, assembly.message));
  return state;
}

// Mean and standard deviations of the blocks of derivatives; what follows them is left at zero.
void fill_start(const ObserverStart& start, int n, int blocks, VectorXd& mean,
                VectorXd& deviations) {
  const VectorXd* const given[] = {&start.z, &start.zd, &start.zdd};
  const char* const names[] = {"start.z", "start.zd", "start.zdd"};
  const double sigmas[] = {start.sigma_z, start.sigma_zd, start.sigma_zdd, start.sigma_zddd};
  for (int b = 0; b < blocks; ++b) {
    deviations.segment(b * n, n).setConstant(sigmas[b]);
    if (b > 2 || given[b]->size() == 0) continue;
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
    throw InvalidInput(fmt::format("{}: {} must have {} entries, got {}", kObserver, argument,
                                   blocks, variances.size()));
  }
  MatrixXd Q = MatrixXd::Zero(blocks * n, blocks * n);
  for (int i = 0; i < blocks * n; ++i) Q(i, i) = variances[static_cast<std::size_t>(i / n)];
  return DynamicNoise::from_covariance(Q);
}

}  // namespace

struct KinematicObserver::Implementation {
  std::shared_ptr<const Mechanism> mechanism;  // constant, shared with the models
  KinematicObserverOptions options;
  std::unique_ptr<KinematicFilter> filter;
  std::unique_ptr<KinematicOutputModel> output_model;  // sizes for Q
  std::unique_ptr<KinematicInputModel> input_model;    // what the inputs add to Q, if asked for
  std::vector<int> outputs, inputs;
  std::vector<DynamicNoise> noise;  // R, Q, Q of the random walk, Q with that of the inputs
  double noise_step = 0.0;
  SwitchRule rule;
  VectorXd z, before, now;
  MatrixXd input_spread, input_covariance;
  std::vector<std::string> names;

  void begin_output_form(MechanismState state);
  void begin_input_form(MechanismState state);
  void add_names(int blocks);
  double physical(int sensor, std::span<const double> readings) const;
  ObserverStep step(double time, std::span<const double> readings, Kernel* kernel);
  Status predict(double time, KinematicInput& u, Kernel* kernel);
  const DynamicNoise& kinematic_noise(const KinematicInput& u);
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

void KinematicObserver::Implementation::begin_output_form(MechanismState state) {
  KinematicOutputModel model(mechanism, std::move(state), options.output);
  output_model = std::make_unique<KinematicOutputModel>(model);
  outputs = model.options().sensors;
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, mechanism->coordinates(), model.blocks(), mean, deviations);
  add_names(model.blocks());
  const std::vector<double> of_parameters =
      sigmas_of("start.sigma_parameters", options.start.sigma_parameters,
                options.start.sigma_parameter, model.first_bias() - model.first_parameter());
  const std::vector<double> of_biases =
      sigmas_of("start.sigma_biases", options.start.sigma_biases, options.start.sigma_bias,
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
  noise = {sensor_noise(*mechanism, outputs)};
  filter = make_filter(std::move(model), mean, diagonal(deviations), options);
}

void KinematicObserver::Implementation::begin_input_form(MechanismState state) {
  KinematicInputModel model(mechanism, std::move(state), options.input);
  const int n = mechanism->coordinates();
  const int blocks = model.blocks();
  outputs = options.input.outputs;
  inputs = options.input.inputs;
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, n, blocks, mean, deviations);
  add_names(blocks);
  noise = {sensor_noise(*mechanism, outputs),
           block_noise("input_noise.kinematic", options.input_noise.kinematic, blocks, n),
           block_noise("input_noise.random_walk", options.input_noise.random_walk, blocks, n)};
  if (options.input_noise.from_inputs) {
    input_model = std::make_unique<KinematicInputModel>(model);
    input_spread = MatrixXd::Zero(model.states(), 2 * static_cast<Index>(inputs.size()));
    input_covariance = noise[1].covariance();
    noise.push_back(noise[1]);
  }
  filter = make_filter(std::move(model), mean, diagonal(deviations), options);
}

double KinematicObserver::Implementation::physical(int sensor,
                                                   std::span<const double> readings) const {
  const auto i = static_cast<std::size_t>(sensor);
  return model::planar::physical_value(mechanism->description().sensors[i], readings[i]);
}

// Q + D Dᵀ
const DynamicNoise& KinematicObserver::Implementation::kinematic_noise(const KinematicInput& u) {
  if (!input_model) return noise[1];
  const VectorXd& x = filter->mean();
  input_model->input_spread(u, {x.data(), static_cast<std::size_t>(x.size())}, input_spread);
  input_covariance = noise[1].covariance();
  input_covariance.noalias() += input_spread.lazyProduct(input_spread.transpose());
  return noise[3].assign(input_covariance) ? noise[3] : noise[1];
}

Status KinematicObserver::Implementation::predict(double time, KinematicInput& u, Kernel* kernel) {
  if (output_model) {
    if (time != noise_step) {
      noise.resize(1, noise[0]);
      noise.push_back(process_noise(*output_model, time, options.output_noise));
      noise_step = time;
    }
    return filter->predict(u, noise[1], kernel);
  }
  u.random_walk = rule.update(filter->determinant(u.before), time);
  Status status = filter->predict(u, u.random_walk ? noise[2] : kinematic_noise(u), kernel);
  if (status != Status::Success && !u.random_walk) {
    // No acceleration from these inputs: the random walk needs none.
    u.random_walk = true;
    status = filter->predict(u, noise[2], kernel);
  }
  return status;
}

ObserverStep KinematicObserver::Implementation::step(double time, std::span<const double> readings,
                                                     Kernel* kernel) {
  if (static_cast<int>(readings.size()) != mechanism->sensors()) {
    check::size("KinematicObserver::step", "readings", static_cast<long long>(readings.size()),
                mechanism->sensors());
  }
  ObserverStep result;
  if (!std::isfinite(time) || time < 0.0) {
    result.status = Status::NotFinite;
    return result;
  }
  std::swap(before, now);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    now(static_cast<Index>(i)) = physical(inputs[i], readings);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    z(static_cast<Index>(i)) = physical(outputs[i], readings);
  }
  KinematicInput u{time, {before.data(), inputs.size()}, {now.data(), inputs.size()}, false};
  if (time > 0.0) result.status = predict(time, u, kernel);
  if (kernel != nullptr && (result.status != Status::Success || !(time > 0.0))) {
    // Nothing moved: x_{k-1} is x_k.
    kernel->mean = kernel->predicted = filter->mean();
    kernel->gain.setIdentity();
    kernel->spread.setZero();
  }
  result.random_walk = u.random_walk;
  result.update = filter->update(u, z, noise[0]);
  if (result.status == Status::Success) result.status = result.update.status;
  return result;
}

KinematicObserver::KinematicObserver(std::shared_ptr<const Mechanism> mechanism,
                                     const KinematicObserverOptions& options)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& me = *implementation_;
  me.mechanism = std::move(mechanism);
  me.options = options;
  me.rule = SwitchRule(options.switching);
  MechanismState state = assembled(*me.mechanism, options.start.z);
  if (options.form == ObserverForm::Output) {
    me.begin_output_form(std::move(state));
  } else {
    me.begin_input_form(std::move(state));
  }
  me.z = VectorXd::Zero(static_cast<Index>(me.outputs.size()));
  me.before = me.now = VectorXd::Constant(static_cast<Index>(me.inputs.size()),
                                          std::numeric_limits<double>::quiet_NaN());
}

KinematicObserver::~KinematicObserver() = default;
KinematicObserver::KinematicObserver(KinematicObserver&&) noexcept = default;
KinematicObserver& KinematicObserver::operator=(KinematicObserver&&) noexcept = default;

ObserverStep KinematicObserver::step(double step, std::span<const double> readings) {
  return implementation_->step(step, readings, nullptr);
}
ObserverStep KinematicObserver::step(double step, std::span<const double> readings,
                                     Kernel& kernel) {
  return implementation_->step(step, readings, &kernel);
}

int KinematicObserver::states() const { return static_cast<int>(implementation_->names.size()); }
int KinematicObserver::coordinates() const { return implementation_->mechanism->coordinates(); }
const std::vector<std::string>& KinematicObserver::state_names() const {
  return implementation_->names;
}
const VectorXd& KinematicObserver::mean() const { return implementation_->filter->mean(); }
MatrixXd KinematicObserver::covariance() const { return implementation_->filter->covariance(); }
const std::vector<int>& KinematicObserver::outputs() const { return implementation_->outputs; }
const Innovation<double, Eigen::Dynamic>& KinematicObserver::innovation() const {
  return implementation_->filter->innovation();
}
std::vector<Belief<double, Eigen::Dynamic>> KinematicObserver::smooth(
    std::span<const Kernel> kernels) const {
  return implementation_->filter->smooth(kernels);
}

}  // namespace alembert::estimate
