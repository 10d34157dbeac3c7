#include <fmt/format.h>

#include <cmath>

#include "alembert/document/known.hpp"
#include "alembert/study/identify.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/tasks/identify/covariance_file.hpp"
#include "study/tasks/identify/settings_identify.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

// The same figure of M, D and K; null if it is not known.
ResultTree of_matrices(const std::optional<Eigen::Vector3d>& values) {
  ResultTree tree;
  if (!values) return tree;
  tree.add("mass", (*values)(0)).named("M");
  tree.add("damping", (*values)(1)).named("D");
  tree.add("stiffness", (*values)(2)).named("K");
  return tree;
}

void describe_matrix(const std::string& file, const Eigen::MatrixXd& values,
                     const Eigen::MatrixXd& deviations, const Definiteness& found,
                     ResultTree& tree) {
  describe_definiteness(found, tree);
  tree.add("file", file);
  tree.add("values", values);
  tree.insert("deviations", deviations.size() > 0 ? ResultTree(deviations) : ResultTree());
}

void describe_identified_mode(const identify::ModeVerdict& mode, int number, ResultTree& tree) {
  tree.add("mode", number).not_in_file();
  tree.add("frequency_hz", mode.frequency_hz).named("frequency", "Hz");
  tree.add("frequency_deviation", mode.frequency_deviation);
  tree.add("frequency_share", mode.frequency_deviation / mode.frequency_hz).not_in_file();
  tree.add("damping_ratio", mode.damping).named("damping ratio");
  tree.add("damping_deviation", mode.damping_deviation);
  tree.add("damping_share", mode.damping_deviation / mode.damping).not_in_file();
  tree.add("shape_real", Eigen::VectorXd(mode.shape.real()));
  tree.add("shape_imaginary", Eigen::VectorXd(mode.shape.imag()));
  tree.add("shape_deviation", mode.shape_deviation);
}

void describe_model(const IdentifyResult& result, ResultTree& tree) {
  const LinearModel& model = result.study.model;
  tree.add("degrees_of_freedom", model.system.L.rows());
  tree.add("coordinates", model.coordinates);
  tree.add("forces", model.system.L);
  if (!result.has_system()) return;
  const model::SecondOrder& system = result.refinement.system;
  const model::SecondOrderCheck& check = result.definiteness;
  tree.add("passive", check.passive());
  describe_matrix("mass.csv", system.M, result.deviations.M, check.mass, tree.group("mass"));
  describe_matrix("damping.csv", system.D, result.deviations.D, check.damping,
                  tree.group("damping"));
  describe_matrix("stiffness.csv", system.K, result.deviations.K, check.stiffness,
                  tree.group("stiffness"));
  ResultTree& modes = tree.list("modes");
  int number = 0;
  for (const identify::ModeVerdict& mode : result.modes) {
    describe_identified_mode(mode, ++number, modes.item());
  }
}

void describe_windows(const identify::StartEstimate& start, ResultTree& tree) {
  tree.add("window", start.window);
  ResultTree& windows = tree.list("windows");
  for (const identify::WindowTrial& trial : start.windows) {
    ResultTree& one = windows.item();
    one.add("window", trial.window).named("window", "s");
    one.add("cost", trial.cost).named("simulated output error");
  }
}

void describe_candidates(const identify::StartEstimate& start, ResultTree& tree) {
  ResultTree& candidates = tree.list("candidates");
  for (const identify::Candidate& candidate : start.candidates) {
    ResultTree& one = candidates.item();
    one.add("words", candidate.description).named("candidate");
    one.add("status", to_string(candidate.outcome.status));
    one.add("cost", candidate.cost);
    one.add("band_ratio", candidate.band_ratio).named("band ratio");
    one.add("band_limit", candidate.band_limit).named("limit");
    one.add("accepted", candidate.accepted);
  }
}

void describe_start(const identify::StartEstimate& start, ResultTree& tree) {
  tree.add("method", name_of(start.method));
  tree.add("status", to_string(start.status));
  tree.add("message", start.message);
  tree.add("words", start.words);
  if (start.usable()) {
    tree.add("mass_values", start.matrices.M);
    tree.add("damping_values", start.matrices.D);
    tree.add("stiffness_values", start.matrices.K);
  }
  if (!start.windows.empty()) describe_windows(start, tree);
  if (start.order > 0) {
    tree.add("order", start.order);
    tree.add("horizon", start.horizon);
    tree.add("singular_values", start.singular_values);
    tree.add("asymmetry", start.asymmetry);
  }
  if (!start.candidates.empty()) describe_candidates(start, tree);
}

void describe_refinement(const identify::RefineOptions& options,
                         const identify::Refinement& refinement, ResultTree& tree) {
  tree.add("words", identify::refine_words(options));
  tree.add("status", to_string(refinement.status));
  tree.add("message", refinement.message);
  tree.add("iterations", refinement.iterations);
  tree.add("cost", refinement.cost);
  ResultTree& history = tree.list("cost_history");
  for (const double cost : refinement.cost_history) history.item(ResultTree(cost));
  tree.add("condition", refinement.condition);
  tree.add("positive_enforced", refinement.positive_enforced);
}

void describe_unknowns(const IdentifyResult& result, ResultTree& list) {
  const identify::Refinement& refinement = result.refinement;
  if (refinement.theta.size() != result.problem.unknowns.size()) return;
  for (Eigen::Index i = 0; i < refinement.theta.size(); ++i) {
    ResultTree& one = list.item();
    one.add("name", result.problem.unknowns.names[static_cast<std::size_t>(i)]);
    one.add("value", refinement.theta(i));
    one.add("deviation", std::sqrt(document::entry(refinement.covariance, i, i)));
  }
}

