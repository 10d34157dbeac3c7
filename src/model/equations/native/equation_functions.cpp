#include "alembert/model/equation_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "model/equations/native/c_printer.hpp"

namespace alembert::model {

namespace equations {
namespace {

constexpr const char* kPoint =
    "real t, const real* x, const real* u, const real* p, const real* w, real* r";

// Functions of ours, each with its name; @ stands for the suffix of numbers and functions.
struct Helper {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<Helper, 6> kHelpers = {{
    {"sign_of(",
     "static real sign_of(real a) { return a > 0.0@ ? 1.0@ : (a < 0.0@ ? -1.0@ : a); }\n"},
    {"safe_inverse(",
     "/* Slopes that are infinite or missing are taken as 0. */\n"
     "static real safe_inverse(real a) { return a == 0.0@ ? 0.0@ : 1.0@ / a; }\n"},
    {"pow_up(",
     "/* a^b from power = a^(b-1) */\n"
     "static real pow_up(real a, real b, real power) {\n"
     "  return a == 0.0@ ? pow@(a, b) : a * power;\n}\n"},
    {"pow_log(",
     "static real pow_log(real a, real power) {\n"
     "  return a <= 0.0@ ? 0.0@ : power * log@(a);\n}\n"},
    {"pow_slope(",
     "static real pow_slope(real a, real b, real power) {\n"
     "  return a == 0.0@ ? (b == 1.0@ ? 1.0@ : 0.0@) : b * power / a;\n}\n"},
    {"lookup(",
     "/* Linear (s is null) or cubic interpolation in a table of n points, or the slope; ends are\n"
     "   held. */\n"
     "static real lookup(const real* x, const real* y, const real* s, int n, real a, int slope) {\n"
     "  int low = 0;\n"
     "  int high = n - 1;\n"
     "  if (!(a >= x[0])) {\n"
     "    return a < x[0] ? (slope != 0 ? 0.0@ : y[0]) : a;\n"
     "  }\n"
     "  if (a >= x[n - 1]) {\n"
     "    return slope != 0 ? 0.0@ : y[n - 1];\n"
     "  }\n"
     "  while (high - low > 1) {\n"
     "    const int middle = low + (high - low) / 2;\n"
     "    if (x[middle] <= a) {\n"
     "      low = middle;\n"
     "    } else {\n"
     "      high = middle;\n"
     "    }\n"
     "  }\n"
     "  {\n"
     "    const real h = x[low + 1] - x[low];\n"
     "    const real q = (a - x[low]) / h;\n"
     "    const real rise = y[low + 1] - y[low];\n"
     "    real m0, m1, c2, c3;\n"
     "    if (s == 0) {\n"
     "      return slope != 0 ? rise / h : y[low] + rise * q;\n"
     "    }\n"
     "    m0 = h * s[low];\n"
     "    m1 = h * s[low + 1];\n"
     "    c2 = 3.0@ * rise - 2.0@ * m0 - m1;\n"
     "    c3 = m0 + m1 - 2.0@ * rise;\n"
     "    if (slope != 0) {\n"
     "      return (m0 + q * (2.0@ * c2 + q * (3.0@ * c3))) / h;\n"
     "    }\n"
     "    return y[low] + q * (m0 + q * (c2 + q * c3));\n"
     "  }\n"
     "}\n"},
}};

std::string with_suffix(std::string_view text, const char* suffix) {
  std::string result;
  for (const char c : text) {
    c == '@' ? result.append(suffix) : result.append(1, c);
  }
  return result;
}

std::string numbers_text(const std::string& name, const std::vector<double>& values,
                         const CStyle& style) {
  std::string text = fmt::format("static const real {}[{}] = {{", name, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += fmt::format("{}{}{}", k % 4 == 0 ? "\n  " : " ", c_literal(values[k], style),
                        k + 1 < values.size() ? "," : "");
  }
  return text + "};\n";
}

std::string curve_text(std::size_t number, const Curve& curve, const CStyle& style) {
  std::string text = numbers_text(fmt::format("table{}_x", number), curve.x, style);
  text += numbers_text(fmt::format("table{}_y", number), curve.y, style);
  std::string slopes = "0";
  if (!curve.slope.empty()) {
    slopes = fmt::format("table{}_slope", number);
    text += numbers_text(slopes, curve.slope, style);
  }
  return text + fmt::format(
                    "static real table{0}(real a, int slope) {{\n"
                    "  return lookup(table{0}_x, table{0}_y, {1}, {2}, a, slope);\n}}\n",
                    number, slopes, curve.x.size());
}

void count_operation(Op op, OperationCount& count) {
  switch (op) {
    case Op::Mul:
      ++count.products;
      return;
    case Op::Div:
    case Op::Sqrt:
    case Op::SafeInverse:
      ++count.divisions;
      return;
    case Op::Table:
    case Op::TableSlope:
      ++count.lookups;
      return;
    case Op::PowSlope:
      ++count.products;
      ++count.divisions;
      return;
    case Op::PowUp:
    case Op::PowLog:
    case Op::Pow:
    case Op::Atan2:
      ++count.functions;
      return;
    default:
      break;
  }
  const bool plain = op <= Op::Floor || op >= Op::Add;
  ++(plain ? count.sums : count.functions);
}

OperationCount count_of(const Tape& tape) {
  OperationCount count;
  for (const Instruction& i : tape.code) count_operation(i.op, count);
  return count;
}

/// Writes the functions of one model.
class FunctionWriter {
 public:
  FunctionWriter(const Program& program, const TapeSet& tapes, const CStyle& style)
      : program_(program), tapes_(tapes), style_(style) {}

