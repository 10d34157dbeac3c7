#include "study/tasks/monte_carlo/runs/spread_runs.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "study/tasks/monte_carlo/journal/journal_key.hpp"
#include "study/tasks/monte_carlo/run_journal.hpp"

namespace alembert::study {
namespace {

RunIndex index_of_run(std::size_t index, std::size_t points) {
  return {index % points, index / points};
}

bool is_stopped(const Eigen::RowVectorXd& row) {
  return row(0) == static_cast<double>(Status::Stopped);
}

// A row of the journal that is a run of today.
const Eigen::RowVectorXd* known_run(const RunJournal& journal, std::size_t index,
                                    const RunsToSpread& work) {
  const auto known = journal.finished().find(index);
  if (known == journal.finished().end() || !work.is_run(known->second)) return nullptr;
  return &known->second;
}

void collect_rows(const std::vector<std::optional<Eigen::MatrixXd>>& rows,
                  const RunJournal& journal, const RunsToSpread& work, SpreadRuns& spread) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Eigen::RowVectorXd row;
    if (rows[i]) row = rows[i]->row(0);
    const Eigen::RowVectorXd* known = known_run(journal, i, work);
    if ((!rows[i] || is_stopped(row)) && known != nullptr) row = *known;
    if (row.size() == 0 || is_stopped(row)) continue;
    spread.finished.emplace_back(index_of_run(i, work.points), std::move(row));
  }
  std::stable_sort(spread.finished.begin(), spread.finished.end(),
                   [](const auto& a, const auto& b) { return a.first.point < b.first.point; });
}

}  // namespace

SpreadRuns spread_runs(const RunsToSpread& work, const Machines& machines,
                       const MonteCarloOptions& options) {
  const std::size_t count = work.runs * work.points;
  // Without a journal there is nothing to seal, and no key is made.
  const std::string key = options.journal.empty() ? "" : journal_key();
  RunJournal journal(options.journal, {work.fingerprint, key}, machines);
  const auto run = [&](std::size_t i) -> Eigen::MatrixXd {
    if (const Eigen::RowVectorXd* known = known_run(journal, i, work)) return *known;
    const Eigen::RowVectorXd row = work.run(index_of_run(i, work.points));
    if (!is_stopped(row)) journal.append(i, row);
    return row;
  };
  const auto rows = distributed_map(
      machines, count, run,
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  SpreadRuns spread;
  if (!machines.is_first()) return spread;
  for (const auto& [index, row] : journal.finished()) spread.resumed += index < count ? 1 : 0;
  spread.passed_over = journal.passed_over();
  collect_rows(rows, journal, work, spread);
  return spread;
}

}  // namespace alembert::study