// In the file of results up to a size that others read with ease; beside it above.
void describe_covariance(const IdentifyResult& result, ResultTree& tree) {
  const identify::Refinement& refinement = result.refinement;
  const Eigen::Index size = refinement.theta.size();
  if (size == 0 || refinement.covariance.rows() != size) return;
  tree.add("names", result.problem.unknowns.names);
  const bool apart = has_covariance_file(result);
  tree.insert("file", apart ? ResultTree(kCovarianceFile) : ResultTree());
  tree.insert("values", apart ? ResultTree() : ResultTree(refinement.covariance));
}

void describe_output(const IdentifyResult& result, std::size_t i, ResultTree& tree) {
  const OutputSensor& sensor = result.study.outputs[i];
  describe_column(sensor.column, tree);
  tree.add("measures", name_of(sensor.motion))
      .in_words(fmt::format("{} of {}", name_of(sensor.motion), sensor.place));
  tree.add("at", sensor.place);
  if (result.refinement.noise.size() > 0) {
    tree.add("noise", document::entry(result.refinement.noise, static_cast<Eigen::Index>(i)));
  }
  if (i < result.outputs.size()) describe_residual(result.outputs[i], tree);
}

void describe_validation(const IdentifyResult& result, ResultTree& tree) {
  tree.insert("experiments", described_experiments(result.study.validation, "validation", true));
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t i = 0; i < result.validation->outputs.size(); ++i) {
    const identify::ResidualVerdict& verdict = result.validation->outputs[i];
    ResultTree& one = outputs.item();
    one.add("name", result.study.outputs[i].column.name).named("output");
    describe_residual(verdict, one);
    const double noise = document::entry(result.refinement.noise, static_cast<Eigen::Index>(i));
    one.add("noise_ratio", verdict.rms / noise).named("residual / noise").not_in_file();
  }
}

void describe_compared(const identify::ComparedMethod& method, ResultTree& tree) {
  tree.add("name", method.name).named("method");
  tree.add("status", to_string(method.status));
  tree.add("message", method.message);
  tree.insert("difference",
              of_matrices(Eigen::Vector3d(method.mass, method.damping, method.stiffness)));
  tree.insert("error", of_matrices(method.error));
  tree.add("residual", method.residual);
  ResultTree& iterations = tree.add("iterations", method.iterations);
  if (method.iterations <= 0) iterations.in_words("-");
  tree.add("seconds", method.seconds).not_in_file();
}

void describe_channels(const IdentifyResult& result, ResultTree& tree) {
  const IdentifyStudy& study = result.study;
  ResultTree& inputs = tree.list("inputs");
  for (const ColumnUse& input : study.inputs) describe_column(input, inputs.item());
  ResultTree& outputs = tree.list("outputs");
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    describe_output(result, i, outputs.item());
  }
  tree.insert("experiments", described_experiments(study.data, "prediction",
                                                   !result.refinement.predictions.empty()));
}

void describe_remarks(const std::vector<identify::DataRemark>& remarks, ResultTree& list) {
  for (const identify::DataRemark& remark : remarks) {
    ResultTree& one = list.item();
    one.add("channel", remark.channel);
    one.add("text", remark.text);
  }
}

void describe_pairs(const std::vector<identify::CorrelatedPair>& pairs, ResultTree& list) {
  for (const identify::CorrelatedPair& pair : pairs) {
    ResultTree& one = list.item();
    one.add("first", pair.first);
    one.add("second", pair.second);
    one.add("correlation", pair.correlation);
  }
}

}  // namespace

document::ResultTree describe(const IdentifyResult& result) {
  const IdentifyStudy& study = result.study;
  ResultTree tree = result_head("identify", study.title);
  describe_ending(result, tree);
  tree.add("warnings", result.warnings);
  describe_remarks(study.remarks, tree.list("remarks"));
  tree.add("notes", study.notes);
  describe_model(result, tree.group("model"));
  tree.add("structure", study.structure);
  describe_start(result.start, tree.group("start"));
  ResultTree& refine = tree.insert("refine", ResultTree());
  if (study.settings.refine) {
    describe_refinement(study.settings.refinement, result.refinement, refine);
  }
  describe_unknowns(result, tree.list("unknowns"));
  describe_covariance(result, tree.insert("covariance", ResultTree()));
  describe_pairs(result.pairs, tree.list("correlated"));
  tree.insert("error", of_matrices(result.error));
  tree.insert("expected_error", of_matrices(result.expected_error));
  describe_channels(result, tree);
  ResultTree& validation = tree.insert("validation", ResultTree());
  if (result.validation) describe_validation(result, validation);
  ResultTree& comparison = tree.list("comparison");
  for (const identify::ComparedMethod& method : result.comparison) {
    describe_compared(method, comparison.item());
  }
  describe_alternatives(result.alternatives, tree.list("alternatives"));
  describe_delays(result.names.outputs, result.refinement.delays, tree.list("delays"));
  describe_gain_changes(result.names.outputs, result.refinement.gain_changes,
                        tree.list("gain_changes"));
  describe_identify_settings(study.settings, tree.group("settings").group("identify"));
  return tree;
}

}  // namespace alembert::study
