#include "model/equations/native/c_newmark_loops.hpp"

#include <fmt/format.h>

#include "alembert/model/detail/newmark_layout.hpp"
#include "model/equations/native/c_newmark_text.hpp"
#include "model/equations/native/c_printer.hpp"

namespace alembert::model::equations {

namespace {

using detail::NewmarkLayout;

std::string with_end_inputs(std::string text) {
  const std::string mark = "@END_INPUTS@";
  return text.replace(text.find(mark), mark.size(), kNewmarkInputs);
}

std::string indices_text(const char* name, const std::vector<std::size_t>& values) {
  std::string text = fmt::format("static const int {}[{}] = {{", name, values.size() + 1);
  for (const std::size_t value : values) {
    text += fmt::format("{}, ", value);
  }
  return text + "0};\n";
}

std::string newmark_layout_text(const NewmarkLayout& layout) {
  std::vector<std::size_t> position;
  std::vector<std::size_t> velocity;
  for (const SecondOrderPair& pair : layout.pairs) {
    position.push_back(pair.position);
    velocity.push_back(pair.velocity);
  }
  return fmt::format(
             "\n#define N2 {}\n#define NN {}\n"
             "#if NN <= 8\n#define MATRIX double M[NN * NN];\n"
             "#else\n#define MATRIX double* restrict M = matrix;\n#endif\n",
             position.size(), layout.unknowns()) +
         indices_text("position", position) + indices_text("velocity", velocity) +
         indices_text("first", layout.first);
}

// What ∂f/∂x is multiplied with in the matrix of Newton's method.
const char* newmark_factor_text(NewmarkLayout::Role row, NewmarkLayout::Role column) {
  using Role = NewmarkLayout::Role;
  const bool first = row == Role::First;
  return column == Role::Position   ? (first ? "half * quarter * " : "quarter * ")
         : column == Role::Velocity ? (first ? "half * half * " : "half * ")
         : first                    ? "half * "
                                    : "";
}

// M = 1 - ∂(right side)/∂b
std::string newmark_matrix_text(const CPrinter& printer, const NewmarkLayout& layout,
                                const Tape& tape) {
  const std::size_t count = layout.unknowns();
  std::vector<std::string> entries(count * count, "0.0");
  for (std::size_t i = 0; i < count; ++i) {
    entries[i * count + i] = "1.0";
  }
  for (const EntrySlot& entry : tape.by_state) {
    if (layout.role[entry.row] != NewmarkLayout::Role::Position) {
      entries[layout.unknown[entry.row] * count + layout.unknown[entry.column]] += fmt::format(
          " - {}{}", newmark_factor_text(layout.role[entry.row], layout.role[entry.column]),
          printer.operand(entry.slot));
    }
  }
  std::string text;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    text += fmt::format("  M[{}] = {};\n", k, entries[k]);
  }
  return text;
}

// Right-hand sides of Newton's method, and its matrix.
std::string newmark_system_text(const TapeSet& tapes, const NewmarkLayout& layout) {
  CPrinter printer(tapes);
  const Tape& tape = tapes.f_state;
  std::string text = fmt::format(
      "\n{} void newmark_system(double t, const double* restrict x, const double* restrict u,\n"
      "    const double* restrict p, const double* restrict w, double half, double quarter,\n"
      "    const double* restrict b, const double* restrict P, double* restrict R,\n"
      "    double* restrict M) {{\n",
      tape.code.size() <= kInlineLimit ? "INLINE" : "PLAIN");
  text += printer.body(tape);
  for (std::size_t i = 0; i < layout.pairs.size(); ++i) {
    text += fmt::format("  R[{0}] = {1} - b[{0}];\n", i,
                        printer.operand(tape.values[layout.pairs[i].velocity]));
  }
  for (std::size_t i = 0; i < layout.first.size(); ++i) {
    text += fmt::format("  R[{0}] = P[{0}] + half * {1} - b[{0}];\n", layout.pairs.size() + i,
                        printer.operand(tape.values[layout.first[i]]));
  }
  return text + newmark_matrix_text(printer, layout, tape) + "}\n";
}

// ∂f/∂θ for the rows of the unknowns. It is stored long before it is read in whole vectors, which
// would otherwise have to wait.
std::string newmark_parameter_text(const CPrinter& printer, const NewmarkLayout& layout,
                                   const Tape& tape) {
  std::string text;
  for (const EntrySlot& entry : tape.by_parameter) {
    if (layout.role[entry.row] != NewmarkLayout::Role::Position) {
      text += fmt::format("  if (c[{0}] >= 0) T[{1} * m + c[{0}]] = {2};\n", entry.column,
                          layout.unknown[entry.row], printer.operand(entry.slot));
    }
  }
  return text;
}

// ∂f/∂x Z + ∂f/∂θ, where Z has no part in the states of first order.
std::string newmark_right_side_text(const CPrinter& printer, const NewmarkLayout& layout,
                                    const Tape& tape) {
  std::string text;
  for (std::size_t row = 0; row < layout.role.size(); ++row) {
    if (layout.role[row] == NewmarkLayout::Role::Position) {
      continue;
    }
    std::string sum;
    for (const EntrySlot& entry : tape.by_state) {
      if (entry.row == row && layout.role[entry.column] != NewmarkLayout::Role::First) {
        sum += fmt::format("{} * {}[{}] + ", printer.operand(entry.slot),
                           layout.role[entry.column] == NewmarkLayout::Role::Position ? "zq" : "zv",
                           layout.unknown[entry.column]);
      }
    }
    text += fmt::format("    b[{0}] = {1}BLOCK_AT(T, {0});\n", layout.unknown[row], sum);
  }
  return text;
}

std::string newmark_rows_text(const TapeSet& tapes, const NewmarkLayout& layout) {
  CPrinter printer(tapes);
  const Tape& tape = tapes.f_slopes;
  std::string text =
      "\n/* S at the new states: the derivatives of the step's equations, with the matrix of\n"
      "   Newton's method at its solution. */\n"
      "PLAIN void newmark_rows(double t, const double* restrict x, const double* restrict u,\n"
      "    const double* restrict p, const double* restrict w, const int* restrict c, long m,\n"
      "    double h, double half, double quarter, double* restrict M, double* restrict T,\n"
      "    double* restrict Q, double* restrict S) {\n"
      "  int pivot[NN];\n";
  text += printer.body(tape);
  return text + newmark_parameter_text(printer, layout, tape) +
         newmark_matrix_text(printer, layout, tape) + kNewmarkRowsBegin +
         newmark_right_side_text(printer, layout, tape) + kNewmarkRowsEnd;
}

}  // namespace

std::string c_newmark_loops(const Program& program, const TapeSet& tapes) {
  const NewmarkLayout layout = detail::newmark_layout(program.states.size(), program.pairs);
  if (layout.unknowns() == 0) {
    return "";
  }
  return newmark_layout_text(layout) + kNewmarkDecomposition + newmark_system_text(tapes, layout) +
         kNewmarkStep + kNewmarkStartRows + newmark_rows_text(tapes, layout) +
         with_end_inputs(kNewmarkRecord);
}

}  // namespace alembert::model::equations
