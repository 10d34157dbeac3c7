#include "model/equations/native/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/model/equations.hpp"
#include "model/equations/native/c_newmark_loops.hpp"
#include "model/equations/native/c_printer.hpp"
#include "model/equations/native/c_record_loops.hpp"

namespace alembert::model {

namespace equations {
namespace {

// The prototypes stand here so that no header is needed.
constexpr const char* kPreamble = R"(
#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline, unused))
#define PLAIN static __attribute__((unused))
#else
#define INLINE static
#define PLAIN static
#endif

double fabs(double), floor(double), sqrt(double), exp(double), log(double), pow(double, double);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double);
double sinh(double), cosh(double), tanh(double), atan2(double, double);

INLINE double sign_of(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }
/* Slopes that are infinite or missing are taken as 0. */
INLINE double safe_inverse(double a) { return a == 0.0 ? 0.0 : 1.0 / a; }
/* a^b from power = a^(b-1). */
INLINE double pow_up(double a, double b, double power) {
  return a == 0.0 ? pow(a, b) : a * power;
}
INLINE double pow_log(double a, double power) {
  return a <= 0.0 ? 0.0 : power * log(a);
}
INLINE double pow_slope(double a, double b, double power) {
  return a == 0.0 ? (b == 1.0 ? 1.0 : 0.0) : b * power / a;
}
)";

constexpr const char* kLookup = R"(
/* Linear (s = 0) or cubic interpolation in a table of n points, or the slope; ends are held. */
PLAIN double lookup(const double* x, const double* y, const double* s, long n, double a,
                    int slope) {
  long low = 0, high = n - 1;
  if (!(a >= x[0])) return a < x[0] ? (slope ? 0.0 : y[0]) : a;
  if (a >= x[n - 1]) return slope ? 0.0 : y[n - 1];
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    if (x[middle] <= a) low = middle; else high = middle;
  }
  const double h = x[low + 1] - x[low];
  const double q = (a - x[low]) / h;
  const double rise = y[low + 1] - y[low];
  if (!s) return slope ? rise / h : y[low] + rise * q;
  const double m0 = h * s[low];
  const double m1 = h * s[low + 1];
  const double c2 = 3.0 * rise - 2.0 * m0 - m1;
  const double c3 = m0 + m1 - 2.0 * rise;
  if (slope) return (m0 + q * (2.0 * c2 + q * (3.0 * c3))) / h;
  return y[low] + q * (m0 + q * (c2 + q * c3));
}
)";

std::string array_text(const std::string& name, const std::vector<double>& values) {
  std::string text = fmt::format("static const double {}[{}] = {{", name, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format("{}{:.17g}{}", k % 4 == 0 ? "\n  " : " ", values[k],
                        k + 1 < values.size() ? "," : "");
  }
  return text + "};\n";
}

std::string tables_text(const std::vector<Curve>& curves) {
  std::string text;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const Curve& curve = curves[k];
    text += k == 0 ? kLookup : "";
    text += "\n" + array_text(fmt::format("table{}_x", k), curve.x);
    text += array_text(fmt::format("table{}_y", k), curve.y);
    std::string slopes = "0";
    if (!curve.slope.empty()) {
      slopes = fmt::format("table{}_slope", k);
      text += array_text(slopes, curve.slope);
    }
    text += fmt::format(
        "PLAIN double table{0}(double a, int slope) {{\n"
        "  return lookup(table{0}_x, table{0}_y, {1}, {2}, a, slope);\n}}\n",
        k, slopes, curve.x.size());
  }
  return text;
}

std::string names_text(const Program& program) {
  std::string text;
  const auto list = [&text](const char* array, const std::vector<std::string>& names) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      text += fmt::format("   {}[{}] = {}\n", array, k, names[k]);
    }
  };
  list("x", program.states);
  list("u", program.inputs);
  list("p", program.parameters);
  list("y", program.outputs);
  return text;
}

std::string jacobian_text(const CPrinter& printer, const std::vector<EntrySlot>& entries,
                          const char* array, std::size_t rows) {
  std::string text;
  for (const EntrySlot& entry : entries) {
    text += fmt::format("  {}[{}] = {};\n", array, entry.column * rows + entry.row,
                        printer.operand(entry.slot));
  }
  return text;
}

constexpr const char* kArguments =
    "double t, const double* restrict x, const double* restrict u, const double* restrict p, "
    "const double* restrict w";

