#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/document/result_tree.hpp"
#include "alembert/study/run_options.hpp"
#include "alembert/study/source_files.hpp"

/// A task of a study, whichever it is: what was read, and what came of it.
namespace alembert::study {

/// What a task has found. Texts are whole lines for a terminal; nothing is printed here.
class TaskResult {
 public:
  virtual ~TaskResult() = default;

  [[nodiscard]] virtual const Outcome& outcome() const = 0;
  /// How far it can be trusted; terminal, files, report and exit code all show this one.
  [[nodiscard]] virtual Verdict verdict() const = 0;
  /// All that result.json says.
  [[nodiscard]] virtual document::ResultTree description() const = 0;
  /// Writes result.json and the signals beside it into an existing folder.
  /// @throws DataError if a file cannot be written.
  virtual void write(const std::filesystem::path& folder) const = 0;
  /// What was found, step by step.
  [[nodiscard]] virtual std::string console() const = 0;
  /// Whether there is anything to write.
  [[nodiscard]] virtual bool has_parts() const { return true; }
  /// Why the outcome is no success, in one line.
  [[nodiscard]] virtual std::string failure() const;
  /// What is said once the files are written, which took so many seconds.
  [[nodiscard]] virtual std::string written(double /*seconds*/) const { return ""; }
  /// Called when the result is safe. Returns advice for the user, "" for none.
  [[nodiscard]] virtual std::string settle(const RunContext& /*context*/) const { return ""; }

  /// The result of one task, or nullptr if it is another's.
  template <typename Result>
  [[nodiscard]] const Result* as() const;

  double seconds = 0.0;   ///< that the run took, by the clock of who ran it; not in result files
  StudyTrace trace = {};  ///< set by who ran it; stands in the report alone
};

/// The verdict and its advice as lines for a terminal, below the warnings.
[[nodiscard]] std::string verdict_lines(const Verdict& verdict);

/// The verdict that a result holds, or one by its warnings.
template <typename Result>
[[nodiscard]] Verdict verdict_of(const Result& result) {
  if constexpr (requires { result.verdict; }) {
    return result.verdict;
  } else {
    return verdict_on(result, result.warnings);
  }
}

/// A result with its task's own struct, which is an Outcome.
template <typename Result>
class ResultOf : public TaskResult {
 public:
  // What a failed method left unfilled is made whole here, before any writer sees it.
  explicit ResultOf(Result found) : result(std::move(found)) {
    if constexpr (requires { complete(result); }) complete(result);
  }
  [[nodiscard]] const Outcome& outcome() const override { return result; }
  [[nodiscard]] Verdict verdict() const override { return verdict_of(result); }
  [[nodiscard]] document::ResultTree description() const override { return describe(result); }

  Result result;
};

template <typename Result>
const Result* TaskResult::as() const {
  const auto* held = dynamic_cast<const ResultOf<Result>*>(this);
  return held == nullptr ? nullptr : &held->result;
}

/// A task that was read from a study and checked, ready to run.
class TaskStudy {
 public:
  virtual ~TaskStudy() = default;

  /// What is going to be done, as lines for a terminal.
  [[nodiscard]] virtual std::string heading() const = 0;
  /// What its author should know although nothing is wrong; `alembert check` shows it.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
  /// What progress counts, in one word: "simulate".
  [[nodiscard]] virtual std::string activity() const = 0;
  /// Whether the work is spread over machines; else the first one does it all.
  [[nodiscard]] virtual bool spreads() const { return false; }
  /// Whether a run that is stopped has parts that are worth writing. One that has none may be ended
  /// by force.
  [[nodiscard]] virtual bool keeps_parts() const { return true; }
  /// Looks whether the run can succeed here. @throws StudyError if not.
  virtual void check(const RunContext& /*context*/) const {}
  /// Does the work. Where it is spread, the whole result is on the first machine.
  /// @throws StudyError or DataError if the methods cannot use what the study asks for.
  [[nodiscard]] virtual std::unique_ptr<TaskResult> run(const RunContext& context) const = 0;
};

/// A study with its task's own struct.
template <typename Study>
class StudyOf : public TaskStudy {
 public:
  explicit StudyOf(Study read) : study(std::move(read)) {}

  Study study;
};

}  // namespace alembert::study
