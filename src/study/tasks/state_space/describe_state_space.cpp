#include <algorithm>
#include <limits>

#include "alembert/study/records/state_space.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/state_space/state_space_keys.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using identify::StateSpace;
using identify::StateSpaceFit;

double predicted_percent(const StateSpaceFit& fit, std::size_t output, Eigen::Index column) {
  return fit.predicted.size() == 0 ? std::numeric_limits<double>::quiet_NaN()
                                   : fit.predicted(static_cast<Eigen::Index>(output), column);
}

void describe_fit(const StateSpaceFit& fit, std::size_t output, ResultTree& item) {
  item.add("fit", fit.outputs[output].fit_percent).named("fit", "%");
  item.add("residual_rms", fit.outputs[output].residual).named("residual rms");
  item.add("fit_one_ahead", predicted_percent(fit, output, 0)).named("one sample ahead", "%");
  item.add("fit_ahead", predicted_percent(fit, output, 1)).named("steps ahead", "%");
}

void describe_fit_summary(const StateSpaceFit& fit, ResultTree& tree) {
  tree.add("mean_fit", fit.mean_fit()).named("mean fit", "%");
  tree.add("worst_fit", fit.worst_fit()).named("worst fit", "%");
}

void describe_model(const identify::DiscreteModel& model, ResultTree& tree) {
  tree.add("A", model.F);
  tree.add("B", model.G);
  tree.add("C", model.H);
  tree.add("D", model.J);
  if (model.gain.size() > 0) tree.add("K", model.gain);
  tree.add("noise", model.noise);
  tree.add("x0", model.start);
  tree.add("step", model.step);
  tree.add("file", "model.mat");
}

void describe_poles(const StateSpace& found, ResultTree& list) {
  for (const identify::StatePole& pole : found.poles) {
    ResultTree& item = list.item();
    item.add("real", pole.z.real());
    item.add("imaginary", pole.z.imag());
    item.add("frequency_hz", pole.frequency_hz).named("frequency", "Hz");
    item.add("frequency_deviation", pole.frequency_deviation);
    item.add("damping_ratio", pole.damping_ratio).named("damping ratio");
    item.add("damping_deviation", pole.damping_deviation);
  }
}

void describe_trials(const StateSpace& found, ResultTree& list) {
  for (const identify::OrderTrial& trial : found.trials) {
    ResultTree& item = list.item();
    item.add("order", static_cast<std::int64_t>(trial.order));
    item.add("states", static_cast<std::int64_t>(trial.states));
    item.add("horizon", static_cast<std::int64_t>(trial.horizon)).named("block rows");
    item.add("residual", trial.residual).named("held-out residual over response");
    item.add("chosen", trial.chosen);
  }
}

void describe_choice(const StateSpace& found, ResultTree& tree) {
  tree.add("order", static_cast<std::int64_t>(found.order));
  tree.add("reason", found.reason);
  tree.add("block_rows", static_cast<std::int64_t>(found.horizon));
  tree.add("reflected", static_cast<std::int64_t>(found.reflected));
  tree.add("dropped", static_cast<std::int64_t>(found.dropped));
  tree.add("singular_values", found.singular_values);
  describe_trials(found, tree.list("orders"));
}

}  // namespace

ResultTree describe(const StateSpaceOutcome& result) {
  const StateSpaceStudy& study = result.study;
  const StateSpace& found = result.found;
  ResultTree tree = result_head("identify", study.title);
  tree.add("method", "state-space");
  describe_head(result, tree);
  for (const ColumnUse& column : study.inputs) describe_column(column, tree.list("inputs").item());
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t o = 0; o < study.outputs.size(); ++o) {
    ResultTree& item = outputs.item();
    describe_column(study.outputs[o], item);
    if (o < found.estimation.outputs.size()) describe_fit(found.estimation, o, item);
  }
  tree.insert("experiments", described_experiments(study.data, "estimation", false));
  ResultTree& estimation = tree.group("estimation");
  describe_fit_summary(found.estimation, estimation);
  tree.add("states", static_cast<std::int64_t>(found.model.F.rows()));
  tree.add("form", found.model.gain.size() > 0 ? "innovation" : "output-error");
  tree.add("iterations", found.iterations);
  describe_choice(found, tree.group("choice"));
  describe_model(found.model, tree.group("model"));
  describe_poles(found, tree.list("poles"));
  tree.add("halves", found.halves);
  tree.add("largest_half", found.largest_half);
  tree.add("largest_half_hz", found.largest_half_hz);
  if (found.validation) {
    ResultTree& validation = tree.group("validation");
    validation.insert("experiments", described_experiments(study.validation, "validation", false));
    describe_fit_summary(*found.validation, validation);
    ResultTree& list = validation.list("outputs");
    for (std::size_t o = 0; o < study.outputs.size(); ++o) {
      ResultTree& item = list.item();
      item.add("name", study.outputs[o].name);
      describe_fit(*found.validation, o, item);
    }
  }
  describe_settings(state_space_keys(), study.options, tree.group("settings").group("identify"));
  return tree;
}

}  // namespace alembert::study
