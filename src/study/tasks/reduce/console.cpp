#include "study/tasks/reduce/console.hpp"

#include "alembert/document/words.hpp"
#include "study/result/console.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void print_reduced_modes(const ResultTree& modes, Console& console) {
  if (modes.entries().empty()) return;
  console.print("  {:<10} {:>6} {:>12} {:>12} {:>10} {:>9} {:>9}\n", "modes", "number", "Hz",
                "small, Hz", "error %", "NCO", "MAC");
  for (const ResultTree& one : modes.entries()) {
    console.print("  {:<10} {:>6} {:>12.6g} {:>12.6g} {:>10.3g} {:>9.5f} {:>9.5f}\n", "",
                  one.at("mode").integer(), one.number("frequency_hz"), one.number("reduced_hz"),
                  100.0 * one.number("frequency_error"), one.number("nco"), one.number("mac"));
  }
}

void print_responses(const ResultTree& responses, Console& console) {
  if (responses.entries().empty()) return;
  console.print("  {:<10} {:>12} {:>12} {:>10} {:>9}\n", "responses", "Hz", "", "gain error %",
                "MAC");
  for (const ResultTree& one : responses.entries()) {
    console.print("  {:<10} {:>12.6g} {:>12} {:>12.3g} {:>9.5f}\n", "", one.number("frequency_hz"),
                  one.at("design").words(), 100.0 * one.number("gain_error"), one.number("mac"));
  }
}

std::string size_words(const ResultTree& size) {
  return size.is_null() ? "-" : std::to_string(size.integer());
}

void print_smallest(const ResultTree& smallest, bool forced, Console& console) {
  console.print("  {:<10} {:<18} {:>6} {:>16}\n", "sizes", "method", "size",
                forced ? "off design too" : "");
  for (const ResultTree& one : smallest.entries()) {
    console.print("  {:<10} {:<18} {:>6} {:>16}\n", "", one.text("method"),
                  size_words(one.at("size")), forced ? size_words(one.at("off_design_size")) : "");
  }
}

std::string proof_words(const reduce::StructureModes& modes) {
  if (modes.counted < 0) return "not counted";
  return fmt::format("{} of {} up to {:.6g} Hz by inertia, residual {:.1e}", modes.found,
                     modes.counted, modes.proven_to_hz,
                     modes.residual.size() > 0 ? modes.residual.maxCoeff() : 0.0);
}

}  // namespace

std::string reduce_heading(const ReduceStudy& study) {
  Console console;
  console.print("{}\n", study.title);
  console.step(
      "study",
      fmt::format("{}, {}", document::count_of(study.structure.size(), "coordinate"),
                  document::count_of(static_cast<long long>(study.masters.size()), "master")));
  return console.text();
}

std::string reduce_console(const ReduceOutcome& result) {
  Console console;
  const ResultTree tree = describe(result);
  if (result.modes.count() > 0) console.step("modes", proof_words(result.modes));
  console.step("interior", proof_words(result.interior));
  console.step("model",
               fmt::format("{} coordinates by {}", result.basis.size(), name_of(result.method)));
  print_reduced_modes(tree.at("modes"), console);
  print_responses(tree.at("responses"), console);
  print_smallest(tree.at("smallest"), !result.response_errors.empty(), console);
  console.steps("note", result.study.notes);
  console.steps("warning", result.warnings);
  return console.text();
}

}  // namespace alembert::study
