#include "study/tasks/monte_carlo/runs/journal_place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/parallel.hpp"
#include "alembert/study/monte_carlo.hpp"

namespace alembert::study {

std::filesystem::path journal_beside(const std::filesystem::path& out) {
  if (out.empty()) return {};
  std::filesystem::path path = out.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path += ".runs";
}

std::string journal_words(std::size_t resumed, std::size_t passed_over, std::size_t runs) {
  if (resumed == 0 && passed_over == 0) return "";
  std::string words =
      fmt::format("{} of {} runs taken over from an earlier call of this study", resumed, runs);
  if (passed_over == 0) return words;
  return words + fmt::format(
                     "; {} of its lines passed over: damaged, of another study or "
                     "version, or not sealed by this user",
                     passed_over);
}

std::string settle_journal(const Outcome& outcome, const RunContext& context) {
  const std::filesystem::path journal = journal_beside(context.out);
  if (journal.empty()) return "";
  if (outcome.status == Status::Stopped && !std::filesystem::exists(journal)) {
    return "finished runs were not kept: there is no folder for the key that seals them "
           "($XDG_STATE_HOME or ~/.local/state)\n";
  }
  if (outcome.status == Status::Stopped) {
    return fmt::format("the same command goes on from here; finished runs are in {}\n",
                       journal.string());
  }
  remove_journal(journal);
  return "";
}

void check_memory_of_runs(double needed, std::size_t runs, const std::filesystem::path& study,
                          const RunContext& context) {
  const double all = needed * std::min(static_cast<double>(thread_count(context.options.threads)),
                                       static_cast<double>(runs));
  if (context.memory == 0.0 || all < context.memory) return;
  throw StudyError({.file = study.string()},
                   fmt::format("the runs need {:.1f} GB of memory, this machine has {:.1f} GB; "
                               "lower samples, duration or experiments, or use fewer threads",
                               all / 1e9, context.memory / 1e9));
}

}  // namespace alembert::study
