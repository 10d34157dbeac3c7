#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "core/mapped.hpp"
#include "study/tasks/identify/identify_keys.hpp"
#include "study/tasks/identify/read_identify.hpp"

namespace alembert::study {
namespace {

using identify::LinearMethod;
using identify::LinearOptions;
using identify::StartMethod;

constexpr const char* kWhereNominal = ": mass and stiffness in [model]";

// What the study says of the system elsewhere.
void describe_system(IdentifyStudy& study) {
  LinearOptions& settings = study.settings;
  settings.degrees_of_freedom = study.model.system.L.rows();
  settings.L = study.model.system.L;
  settings.outputs = output_map(study);
  if (study.has_nominal()) settings.nominal = identify::matrices_of(study.model.system);
  settings.names = {
      .coordinates = study.model.coordinates,
      .inputs = mapped(study.inputs, [](const ColumnUse& one) { return one.name; }),
      .outputs = mapped(study.outputs, [](const OutputSensor& one) { return one.column.name; })};
}

void check_chosen_start(const TableReader& table, const LinearOptions& settings) {
  try {
    (void)identify::choose_start(settings);
  } catch (const InvalidInput& error) {
    if (!settings.start) {
      throw StudyError(table.place("start"),
                       fmt::format("[identify] a start {}{}", error.parts().rule, kWhereNominal));
    }
    const bool nominal = *settings.start == StartMethod::Nominal;
    table.fail("start", error.parts().rule + (nominal ? kWhereNominal : ""));
  }
}

// One by one, so that the culprit is known.
void check_compare(const TableReader& table, const LinearOptions& settings) {
  LinearOptions one_more = settings;
  one_more.compare.clear();
  for (const LinearMethod method : settings.compare) {
    one_more.compare.push_back(method);
    try {
      identify::check_compared(one_more);
    } catch (const InvalidInput& error) {
      const InvalidInput::Parts& parts = error.parts();
      if (!parts.value.empty()) {
        table.fail("compare", fmt::format("{}, got {}", parts.rule, parts.value));
      }
      const bool nominal = method == LinearMethod::GreyBox;
      throw StudyError(
          table.place("compare"),
          fmt::format("{}: {}{}", table.name("compare"), parts.rule, nominal ? kWhereNominal : ""));
    }
  }
}

// A key that no chosen method looks at must not pass in silence. If the command line chose the
// method, the key was right for the study as written and is noted only.
void check_keys_in_use(const TableReader& identify, IdentifyStudy& study,
                       std::vector<Problem>& problems) {
  const std::string file = identify.place_of({}).file;
  const auto from_command_line = [&](const std::string& key) {
    return identify.has(key) && identify.place(key).file != file;
  };
  const bool changed =
      from_command_line("start") || from_command_line("refine") || from_command_line("compare");
  for (const UnusedKey& unused : identify_keys().unused(identify, study.settings)) {
    const std::string message = fmt::format(
        "{} {} with start = \"{}\" and refine = \"{}\"", identify.name(unused.key), unused.rule,
        name_of(identify::choose_start(study.settings).start), identify.text("refine"));
    if (changed && identify.key_place(unused.key).file == file) {
      study.notes.push_back(message);
    } else {
      problems.push_back({identify.key_place(unused.key), message});
    }
  }
}

// Free matrices can only be told if every coordinate is sensed or driven and one is both.
void check_coverage(const TableReader& root, const LinearOptions& settings) {
  const identify::Coverage covered =
      identify::coverage(settings.L, settings.outputs, settings.names.coordinates);
  if (covered.identifiable) return;
  // In [monte-carlo] the simulated sensors are the outputs.
  const bool simulated = root.has("monte-carlo");
  const TableReader table = root.table(simulated ? "simulate" : "data");
  const std::string key = simulated ? "sensors" : "outputs";
  throw StudyError(table.place(key), table.name(key) +
                                         ": M, D and K cannot be found from these sensors and "
                                         "forces: " +
                                         covered.advice);
}

}  // namespace

void read_settings(const TableReader& root, bool all_free, IdentifyStudy& study,
                   std::vector<Problem>& problems) {
  const TableReader table = root.table("identify");
  describe_system(study);
  if (!attempt(problems, [&] { read_identify_keys(table, study.settings, study.notes); })) return;
  const bool ready = attempt(problems, [&] {
    check_chosen_start(table, study.settings);
    check_compare(table, study.settings);
  });
  if (!ready) return;
  check_keys_in_use(table, study, problems);
  if (all_free) attempt(problems, [&] { check_coverage(root, study.settings); });
}

void check_settings_on_data(const TableReader& root, const IdentifyStudy& study,
                            std::vector<Problem>& problems) {
  if (!identify::has_missing(study.data.experiments)) return;
  const TableReader table = root.table("identify");
  const std::string reason = "cannot use data with missing samples; fill the gaps first";
  const StartMethod start = identify::choose_start(study.settings).start;
  if (identify::has_subspace_step(start)) {
    problems.push_back(
        {table.place("start"), fmt::format("identify.start = \"{}\" {}", name_of(start), reason)});
  }
  for (const LinearMethod method : study.settings.compare) {
    if (!identify::has_subspace_step(method)) continue;
    problems.push_back({table.place("compare"),
                        fmt::format("identify.compare: \"{}\" {}", name_of(method), reason)});
  }
}

}  // namespace alembert::study
