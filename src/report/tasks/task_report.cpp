#include "alembert/report/task_report.hpp"

#include <array>
#include <optional>

#include "alembert/core/error.hpp"
#include "alembert/report/acceleration_report.hpp"
#include "alembert/report/frf_report.hpp"
#include "alembert/report/identify_report.hpp"
#include "alembert/report/mechanism_fit_report.hpp"
#include "alembert/report/modes_report.hpp"
#include "alembert/report/monte_carlo_report.hpp"
#include "alembert/report/observe_report.hpp"
#include "alembert/report/output_error_report.hpp"
#include "alembert/report/reduce_report.hpp"
#include "alembert/report/repeat_report.hpp"
#include "alembert/report/simulate_report.hpp"
#include "alembert/report/state_space_report.hpp"
#include "report/parts/study_sections.hpp"

namespace alembert::report {
namespace {

// The document of a result, if it is of this task.
template <typename Result, document::Document (*made)(const Result&)>
std::optional<document::Document> document_if(const study::TaskResult& any) {
  const Result* result = any.as<Result>();
  return result == nullptr ? std::nullopt : std::optional(made(*result));
}

// One line a task.
constexpr std::array kDocuments = {
    document_if<study::SimulateResult, simulate_document>,
    document_if<study::IdentifyResult, identify_document>,
    document_if<study::OutputErrorOutcome, output_error_document>,
    document_if<study::AccelerationOutcome, acceleration_document>,
    document_if<study::ModesOutcome, modes_document>,
    document_if<study::FrfOutcome, frf_document>,
    document_if<study::StateSpaceOutcome, state_space_document>,
    document_if<study::MechanismFitOutcome, mechanism_fit_document>,
    document_if<study::MonteCarloResult, monte_carlo_document>,
    document_if<study::ObserveResult, observe_document>,
    document_if<study::RepeatResult, repeat_document>,
    document_if<study::ReduceOutcome, reduce_document>,
};

}  // namespace

document::Document task_document(const study::TaskResult& result) {
  for (const auto& of_task : kDocuments) {
    if (std::optional<document::Document> found = of_task(result)) {
      found->verdict = result.verdict();
      if (!result.trace.files.empty()) {
        found->sections.push_back(traceability_section(result.trace));
      }
      return *std::move(found);
    }
  }
  throw InvalidInput(
      {.function = "task_document", .argument = "result", .rule = "must be that of a known task"});
}

}  // namespace alembert::report