std::string function_text(const TapeSet& tapes, const Tape& tape, const char* name) {
  CPrinter printer(tapes);
  std::string text =
      fmt::format("\n{} void {}({}, double* restrict r) {{\n",
                  tape.code.size() <= kInlineLimit ? "INLINE" : "PLAIN", name, kArguments);
  text += printer.body(tape);
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    text += fmt::format("  r[{}] = {};\n", k, printer.operand(tape.values[k]));
  }
  return text + "}\n";
}

std::string exported_text(const char* name, const char* inner) {
  return fmt::format(
      "void {}({}, double* restrict r) {{\n"
      "  {}(t, x, u, p, w, r);\n}}\n",
      name, kArguments, inner);
}

// Values r, and columns of the Jacobians jx, ju, jp; entries that are always zero are not written.
std::string jacobians_text(const TapeSet& tapes, const Tape& tape, const char* name) {
  CPrinter printer(tapes);
  const std::size_t rows = tape.values.size();
  std::string text = fmt::format(
      "\nvoid {}({},\n    double* restrict r, double* restrict jx, double* restrict ju, "
      "double* restrict jp) {{\n",
      name, kArguments);
  text += printer.body(tape);
  for (std::size_t k = 0; k < rows; ++k) {
    text += fmt::format("  r[{}] = {};\n", k, printer.operand(tape.values[k]));
  }
  text += jacobian_text(printer, tape.by_state, "jx", rows);
  text += jacobian_text(printer, tape.by_input, "ju", rows);
  text += jacobian_text(printer, tape.by_parameter, "jp", rows);
  return text + "}\n";
}

std::string prepare_text(const TapeSet& tapes, const std::string& prefix) {
  CPrinter printer(tapes);
  return fmt::format(
      "\n/* What depends on parameters only: w needs room for {} numbers. */\n"
      "void {}_prepare(const double* restrict p, double* restrict w) {{\n{}}}\n",
      std::max<std::uint32_t>(1, tapes.time_slot - tapes.prepared_slot), prefix,
      printer.body(tapes.prepare));
}

std::string start_text(const Program& program, const TapeSet& tapes) {
  CPrinter printer(tapes);
  // Inputs are an argument where the start depends on them.
  const bool inputs = program.start_uses_inputs;
  std::string text = fmt::format(
      "\nvoid alembert_start({}const double* restrict p, const double* "
      "restrict w, double* restrict x) {{\n",
      inputs ? "const double* restrict u, " : "");
  text += printer.body(tapes.start);
  for (std::size_t k = 0; k < tapes.start.values.size(); ++k) {
    text += fmt::format("  x[{}] = {};\n", k, printer.operand(tapes.start.values[k]));
  }
  return text + "}\n";
}

}  // namespace

std::string c_preamble() { return kPreamble; }

std::string c_values_function(const TapeSet& tapes, const std::string& name) {
  CPrinter printer(tapes);
  std::string text = prepare_text(tapes, name);
  text += fmt::format("\nvoid {}({}, double* restrict r) {{\n", name, kArguments);
  text += printer.body(tapes.g);
  for (std::size_t k = 0; k < tapes.g.values.size(); ++k) {
    text += fmt::format("  r[{}] = {};\n", k, printer.operand(tapes.g.values[k]));
  }
  return text + "}\n";
}

std::string c_source(const Program& program, const TapeSet& tapes, CSourceParts parts) {
  std::string text = "/* Differential equations x' = f(t, x, u, p), y = g(t, x, u, p), as C99.\n" +
                     names_text(program) +
                     "   Call alembert_prepare(p, w) first, for every p. */\n" + kPreamble;
  const bool points = parts.points;
  text += tables_text(program.graph.curves());
  if (points) text += prepare_text(tapes, "alembert") + start_text(program, tapes);
  text += function_text(tapes, tapes.f, "f") + (points ? exported_text("alembert_f", "f") : "");
  text += function_text(tapes, tapes.g, "g") + (points ? exported_text("alembert_g", "g") : "");
  if (points) {
    text += jacobians_text(tapes, tapes.f_jacobians, "alembert_f_jacobians");
    text += jacobians_text(tapes, tapes.g_jacobians, "alembert_g_jacobians");
  }
  text += c_record_tools(program, tapes);
  if (points) text += c_point_sensitivities();
  if (parts.runge_kutta) text += c_runge_kutta_loops();
  if (parts.newmark) text += c_newmark_loops(program, tapes);
  return text;
}

}  // namespace equations

std::string EquationModel::c_source() const {
  return equations::c_source(*program_, equations::make_tapes(*program_));
}

}  // namespace alembert::model
