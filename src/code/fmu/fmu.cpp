#include "alembert/code/fmu.hpp"

#include <fmt/format.h>

#include "code/fmu/fmu_source.hpp"
#include "code/fmu/variables.hpp"
#include "code/text/c_text.hpp"
#include "core/sha256.hpp"

namespace alembert::code {

namespace {

// The form of a GUID: {8-4-4-4-12}.
std::string guid_of(const std::string& content) {
  const std::string digits = sha256(content);
  return fmt::format("{{{}-{}-{}-{}-{}}}", digits.substr(0, 8), digits.substr(8, 4),
                     digits.substr(12, 4), digits.substr(16, 4), digits.substr(20, 12));
}

}  // namespace

Fmu make_fmu(const Program& program, double duration) {
  const std::vector<FmuVariable> variables = fmu_variables(program);
  Fmu fmu;
  const std::string unsigned_text = model_description(program, variables, "", duration);
  fmu.guid = guid_of(unsigned_text + program.header + program.source);
  fmu.description = model_description(program, variables, fmu.guid, duration);
  std::string own = replaced(kFmuSource, "{guid}", fmu.guid);
  own = replaced(own, "{start_time}", c_number(program.start_time, model::CNumber::Double));
  own = replaced(own, "{step}", c_number(program.step, model::CNumber::Double));
  fmu.source = "#define HAS_RATES " + std::string(program.has_derivatives ? "1" : "0") + "\n" +
               filled(own, program.options);
  return fmu;
}

}  // namespace alembert::code
