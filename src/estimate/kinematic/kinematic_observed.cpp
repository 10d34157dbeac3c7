#include "estimate/kinematic/kinematic_observed.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using ObservedNoise = Noise<double, Eigen::Dynamic>;

// 2π, or the arc of a full turn with the mechanism's size as arm: estimates less certain than that
// know nothing of a coordinate.
VectorXd spans_of(const Mechanism& mechanism) {
  VectorXd spans = VectorXd::Constant(mechanism.coordinates(), 2.0 * std::numbers::pi);
  for (Index i = 0; i < spans.size(); ++i) {
    const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
    if (coordinate.kind != model::planar::CoordinateKind::Angle) spans(i) *= mechanism.size();
  }
  return spans;
}

// "angle(crank)", "angle(crank)'", ...
std::vector<std::string> names_of_motion(const Mechanism& mechanism, int blocks) {
  std::vector<std::string> names;
  std::string primes;
  for (int b = 0; b < blocks; ++b) {
    for (const model::planar::Coordinate& c : mechanism.description().coordinates) {
      names.push_back(model::planar::to_string(c) + primes);
    }
    primes += "'";
  }
  return names;
}

std::vector<int> inputs_in(const KinematicOutputModel& /*model*/) { return {}; }
std::vector<int> inputs_in(const KinematicInputModel& model) { return model.options().inputs; }
std::vector<int> inputs_in(const DynamicModel& model) { return model.inputs(); }
std::vector<int> outputs_in(const KinematicOutputModel& model) { return model.options().sensors; }
std::vector<int> outputs_in(const KinematicInputModel& model) { return model.options().outputs; }
std::vector<int> outputs_in(const DynamicModel& model) { return model.base().options().sensors; }

template <typename Model>
ObservedLayout layout_of(const Model& model) {
  const Mechanism& mechanism = model.mechanism();
  const std::vector<int> outputs = outputs_in(model);
  ObservedLayout layout{.states = names_of_motion(mechanism, model.blocks()),
                        .spans = spans_of(mechanism),
                        .blocks = model.blocks(),
                        .sensors = mechanism.sensors(),
                        .inputs = inputs_in(model),
                        .outputs = outputs,
                        .noise = sensor_noise(mechanism, outputs)};
  for (const int sensor : outputs) {
    layout.orders.push_back(mechanism.sensor_order(sensor));
    layout.angles.push_back(mechanism.description().sensors[static_cast<std::size_t>(sensor)].wrap);
  }
  return layout;
}

ObservedNoise block_noise(const char* argument, const std::vector<double>& variances, int blocks,
                          int n) {
  if (static_cast<int>(variances.size()) < blocks) {
    throw InvalidInput({.function = "KinematicObserver",
                        .argument = argument,
                        .rule = fmt::format("must have {} entries", blocks),
                        .value = fmt::format("{}", variances.size())});
  }
  MatrixXd Q = MatrixXd::Zero(blocks * n, blocks * n);
  for (int i = 0; i < blocks * n; ++i) Q(i, i) = variances[static_cast<std::size_t>(i / n)];
  return ObservedNoise::from_covariance(Q);
}

// Lengths and biases that are states.
void add_constant_names(const KinematicOutputModel& model, std::vector<std::string>& names) {
  const model::planar::MechanismDescription& description = model.mechanism().description();
  for (int i = model.first_parameter(); i < model.first_bias(); ++i) {
    const auto k = static_cast<std::size_t>(i - model.first_parameter());
    names.push_back(description.parameters[k].name);
  }
  for (const int sensor : model.options().biases) {
    names.push_back(
        fmt::format("bias({})", description.sensors[static_cast<std::size_t>(sensor)].name));
  }
}

// "force(load)", and "force(load)'" where rates are states.
template <typename Model>
void add_force_names(const Model& model, std::vector<std::string>& names) {
  std::string primes;
  for (int b = 0; model.forces() > 0 && b < model.force_blocks(); ++b) {
    for (const model::planar::Force& force : model.mechanism().description().forces) {
      if (!force.known) names.push_back(fmt::format("force({}){}", force.name, primes));
    }
    primes += "'";
  }
}

}  // namespace

template <typename Model>
KinematicObserved<Model>::KinematicObserved(Model model)
    : model_(std::move(model)), layout_(layout_of(model_)) {}

template <typename Model>
std::string KinematicObserved<Model>::explain(const VectorXd& before, const VectorXd& z) const {
  const Mechanism& mechanism = model_.mechanism();
  model::planar::MechanismState state = mechanism.make_state();
  const Index n = mechanism.coordinates();
  if (!mechanism.assemble(before.head(n), state).ok()) return "";
  const auto status = mechanism.solve_position({z.data(), static_cast<std::size_t>(n)}, state);
  if (status == model::planar::StepStatus::Success) return "";
  return mechanism.explain(status, z, state);
}

template class KinematicObserved<KinematicOutputModel>;
template class KinematicObserved<KinematicInputModel>;
template class KinematicObserved<DynamicModel>;

OutputFormObserved::OutputFormObserved(KinematicOutputModel model, const OutputFormNoise& noise)
    : KinematicObserved(std::move(model)), motion_(model_, noise) {
  add_constant_names(model_, layout_.states);
  add_force_names(model_, layout_.states);
  // The factor of the densities is seen best in the highest derivative, where Q is largest beside
  // P.
  layout_.scaled = motion_.highest_derivatives();
}

