#include "alembert/model/structure/structure.hpp"
#include "alembert/study/reduce.hpp"
#include "study/result/describe_parts.hpp"
#include "study/result/json.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/reduce/reduce_keys.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;
using reduce::TradeOff;

void describe_structure(const ReduceOutcome& result, ResultTree& tree) {
  const model::Structure& structure = result.study.structure;
  tree.add("rows", structure.size());
  tree.add("nodes", static_cast<std::int64_t>(structure.nodes.size()));
  tree.add("entries", static_cast<std::int64_t>(structure.K.nonZeros())).named("entries of K");
  tree.add("parts", result.check.parts).named("separate parts");
  tree.add("massless", static_cast<std::int64_t>(result.check.massless.size()))
      .named("rows without mass");
}

void describe_proof(const reduce::StructureModes& modes, ResultTree& tree) {
  tree.add("found", modes.found);
  tree.insert("counted",
              modes.counted >= 0 ? ResultTree(std::int64_t{modes.counted}) : ResultTree())
      .named("by inertia");
  tree.add("proven_to_hz", modes.proven_to_hz).named("up to", "Hz");
  tree.add("largest_residual", modes.residual.size() > 0 ? modes.residual.maxCoeff() : 0.0)
      .named("largest residual");
  tree.add("factorisations", modes.factorisations);
}

void describe_target_mode(const reduce::ModeError& one, ResultTree& tree) {
  tree.add("mode", one.mode);
  tree.add("frequency_hz", one.frequency_hz).named("frequency", "Hz");
  tree.add("reduced_hz", one.reduced_hz).named("small model", "Hz");
  tree.add("frequency_error", one.frequency_error).named("error");
  tree.add("nco", one.nco).named("NCO");
  tree.add("mac", one.mac).named("MAC");
}

void describe_response(const reduce::ResponseError& one, ResultTree& tree) {
  tree.add("frequency_hz", one.frequency_hz).named("frequency", "Hz");
  tree.add("design", one.design).in_words(one.design ? "design" : "off design");
  tree.add("mac", one.mac).named("MAC");
  tree.add("gain_error", one.gain_error).named("gain error");
}

void describe_trade_off(const TradeOff& one, ResultTree& tree) {
  tree.add("method", name_of(one.method));
  tree.insert("size", one.size > 0 ? ResultTree(std::int64_t{one.size}) : ResultTree());
  tree.add("frequency_error", one.frequency_error).named("frequency error");
  tree.add("nco", one.nco).named("NCO");
  tree.add("mac", one.mac).named("MAC");
  tree.add("gain_error", one.gain_error).named("gain error");
  tree.add("off_design_mac", one.off_design_mac).named("MAC off design");
  tree.add("off_design_gain", one.off_design_gain).named("gain error off design");
  tree.add("good", one.good);
}

void describe_trade_offs(const std::vector<TradeOff>& points, ResultTree& list) {
  for (const TradeOff& one : points) describe_trade_off(one, list.item());
}

// The smallest of each method, and the size from which on it is good off the design frequencies
// too.
void describe_smallest(const ReduceOutcome& result, ResultTree& list) {
  for (std::size_t i = 0; i < result.smallest.size(); ++i) {
    ResultTree& one = list.item();
    describe_trade_off(result.smallest[i], one);
    const bool known = i < result.smallest_off_design.size();
    const Eigen::Index size = known ? result.smallest_off_design[i].size : 0;
    one.insert("off_design_size", size > 0 ? ResultTree(std::int64_t{size}) : ResultTree())
        .named("size, off design too");
  }
}

// Interior modes in the order of their worth, with what is left out behind each.
void describe_ranking(const ReduceOutcome& result, ResultTree& list) {
  constexpr std::size_t kMost = 40;
  const reduce::ModeRanking& ranking = result.ranking;
  for (std::size_t i = 0; i < std::min(kMost, ranking.order.size()); ++i) {
    const Eigen::Index mode = ranking.order[i];
    if (mode >= result.interior.count()) break;
    ResultTree& one = list.item();
    one.add("size", static_cast<std::int64_t>(result.study.masters.size() + i + 1));
    one.add("interior_mode", std::int64_t{mode + 1}).named("interior mode");
    one.add("frequency_hz", result.interior.frequency_hz(mode)).named("frequency", "Hz");
    one.add("score", ranking.score(mode));
    one.add("bound", ranking.bound(static_cast<Eigen::Index>(i) + 1)).named("truncation bound");
  }
}

std::vector<std::string> master_words(const ReduceStudy& study) {
  std::vector<std::string> words;
  for (const Eigen::Index row : study.masters) {
    words.push_back(model::row_words(study.structure, row));
  }
  return words;
}

std::vector<double> kept_numbers(const ReduceOutcome& result) {
  std::vector<double> numbers;
  for (const Eigen::Index mode : result.kept) numbers.push_back(static_cast<double>(mode + 1));
  return numbers;
}

}  // namespace

ResultTree describe(const ReduceOutcome& result) {
  ResultTree tree = result_head("reduce", result.study.title);
  describe_head(result, tree);
  describe_structure(result, tree.group("structure"));
  describe_settings(reduce_keys(), result.study.options, tree.group("settings").group("reduce"));
  tree.add("masters", master_words(result.study));
  ResultTree& model = tree.group("model");
  model.add("method", name_of(result.method));
  model.add("size", result.basis.size());
  model.add("interior_modes", kept_numbers(result)).named("interior modes kept");
  if (result.basis.size() > 0) {
    // Under the key `file`, by which a later run knows that it may replace them.
    model.group("mass").add("file", "mass.mtx");
    model.group("stiffness").add("file", "stiffness.mtx");
    if (result.basis.D.size() > 0) model.group("damping").add("file", "damping.mtx");
    model.group("basis").add("file", "basis.mtx");
  }
  ResultTree& modes = tree.list("modes");
  for (const reduce::ModeError& one : result.mode_errors) describe_target_mode(one, modes.item());
  ResultTree& responses = tree.list("responses");
  for (const reduce::ResponseError& one : result.response_errors) {
    describe_response(one, responses.item());
  }
  describe_ranking(result, tree.list("ranking"));
  describe_smallest(result, tree.list("smallest"));
  describe_trade_offs(result.curve, tree.list("trade_off"));
  ResultTree& proof = tree.group("proof");
  if (result.modes.count() > 0) describe_proof(result.modes, proof.group("modes"));
  describe_proof(result.interior, proof.group("interior"));
  return tree;
}

}  // namespace alembert::study
