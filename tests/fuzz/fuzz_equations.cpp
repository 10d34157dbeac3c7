#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/model/equation_engine.hpp"

namespace {

using namespace alembert::model;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The names that the texts of the corpus use. Units are declared if asked for.
EquationSetup setup_of(bool units) {
  EquationSetup setup;
  setup.inputs = {{"u", units ? "N" : ""}};
  setup.parameters = {{"m", units ? "kg" : ""}, {"d", ""}, {"k", ""}};
  setup.constants = {{"g", 9.81, units ? "m/s^2" : ""}};
  setup.tables = {{"c", {0.0, 1.0, 3.0}, {0.0, 2.0, 1.0}, TableInterpolation::Cubic, "", ""}};
  return setup;
}

// The source without its comments, as a compiler sees it.
std::string without_comments(const std::string& source) {
  std::string code;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t begin = std::min(source.find("/*", at), source.size());
    code += source.substr(at, begin - at) + ' ';
    const std::size_t end = source.find("*/", begin + 2);
    require(begin == source.size() || end != std::string::npos);
    at = begin == source.size() ? begin : end + 2;
  }
  return code;
}

// Nothing but plain characters reaches a compiler, and names that users choose stand in comments
// alone, which end where they should. A name such as abort or abortx is legal.
void check_source(const std::string& source) {
  for (const char c : source) {
    require(c == '\n' || (c >= ' ' && c <= '~'));
  }
  require(without_comments(source).find("abort") == std::string::npos);
}

void evaluate(const EquationModel& model) {
  EquationEvaluator evaluator(CompiledEquations(model, {.kind = EngineKind::Interpreter}));
  evaluator.set_parameters(std::vector<double>{1.5, 0.1, 20.0});
  std::vector<double> x(model.states().size()), dx(x.size());
  const double u = 0.7;
  evaluator.start(x, {&u, 1});
  auto jacobians = evaluator.derivative_jacobians();
  evaluator.derivatives(0.3, x.data(), &u, dx.data());
  evaluator.derivatives(0.3, x.data(), &u, jacobians);
  for (std::size_t k = 0; k < dx.size(); ++k) {
    require(same(dx[k], jacobians.values[k]));
  }
}

}  // namespace

// The first byte says whether units are declared; what follows a line `---` is a start value of x.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  EquationSetup setup = setup_of(data[0] == 'u');
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t mark = text.find("\n---\n");
  if (mark != std::string_view::npos) {
    setup.starts = {{"x", std::string(text.substr(mark + 5))}};
  }
  try {
    const EquationModel model = parse_equations(text.substr(0, mark), setup);
    check_source(model.c_source());
    evaluate(model);
  } catch (const EquationError& error) {
    require(!error.reason().empty());
  }
  return 0;
}