  EquationFunctions write(const EquationFunctionsOptions& options) {
    result_.prepared = tapes_.time_slot - tapes_.prepared_slot;
    result_.of_prepare = function("prepare", "const real* p, real* w", tapes_.prepare, nullptr);
    if (options.start) {
      result_.of_start = function("start", "const real* u, const real* p, const real* w, real* x",
                                  start_values(), "x");
    }
    if (options.jacobians) {
      result_.of_derivatives_by_state = by_state("derivatives_by_state", tapes_.f_state);
      result_.of_outputs_by_state = by_state("outputs_by_state", outputs_and_slopes());
    }
    result_.of_derivatives = function("derivatives", kPoint, tapes_.f, "r");
    result_.of_outputs = function("outputs", kPoint, tapes_.g, "r");
    result_.text = helpers() + result_.text;
    return std::move(result_);
  }

 private:
  // The start tape without its derivatives: their code stays, as f's own does in f_jacobians.
  Tape start_values() const {
    Tape tape = tapes_.start;
    tape.by_parameter.clear();
    return needed_part(std::move(tape), tapes_);
  }

  Tape outputs_and_slopes() const {
    Tape tape = tapes_.g_jacobians;
    tape.by_input.clear();
    tape.by_parameter.clear();
    return needed_part(std::move(tape), tapes_);
  }

  OperationCount function(const char* name, const char* arguments, const Tape& tape,
                          const char* target) {
    CPrinter printer(tapes_, style_);
    std::string body = printer.body(tape);
    for (std::size_t k = 0; target != nullptr && k < tape.values.size(); ++k) {
      body += fmt::format("  {}[{}] = {};\n", target, k, printer.operand(tape.values[k]));
    }
    append(name, arguments, body, tape);
    return count_of(tape);
  }

  OperationCount by_state(const char* name, const Tape& tape) {
    CPrinter printer(tapes_, style_);
    std::string body = printer.body(tape);
    for (std::size_t k = 0; k < tape.values.size(); ++k) {
      body += fmt::format("  r[{}] = {};\n", k, printer.operand(tape.values[k]));
    }
    for (const EntrySlot& entry : tape.by_state) {
      body += fmt::format("  j[{}] = {};\n", entry.row * program_.states.size() + entry.column,
                          printer.operand(entry.slot));
    }
    append(name, (std::string(kPoint) + ", real* j").c_str(), body, tape);
    return count_of(tape);
  }

  // Arguments that a model does not use would be warned of.
  void append(const char* name, const char* arguments, const std::string& body, const Tape& tape) {
    result_.variables = std::max(result_.variables, tape.code.size());
    std::string unused;
    for (const char* part : {"t", "x", "u", "p", "w", "r", "j"}) {
      const std::string argument = part;
      const std::string list = arguments;
      const bool given = list.find("* " + argument + ",") != std::string::npos ||
                         list.find("real " + argument + ",") != std::string::npos ||
                         list.ends_with("* " + argument);
      if (given) unused += fmt::format("  (void){};\n", argument);
    }
    result_.text += fmt::format("\nstatic void {}({}) {{\n{}{}}}\n", name, arguments, body, unused);
  }

  std::string helpers() const {
    std::string tables;
    for (std::size_t k = 0; k < program_.graph.curves().size(); ++k) {
      if (result_.text.find(fmt::format("table{}(", k)) == std::string::npos) continue;
      tables += "\n" + curve_text(k, program_.graph.curves()[k], style_);
    }
    std::string text;
    for (const Helper& helper : kHelpers) {
      if ((tables + result_.text).find(helper.name) != std::string::npos) {
        text += with_suffix(helper.text, style_.suffix);
      }
    }
    return text + tables;
  }

  const Program& program_;
  const TapeSet& tapes_;
  CStyle style_;
  EquationFunctions result_;
};

}  // namespace
}  // namespace equations

OperationCount& OperationCount::operator+=(const OperationCount& other) {
  sums += other.sums;
  products += other.products;
  divisions += other.divisions;
  functions += other.functions;
  lookups += other.lookups;
  return *this;
}

OperationCount operator*(std::size_t times, const OperationCount& count) {
  return {.sums = times * count.sums,
          .products = times * count.products,
          .divisions = times * count.divisions,
          .functions = times * count.functions,
          .lookups = times * count.lookups};
}

EquationFunctions equation_functions(const EquationModel& model,
                                     const EquationFunctionsOptions& options) {
  const bool single = options.number == CNumber::Float;
  const equations::CStyle style{
      .type = "real", .suffix = single ? "f" : "", .names_of_math_header = true};
  const equations::TapeSet tapes = equations::make_tapes(model.program());
  return equations::FunctionWriter(model.program(), tapes, style).write(options);
}

}  // namespace alembert::model
