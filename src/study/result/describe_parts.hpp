#pragma once

#include <string>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/identify/alternatives.hpp"
#include "alembert/identify/delay.hpp"
#include "alembert/identify/output_error/missing_term.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/task.hpp"

/// What several tasks say alike: how they ended, of matrices, of data and of how well these are
/// met.
namespace alembert::study {

/// Adds level, reasons and advice.
void describe_verdict(const Verdict& verdict, document::ResultTree& tree);

/// Adds the file of the study, what the command line changed in it, and how the task ended.
template <typename Result>
void describe_ending(const Result& result, document::ResultTree& tree) {
  tree.add("study", result.study.file.filename().string());
  tree.add("overrides", result.study.overrides);
  tree.add("status", to_string(result.status));
  tree.add("message", result.message);
  describe_verdict(verdict_of(result), tree.group("verdict"));
}

/// Adds what describe_ending() does, then warnings and notes: how the results of most tasks begin.
template <typename Result>
void describe_head(const Result& result, document::ResultTree& tree) {
  describe_ending(result, tree);
  tree.add("warnings", result.warnings);
  tree.add("notes", result.study.notes);
}

/// Adds name, unit, column, its unit and the factor between both units.
void describe_column(const ColumnUse& column, document::ResultTree& tree);

/// Adds the definiteness of a matrix, its extreme eigenvalues and its condition.
void describe_definiteness(const Definiteness& found, document::ResultTree& matrix);

/// Adds fit, rms and whiteness of the residuals of one output.
void describe_residual(const identify::ResidualVerdict& verdict, document::ResultTree& output);

/// Adds the other readings of the columns that fit better.
void describe_alternatives(const std::vector<identify::Alternative>& alternatives,
                           document::ResultTree& list);

/// Adds how late each output looks, in samples.
void describe_delays(const std::vector<std::string>& names, const identify::Delays& delays,
                     document::ResultTree& list);

/// Terms that the equations have not and the residuals show.
void describe_missing_terms(const std::vector<identify::UnmodelledTerm>& terms,
                            document::ResultTree& list);

/// Changes of the gain of each output in the middle of the records.
void describe_gain_changes(const std::vector<std::string>& names,
                           const std::vector<identify::GainChange>& changes,
                           document::ResultTree& list);

/// Adds source, start, step and samples of experiment `e`; with the file of the prediction where
/// that is `written`, named after `stem`.
void describe_experiment(const MeasuredData& data, std::size_t e, const std::string& stem,
                         bool written, document::ResultTree& tree);

/// A list of all experiments, each as describe_experiment() has it.
[[nodiscard]] document::ResultTree described_experiments(const MeasuredData& data,
                                                         const std::string& stem, bool written);

}  // namespace alembert::study
