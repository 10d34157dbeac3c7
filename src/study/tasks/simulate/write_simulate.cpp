#include <fmt/format.h>

#include <algorithm>

#include "alembert/io/table.hpp"
#include "alembert/study/simulate.hpp"
#include "study/result/json.hpp"

namespace alembert::study {

std::string record_file_name(const std::string& stem, std::size_t number, std::size_t experiments) {
  if (experiments == 1) {
    return stem + ".csv";
  }
  // As many digits as the last one needs, two or more, so that names sort by number.
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(experiments).size());
  return fmt::format("{}-{:0{}}.csv", stem, number, digits);
}

void write_simulate_result(const SimulateResult& result, const std::filesystem::path& folder) {
  const SimulateStudy& study = result.study;
  for (const Experiment& experiment : result.experiments) {
    io::write_record(folder / record_file_name("record", experiment.number, study.experiments),
                     experiment.record);
    if (study.write_truth) {
      io::write_record(folder / record_file_name("truth", experiment.number, study.experiments),
                       experiment.truth);
    }
  }
  write_json(to_json(describe(result)), folder / "result.json");
}

}  // namespace alembert::study
