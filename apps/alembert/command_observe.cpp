#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "alembert/core/error.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/observe_stream.hpp"
#include "alembert/study/study.hpp"
#include "alembert/study/task.hpp"
#include "commands.hpp"
#include "print.hpp"
#include "terminal/input_lines.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Times from a row read to its estimate written.
struct Latency {
  double worst = 0.0;
  double sum = 0.0;
  std::size_t worst_row = 0;

  void add(double seconds, std::size_t row) {
    sum += seconds;
    if (seconds <= worst) return;
    worst = seconds;
    worst_row = row;
  }
};

// Whether somebody still reads.
bool write_line(std::string_view text) {
  write_out(text);
  write_out("\n");
  const OutputState state = flush_out();
  if (state == OutputState::Failed) {
    throw DataError({.file = "standard output"}, "cannot be written");
  }
  return state == OutputState::Good;
}

// What a stream does otherwise than `alembert run`.
void print_stream_notes(const study::ObserveStudy& study) {
  if (study.options.smooth) {
    tell("note: smoothing needs the whole record; the stream is filtered only\n");
  }
  const estimate::ObserverAdaptOptions& adapt = study.options.adapt;
  if (adapt.window == 0 || !adapt.outputs) return;
  const auto& sensors = study.mechanism->description().sensors;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (study.columns[i].delay == 0.0) continue;
    tell("note: the sigma of {} does not adapt in a stream, because of its delay\n",
         sensors[i].name);
  }
}

// A comment to every other reader of the rows.
bool asks_for_verdict(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line == "# verdict" || line == "#verdict";
}

void print_verdict(const study::ObserveStream& stream) {
  const Verdict verdict = stream.verdict();
  for (const std::string& reason : verdict.reasons) {
    tell("  {:<10} {}\n", "warning", reason);
  }
  tell("{}", study::verdict_lines(verdict));
}

void print_stream_end(const study::ObserveStream& stream, const Latency& latency) {
  const auto rows = static_cast<double>(std::max<std::size_t>(1, stream.rows()));
  tell("{} rows; latency from row to estimate: worst {:.3f} ms (row {}), mean {:.4f} ms\n",
       stream.rows(), 1e3 * latency.worst, latency.worst_row, 1e3 * latency.sum / rows);
  if (stream.waiting() > 0) {
    tell("{} rows passed before all coordinates had been read\n", stream.waiting());
  }
  if (stream.rejected() > 0) {
    tell("{} readings kept out by the gate\n", stream.rejected());
  }
  if (stream.widened() > 0) {
    tell("the gate lost the motion and was opened {} times\n", stream.widened());
  }
  if (stream.lost() > 0) {
    tell("{} readings came too late to be used\n", stream.lost());
  }
  if (stream.failed() > 0) {
    tell("{} rows could not be used: the mechanism cannot follow the estimate\n", stream.failed());
  }
  print_verdict(stream);
}

}  // namespace

int observe_command(const ObserveArguments& arguments, Session& session) {
  if (!session.machines.is_first()) return kDone;  // one machine does it all
  study::LoadOptions options{.stream = true};
  for (const std::string& change : arguments.changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  const study::LoadedStudy loaded = study::load_study(arguments.study, options);
  if (!loaded.problems.empty()) return print_problems(loaded.problems, session);
  const auto* observe = loaded.as<study::ObserveStudy>();
  if (observe == nullptr) {
    throw StudyError({.file = arguments.study.string()},
                     "the study has no table [observe]; run it with `alembert run`");
  }
  if (!session.quiet) print_stream_notes(*observe);
  const StopFlag& stop = stop_on_signal();
  study::ObserveStream stream(*observe, {.skip_bad = arguments.skip_bad});
  Latency latency;
  InputLines lines(stop);
  std::string_view line;
  while (lines.next(line)) {
    if (asks_for_verdict(line)) print_verdict(stream);
    const Clock::time_point begin = Clock::now();
    const std::string_view text = stream.take(line);
    if (text.empty()) continue;
    if (!write_line(text)) break;
    if (!stream.news().empty()) tell("{}", stream.news());
    latency.add(std::chrono::duration<double>(Clock::now() - begin).count(), stream.rows());
  }
  const std::string_view rest = stream.finish();
  if (!rest.empty()) static_cast<void>(write_line(rest));
  if (!stream.news().empty()) tell("{}", stream.news());
  if (stream.rows() == 0 && !stop.requested()) {
    throw DataError({.file = "standard input"}, "holds no row of readings");
  }
  if (!session.quiet) print_stream_end(stream, latency);
  const bool bad = stream.failed() > 0 || stream.verdict().level == TrustLevel::Bad;
  return bad ? kNotSuccessful : kDone;
}

}  // namespace alembert::app