const ObservedNoise& OutputFormObserved::process_noise(const ObservedInput& u,
                                                       const VectorXd& /*mean*/,
                                                       double scale) noexcept {
  motion_.set(u.step, scale);
  return motion_.noise();
}

DynamicFormObserved::DynamicFormObserved(DynamicModel model, const InputFormNoise& noise,
                                         const OutputFormNoise& rest)
    : KinematicObserved(std::move(model)),
      rest_(rest),
      from_inputs_(noise.from_inputs),
      variances_(block_noise("input_noise.kinematic", noise.kinematic, model_.blocks(),
                             layout_.coordinates())
                     .covariance()
                     .diagonal()),
      spread_(MatrixXd::Zero(layout_.coordinates(), static_cast<Index>(model_.inputs().size()))),
      covariance_(MatrixXd::Identity(model_.states(), model_.states())),
      noise_(ObservedNoise::from_covariance(covariance_)) {
  add_constant_names(model_.base(), layout_.states);
  add_force_names(model_, layout_.states);
  std::vector<double>& density = rest_.force_density;
  if (density.size() == 1) density.resize(static_cast<std::size_t>(model_.forces()), density[0]);
  check::size("DynamicFormObserved", "force_density", static_cast<long long>(density.size()),
              model_.forces());
}

// Geometry, biases and forces of a step.
void DynamicFormObserved::set_rest(double step) noexcept {
  const KinematicOutputModel& base = model_.base();
  for (int k = base.first_parameter(); k < base.first_bias(); ++k) {
    covariance_(k, k) = rest_.parameter_density * step;
  }
  for (int k = base.first_bias(); k < base.states(); ++k) {
    covariance_(k, k) = rest_.bias_density * step;
  }
  const OutputFormOptions& output = model_.options().output;
  const double a = output.force_model == ForceModel::LowPass
                       ? 2.0 * std::numbers::pi * output.force_cutoff_hz
                       : 0.0;
  for (int k = 0; k < model_.forces(); ++k) {
    const double q = output.force_model == ForceModel::Constant
                         ? 0.0
                         : rest_.force_density[static_cast<std::size_t>(k)];
    const int at = model_.first_force() + k;
    if (model_.force_blocks() == 1) {
      // ∫ e^(−2at) dt over the step
      covariance_(at, at) = a > 0.0 ? -q * std::expm1(-2.0 * a * step) / (2.0 * a) : q * step;
      continue;
    }
    const int rate = at + model_.forces();
    covariance_(at, at) = q * step * step * step / 3.0;
    covariance_(at, rate) = covariance_(rate, at) = 0.5 * q * step * step;
    covariance_(rate, rate) = q * step;
  }
}

const ObservedNoise& DynamicFormObserved::process_noise(const ObservedInput& u,
                                                        const VectorXd& mean,
                                                        double /*scale*/) noexcept {
  const Index n = layout_.coordinates();
  covariance_.topLeftCorner(3 * n, 3 * n).setZero();
  for (Index i = 0; i < 3 * n; ++i) covariance_(i, i) = variances_(i);
  set_rest(u.step);
  const std::span<const double> x{mean.data(), static_cast<std::size_t>(mean.size())};
  if (from_inputs_ && model_.input_spread(x, spread_)) {
    // A reading moves z'' at once and z' by a step of it.
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        const double both = spread_.row(i).dot(spread_.row(j));
        covariance_(2 * n + i, 2 * n + j) += both;
        covariance_(n + i, n + j) += u.step * u.step * both;
      }
    }
  }
  (void)noise_.assign(covariance_);
  return noise_;
}

InputNoise::InputNoise(KinematicInputModel model, const ObservedNoise& q)
    : model_(std::move(model)),
      spread_(
          MatrixXd::Zero(model_.states(), 2 * static_cast<Index>(model_.options().inputs.size()))),
      covariance_(q.covariance()),
      q_(q),
      sum_(q) {}

void InputNoise::update(const KinematicInput& u, const VectorXd& mean) noexcept {
  model_.input_spread(u, {mean.data(), static_cast<std::size_t>(mean.size())}, spread_);
  covariance_ = q_.covariance();
  covariance_.noalias() += spread_.lazyProduct(spread_.transpose());
  usable_ = sum_.assign(covariance_);
}

InputFormObserved::InputFormObserved(KinematicInputModel model, const InputFormNoise& noise)
    : KinematicObserved(std::move(model)),
      kinematic_(block_noise("input_noise.kinematic", noise.kinematic, model_.blocks(),
                             layout_.coordinates())),
      random_walk_(block_noise("input_noise.random_walk", noise.random_walk, model_.blocks(),
                               layout_.coordinates())) {
  if (noise.from_inputs) from_inputs_.emplace(model_, kinematic_);
}

const ObservedNoise& InputFormObserved::process_noise(const ObservedInput& u, const VectorXd& mean,
                                                      double /*scale*/) noexcept {
  if (u.random_walk) return random_walk_;
  if (!from_inputs_) return kinematic_;
  from_inputs_->update(u, mean);
  return from_inputs_->noise();
}

double InputFormObserved::determinacy(const ObservedInput& u,
                                      std::span<const double> x) const noexcept {
  return model_.determinant(x.subspan(0, static_cast<std::size_t>(layout_.coordinates())),
                            u.before);
}

}  // namespace alembert::estimate
