#include "run_monte_carlo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/atomic_folder.hpp"
#include "alembert/report/monte_carlo_report.hpp"
#include "alembert/study/result_folder.hpp"
#include "print.hpp"
#include "write_report.hpp"

namespace alembert::app {
namespace {

// Finished runs rest beside the result until it is there: frame.out.runs.
std::filesystem::path journal_file(const RunArguments& arguments) {
  std::filesystem::path path = out_folder(arguments).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path += ".runs";
}

// Each thread holds the records of one run.
void check_memory_of_runs(const study::MonteCarloStudy& study, int threads) {
  double needed = 0.0;
  for (const study::MonteCarloPoint& point : study.points) {
    needed = std::max(needed, study::memory_needed(point.simulate, 1));
  }
  needed *= std::min(static_cast<double>(thread_count(threads)),
                     static_cast<double>(study.runs * study.points.size()));
  const double there = machine_memory();
  if (there == 0.0 || needed < there) return;
  throw StudyError({.file = study.file.string()},
                   fmt::format("the runs need {:.1f} GB of memory, this machine has {:.1f} GB; "
                               "lower samples, duration or experiments, or use fewer threads",
                               needed / 1e9, there / 1e9));
}

void print_monte_carlo_heading(const study::MonteCarloStudy& study) {
  const model::SecondOrder& system = study.points.front().simulate.linear()->system;
  const auto n = system.degrees_of_freedom();
  const auto points = static_cast<long long>(study.points.size());
  fmt::print("{}\n", study.title);
  fmt::print("  {:<10} {} degree{} of freedom, {}{}\n", "study", n, n == 1 ? "" : "s",
             points == 1 ? "" : fmt::format("{} swept values, ", points),
             counted(static_cast<long long>(study.runs), "run") + (points == 1 ? "" : " each"));
  std::fflush(stdout);  // What follows may take long.
}

std::string number_or_dash(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-";
}

std::string label_of(const study::MonteCarloStudy& study, std::size_t point) {
  std::vector<std::string> labels;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    labels.push_back(study.sweep[k].labels[values[k]]);
  }
  return labels.empty() ? "all" : join(labels, ", ");
}

void print_points(const study::MonteCarloResult& result) {
  for (const study::SweepKey& key : result.study.sweep) print_step("sweep", key.key);
  std::size_t width = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    width = std::max(width, label_of(result.study, p).size());
  }
  fmt::print("  {:<10} {:>{}} {:>11}  {:<26}  {}\n", "errors", "", width, "succeeded",
             "median error % of M, D, K", "inside 95 % of M, D, K");
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    const study::PointStatistics& point = result.points[p];
    std::string errors, shares;
    for (std::size_t q = 0; q < 3; ++q) {
      errors += fmt::format("{:>9}", number_or_dash(100.0 * point.errors[q].median, 3));
      shares += fmt::format("{:>8}", number_or_dash(100.0 * point.errors[q].coverage, 3));
    }
    fmt::print("  {:<10} {:>{}} {:>11}{}{}\n", "", label_of(result.study, p), width,
               fmt::format("{}/{}", point.converged, point.runs), errors, shares);
  }
}

void print_monte_carlo(const study::MonteCarloResult& result, const std::string& time) {
  std::string words = counted(static_cast<long long>(result.runs.size()), "run");
  if (result.resumed > 0) words += fmt::format(", {} of them from before", result.resumed);
  print_step("runs", words, time);
  if (!result.runs.empty()) print_points(result);
  for (const std::string& note : result.study.notes) print_step("note", note);
  for (const std::string& warning : result.warnings) print_step("warning", warning);
}

int write_monte_carlo(const study::MonteCarloResult& result, const RunArguments& arguments,
                      io::AtomicFolder& folder, const Session& session) {
  if (!result.ok()) {
    fmt::print(stderr, "{}: {}: {}\n", arguments.study.string(), to_string(result.status),
               result.message);
  }
  if (result.runs.empty()) {
    fmt::print(stderr, "nothing was finished, so nothing is written\n");
    return kNotSuccessful;
  }
  study::write_monte_carlo_result(result, folder.path());
  write_report(report::monte_carlo_document(result), folder.path() / "report.html");
  folder.commit();
  const std::filesystem::path journal = journal_file(arguments);
  if (result.status == Status::Stopped) {
    fmt::print(stderr, "the same command goes on from here; finished runs are in {}\n",
               journal.string());
  } else {
    study::remove_journal(journal);
  }
  if (session.speaks()) {
    fmt::print("report       {}\n", (folder.target() / "report.html").string());
  }
  return result.ok() ? kDone : kNotSuccessful;
}

}  // namespace

int run_monte_carlo_study(const study::MonteCarloStudy& study, const RunArguments& arguments,
                          const StopFlag& stop, Session& session) {
  check_memory_of_runs(study, arguments.threads);
  // Made before the work, so that a folder that cannot be written is known at once.
  std::unique_ptr<io::AtomicFolder> folder;
  if (session.machines.is_first()) {
    folder = std::make_unique<io::AtomicFolder>(out_folder(arguments), study::reason_to_keep);
  }
  session.machines.barrier();
  if (session.speaks()) print_monte_carlo_heading(study);
  const Stopwatch stopwatch;
  const study::MonteCarloResult result = [&] {
    ProgressLine progress(session, "runs");  // gone before anything else is printed
    return study::run_monte_carlo(study, session.machines,
                                  {.threads = arguments.threads,
                                   .on_progress = progress.callback(),
                                   .stop = &stop,
                                   .journal = journal_file(arguments)});
  }();
  if (!session.machines.is_first()) return kDone;
  if (session.speaks()) print_monte_carlo(result, stopwatch.text());
  return write_monte_carlo(result, arguments, *folder, session);
}

}  // namespace alembert::app
