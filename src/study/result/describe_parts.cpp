#include "study/result/describe_parts.hpp"

#include <algorithm>

#include "alembert/document/words.hpp"
#include "alembert/study/simulate.hpp"
#include "study/result/words.hpp"

namespace alembert::study {

using document::ResultTree;

void describe_column(const ColumnUse& column, ResultTree& tree) {
  tree.add("name", column.name);
  tree.add("unit", column.unit).in_words(document::pretty_unit(column.unit));
  tree.add("column", column.column);
  tree.add("column_unit", column.column_unit);
  tree.add("factor", column.factor);
}

void describe_verdict(const Verdict& verdict, document::ResultTree& tree) {
  tree.add("level", name_of(verdict.level)).named("verdict");
  tree.add("reasons", verdict.reasons);
  tree.add("advice", verdict.advice);
}

void describe_definiteness(const Definiteness& found, ResultTree& matrix) {
  matrix.add("positive_definite", found.positive_definite);
  matrix.add("positive_semidefinite", found.positive_semidefinite);
  matrix.add("smallest_eigenvalue", found.smallest).named("smallest");
  matrix.add("largest_eigenvalue", found.largest).named("largest");
  matrix.add("condition", found.condition());
  matrix.add("verdict", definiteness_words(found)).not_in_file();
}

void describe_residual(const identify::ResidualVerdict& verdict, ResultTree& output) {
  output.add("fit", verdict.fit).named("fit", "%");
  output.add("residual_rms", verdict.rms).named("residual rms");
  output.add("whiteness", verdict.whiteness);
  output.add("whiteness_p", verdict.whiteness_p).named("p-value");
}

void describe_alternatives(const std::vector<identify::Alternative>& alternatives,
                           document::ResultTree& list) {
  for (const identify::Alternative& one : alternatives) {
    document::ResultTree& item = list.item();
    item.add("words", one.words).named("reading");
    item.add("gain", one.gain).named("gain");
  }
}

void describe_delays(const std::vector<std::string>& names, const identify::Delays& delays,
                     document::ResultTree& list) {
  for (std::size_t i = 0; i < delays.outputs.size(); ++i) {
    document::ResultTree& item = list.item();
    item.add("output", names[i]);
    item.add("samples", delays.outputs[i].samples);
    item.add("deviation", delays.outputs[i].deviation);
    const auto& held = delays.relative;
    if (std::find(held.begin(), held.end(), static_cast<int>(i)) != held.end()) {
      item.add("against", names[static_cast<std::size_t>(delays.reference)]);
    }
  }
}

void describe_gain_changes(const std::vector<std::string>& names,
                           const std::vector<identify::GainChange>& changes,
                           document::ResultTree& list) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    document::ResultTree& item = list.item();
    item.add("output", names[i]);
    item.add("part", changes[i].part);
    if (changes[i].deviation > 0.0) item.add("deviation", changes[i].deviation);
    item.add("gain", changes[i].gain);
  }
}

void describe_missing_terms(const std::vector<identify::UnmodelledTerm>& terms,
                            document::ResultTree& list) {
  for (const identify::UnmodelledTerm& term : terms) {
    document::ResultTree& one = list.item();
    one.add("equation", term.equation);
    one.add("term", term.text);
    one.add("coefficient", term.coefficient);
    one.add("deviation", term.deviation);
    one.add("freedom", term.freedom);
    one.add("share", term.share);
    if (term.parameter.empty()) continue;
    one.add("parameter", term.parameter);
    one.add("moved", term.moved);
    one.add("shift", term.shift);
  }
}

void describe_experiment(const MeasuredData& data, std::size_t e, const std::string& stem,
                         bool written, ResultTree& tree) {
  tree.add("source", data.sources[e].file);
  tree.add("start", data.sources[e].start_time);
  tree.add("step", data.experiments[e].step);
  tree.add("samples", data.experiments[e].samples());
  if (!written) return;
  tree.group("prediction").add("file", record_file_name(stem, e + 1, data.experiments.size()));
}

ResultTree described_experiments(const MeasuredData& data, const std::string& stem, bool written) {
  ResultTree list = ResultTree::empty_list();
  for (std::size_t e = 0; e < data.experiments.size(); ++e) {
    describe_experiment(data, e, stem, written, list.item());
  }
  return list;
}

}  // namespace alembert::study
