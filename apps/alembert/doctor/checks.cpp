#include "doctor/checks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "alembert/core/blas_information.hpp"
#include "alembert/integrate/equation_simulator.hpp"
#include "alembert/model/equation_engine.hpp"
#include "doctor/programs.hpp"

namespace alembert::app {
namespace {

namespace fs = std::filesystem;
using State = Check::State;

Check check_kernels() {
  const std::string better = blas_information().better_kernels;
  if (better.empty()) return {"matrix kernels", State::Good, "suit the processor"};
  return {"matrix kernels", State::Bad,
          fmt::format("products take a multiple of the time; set OPENBLAS_CORETYPE={}", better)};
}

// y' = -k y: its slope is known, whichever engine computes it.
Check check_equations() {
  const std::string name = "equations";
  try {
    model::EquationSetup setup;
    setup.outputs = {{.name = "y", .unit = {}}};
    setup.parameters = {{.name = "k", .unit = {}}};
    const model::CompiledEquations compiled(model::parse_equations("y' = -k*y", setup));
    model::EquationEvaluator evaluator(compiled);
    const double rate = 3.0;
    const double value = 2.0;
    double slope = 0.0;
    evaluator.set_parameters(std::span(&rate, 1));
    evaluator.derivatives(0.0, &value, nullptr, &slope);
    if (slope != -rate * value) return {name, State::Bad, "are computed wrongly; report this"};
    if (compiled.engine() == model::EngineKind::Native) {
      return {name, State::Good, "run as machine code"};
    }
    return {name, State::Absent,
            "are interpreted, several times slower than machine code: " + compiled.note()};
  } catch (const std::exception& error) {
    return {name, State::Bad, error.what()};
  }
}

Check check_stiff() {
  if (integrate::has_stiff_integrator()) {
    return {"stiff equations", State::Good, "integrator = \"stiff\" is there"};
  }
  return {"stiff equations", State::Absent,
          "no integrator = \"stiff\": build with SUNDIALS 6 (Debian: libsundials-dev)"};
}

bool can_write(const fs::path& folder) {
  const fs::path file = folder / fmt::format("alembert-doctor-{}", getpid());
  std::ofstream stream(file);
  stream << "text\n";
  stream.close();
  const bool good = static_cast<bool>(stream);
  std::error_code code;
  fs::remove(file, code);
  return good;
}

Check check_folder(const std::string& name, const fs::path& folder, const std::string& purpose) {
  if (can_write(folder)) return {name, State::Good, folder.string() + " can be written"};
  return {name, State::Bad, fmt::format("{} cannot be written: {}", folder.string(), purpose)};
}

Check check_temporary() {
  std::error_code code;
  const fs::path folder = fs::temp_directory_path(code);
  if (code) return {"temporary files", State::Bad, "there is no folder for them; set TMPDIR"};
  return check_folder("temporary files", folder, "set TMPDIR to a folder that can");
}

Check check_program(const std::string& name, const std::vector<std::string>& programs,
                    const std::string& without) {
  const fs::path found = find_program(programs);
  return found.empty() ? Check{name, State::Absent, without}
                       : Check{name, State::Good, found.string()};
}

Check check_python() {
  const fs::path python = find_program({"python3"});
  if (python.empty()) return {"Python module", State::Absent, "there is no python3"};
  if (run_program(python, {"-c", "import alembert"}) == 0) {
    return {"Python module", State::Good, "import alembert works in " + python.string()};
  }
  return {"Python module", State::Absent,
          fmt::format("{} does not find it; see docs/python.md", python.string())};
}

Check check_data() {
  const char* folder = std::getenv("ALEMBERT_DATA");
  std::error_code code;
  if (folder == nullptr) {
    return {"public records", State::Absent,
            "ALEMBERT_DATA is not set: reproductions on measured records are refused"};
  }
  if (fs::is_directory(folder, code)) return {"public records", State::Good, folder};
  return {"public records", State::Bad, fmt::format("ALEMBERT_DATA: {} is no folder", folder)};
}

Check check_terminal() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string text = value;
    if (text.find("UTF-8") != std::string::npos || text.find("utf8") != std::string::npos) {
      return {"terminal", State::Good, "shows UTF-8"};
    }
    break;
  }
  return {"terminal", State::Absent, "not UTF-8 by LANG: spectra at a glance may look odd"};
}

}  // namespace

std::vector<Check> run_checks() {
  return {check_kernels(),
          check_equations(),
          check_stiff(),
          check_program("many machines", {"mpirun"},
                        "no mpirun on the PATH (Debian: openmpi-bin); one machine works"),
          check_python(),
          check_program("Octave", {"octave", "octave-cli"}, "no octave on the PATH; see octave/"),
          check_program("browser", {"xdg-open", "open"},
                        "no xdg-open on the PATH: alembert open prints the path of the report"),
          check_temporary(),
          check_folder("working folder", fs::path("."), "results need --out with one that can"),
          check_data(),
          check_terminal()};
}

}  // namespace alembert::app
