#include "alembert/estimate/kinematic_observer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/force/two_stage.hpp"
#include "estimate/kinematic/kinematic_observed.hpp"

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
  if (!assembly.ok()) throw InvalidInput({.function = kObserver, .rule = assembly.message});
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

// Standard deviations of geometry parameters, biases and forces.
// @param base the model with the parameters and biases; forces may stand in another one.
void fill_rest(const KinematicOutputModel& base, int first_force, int forces,
               const ObserverStart& start, VectorXd& deviations) {
  const int first = base.first_parameter();
  const int lengths = base.first_bias() - first;
  const int biases = first_force - base.first_bias();
  const std::vector<double> of_parameters =
      sigmas_of("start.sigma_parameters", start.sigma_parameters, start.sigma_parameter, lengths);
  const std::vector<double> of_biases =
      sigmas_of("start.sigma_biases", start.sigma_biases, start.sigma_bias, biases);
  std::copy(of_parameters.begin(), of_parameters.end(), deviations.begin() + first);
  std::copy(of_biases.begin(), of_biases.end(), deviations.begin() + base.first_bias());
  for (Index i = first_force; i < deviations.size(); ++i) {
    deviations(i) = i < first_force + forces ? start.sigma_force : start.sigma_force_rate;
  }
}

MatrixXd diagonal(const VectorXd& deviations) {
  MatrixXd P = MatrixXd::Zero(deviations.size(), deviations.size());
  for (Index i = 0; i < deviations.size(); ++i) P(i, i) = deviations(i) * deviations(i);
  return P;
}

Observer output_form(std::shared_ptr<const Mechanism> mechanism, MechanismState state,
                     const KinematicObserverOptions& options) {
  KinematicOutputModel model(std::move(mechanism), std::move(state), options.output);
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, model.mechanism().coordinates(), model.blocks(), mean, deviations);
  fill_rest(model, model.first_force(), model.forces(), options.start, deviations);
  return {std::make_unique<OutputFormObserved>(std::move(model), options.output_noise), mean,
          diagonal(deviations), options};
}

Observer input_form(std::shared_ptr<const Mechanism> mechanism, MechanismState state,
                    const KinematicObserverOptions& options) {
  KinematicInputModel model(std::move(mechanism), std::move(state), options.input);
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, model.mechanism().coordinates(), model.blocks(), mean, deviations);
  return {std::make_unique<InputFormObserved>(std::move(model), options.input_noise), mean,
          diagonal(deviations), options};
}

Observer dynamic_form(std::shared_ptr<const Mechanism> mechanism, const MechanismState& state,
                      const KinematicObserverOptions& options) {
  DynamicModel model(std::move(mechanism), state, {.output = options.output, .heun = options.heun});
  VectorXd mean = VectorXd::Zero(model.states());
  VectorXd deviations = mean;
  fill_start(options.start, model.mechanism().coordinates(), model.blocks(), mean, deviations);
  fill_rest(model.base(), model.first_force(), model.forces(), options.start, deviations);
  return {std::make_unique<DynamicFormObserved>(std::move(model), options.input_noise,
                                                options.output_noise),
          mean, diagonal(deviations), options};
}

Observer observer_of(std::shared_ptr<const Mechanism> mechanism,
                     const KinematicObserverOptions& options) {
  MechanismState state = assembled(*mechanism, options.start.z);
  switch (options.form) {
    case ObserverForm::Output:
      return output_form(std::move(mechanism), std::move(state), options);
    case ObserverForm::Input:
      return input_form(std::move(mechanism), std::move(state), options);
    case ObserverForm::Dynamic:
      return dynamic_form(std::move(mechanism), state, options);
    case ObserverForm::TwoStage:
      break;
  }
  throw InvalidInput({.function = kObserver,
                      .argument = "form",
                      .rule = "must be output, input or dynamic: two stages are two observers, and "
                              "observe_record runs them",
                      .value = "two-stage"});
}

}  // namespace

KinematicObserver::KinematicObserver(std::shared_ptr<const Mechanism> mechanism,
                                     const KinematicObserverOptions& options)
    : Observer(observer_of(std::move(mechanism), options)) {}

ObserverForm motion_form(const KinematicObserverOptions& options) {
  return options.form == ObserverForm::TwoStage ? options.stages.motion : options.form;
}

std::vector<std::string> estimated_states(const std::shared_ptr<const Mechanism>& mechanism,
                                          const KinematicObserverOptions& options) {
  if (options.form != ObserverForm::TwoStage) {
    return KinematicObserver(mechanism, options).state_names();
  }
  check_two_stages(mechanism, options);
  std::vector<std::string> names =
      KinematicObserver(mechanism, first_stage(*mechanism, options)).state_names();
  for (const model::planar::Force& force : mechanism->description().forces) {
    if (!force.known) names.push_back(fmt::format("force({})", force.name));
  }
  return names;
}

KinematicEstimate observe_record(std::shared_ptr<const Mechanism> mechanism,
                                 const Eigen::Ref<const VectorXd>& time,
                                 const Eigen::Ref<const MatrixXd>& readings,
                                 const KinematicObserverOptions& options,
                                 const RecordOptions& keep) {
  if (options.form == ObserverForm::TwoStage) {
    return join_stages(*mechanism, observe_two_stages(mechanism, time, readings, options, keep));
  }
  KinematicObserver observer(std::move(mechanism), options);
  return observe_record(observer, time, readings, keep);
}

}  // namespace alembert::estimate
