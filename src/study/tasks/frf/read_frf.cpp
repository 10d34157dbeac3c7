#include "study/tasks/frf/read_frf.hpp"

#include <fmt/format.h>

#include <utility>

#include "alembert/core/error.hpp"
#include "study/parts/responses/response_records.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/frf/frf_keys.hpp"

namespace alembert::study {
namespace {

void read_frf_settings(const TableReader& identify, FrfSettings& settings) {
  frf_keys().read(identify, settings);
  frf_keys().refuse_unused(identify, settings);
  settings.from_hz = settings.local.from_hz = identify.optional_number("from").value_or(0.0);
  settings.to_hz = settings.local.to_hz = identify.optional_number("to").value_or(1e300);
  if (settings.from_hz >= settings.to_hz) {
    identify.fail("to", fmt::format("must be above identify.from, got {:.6g} Hz", settings.to_hz));
  }
  if (settings.average == FrfAverage::Periods && !identify.has("period")) {
    identify.fail("period", "is missing: it says how many samples a period has");
  }
}

}  // namespace

FrfStudy read_frf(const TableReader& root, const FileContext& files,
                  std::vector<Problem>& problems) {
  FrfStudy study;
  const TableReader identify = root.table("identify");
  const TableReader data = root.table("data");
  attempt(problems, [&] { read_frf_settings(identify, study.settings); });
  attempt(problems, [&] {
    ResponseRecords records = read_response_records(data, files);
    study.inputs = std::move(records.inputs);
    study.outputs = std::move(records.outputs);
    study.experiments = std::move(records.experiments);
    study.sources = std::move(records.sources);
    study.step = records.step;
    study.notes = std::move(records.notes);
  });
  return study;
}

}  // namespace alembert::study
