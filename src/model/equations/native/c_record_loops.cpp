#include "model/equations/native/c_record_loops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/equations/native/c_printer.hpp"

namespace alembert::model::equations {

namespace {

constexpr const char* kInputs = R"(
typedef struct {
  long samples, substeps;
  double start_time, step;
  int between; /* 0 held, 1 linear, 2 one row for each half substep */
  const double* inputs;
  double tolerance; /* of Newton's method */
} Record;

/* Loop over a multiple of four, in a form that compilers turn into vector instructions. */
#define IN_FOURS(i, n) \
  for (long i##_ = 0; i##_ < (n); i##_ += 4) for (long i = i##_; i < i##_ + 4; ++i)

INLINE const double* sample_inputs(const Record* record, long k) {
  return record->inputs + (record->between == 2 ? 2 * k * record->substeps : k) * NU;
}

INLINE void line(const double* us, double s, double* u) {
  for (int i = 0; i < NU; ++i) u[i] = us[i] + s * (us[i + NU] - us[i]);
}

INLINE int all_finite(const double* x) {
  int finite = 1;
  for (int i = 0; i < NX; ++i) finite &= x[i] - x[i] == 0.0;
  return finite;
}
)";

// Inputs at the begin, middle and end of substep j behind a sample whose inputs are us.
constexpr const char* kStageInputs = R"(
      const double t = tk + (double)j * h;
      const double *ua = us, *um = us, *ue = us;
      if (record->between == 1) {
        line(us, (double)j * ds, ba);
        line(us, ((double)j + 0.5) * ds, bm);
        line(us, ((double)j + 1.0) * ds, be);
        ua = ba, um = bm, ue = be;
      } else if (record->between == 2) {
        ua = us + 2 * j * NU, um = ua + NU, ue = um + NU;
      })";

constexpr const char* kSimulate = R"(
/* Runge-Kutta of order 4 over a record; y gets rows of outputs, xs (or 0) rows of states.
   Returns the number of samples with finite states. */
long alembert_simulate(const Record* record, const double* restrict p, const double* restrict w,
                       const double* restrict x0, double* restrict y, double* restrict xs) {
  const double h = record->step / (double)record->substeps, ds = 1.0 / (double)record->substeps;
  const double half = 0.5 * h, sixth = h / 6.0;
  double x[NX + 1], z[NX + 1], k1[NX + 1], k2[NX + 1], k3[NX + 1], k4[NX + 1];
  double ba[NU + 1], bm[NU + 1], be[NU + 1];
  for (int i = 0; i < NX; ++i) x[i] = x0[i];
  for (long k = 0; k < record->samples; ++k) {
    const double tk = record->start_time + (double)k * record->step;
    const double* us = sample_inputs(record, k);
    if (!all_finite(x)) return k;
    g(tk, x, us, p, w, y + k * NY);
    if (xs) for (int i = 0; i < NX; ++i) xs[k * NX + i] = x[i];
    if (k + 1 == record->samples) break;
    for (long j = 0; j < record->substeps; ++j) {@STAGE_INPUTS@
      f(t, x, ua, p, w, k1);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + half * k1[i];
      f(t + half, z, um, p, w, k2);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + half * k2[i];
      f(t + half, z, um, p, w, k3);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + h * k3[i];
      f(t + h, z, ue, p, w, k4);
      for (int i = 0; i < NX; ++i) x[i] = x[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
  }
  return record->samples;
}
)";

constexpr const char* kSimulateSensitivities = R"(
/* The same with S = dx/dtheta, NX rows of m numbers (a multiple of 4), of which ns count; c gives the column of each
   parameter or -1. work: 6 NX m numbers, the first NX m being S at the start. */
long alembert_simulate_sensitivities(const Record* record, const double* restrict p,
                                     const double* restrict w, const double* restrict x0,
                                     double* restrict y, double* restrict xs, long ns, long m,
                                     const int* restrict c, double* restrict work,
                                     double* restrict dy, double* restrict dxs) {
  const double h = record->step / (double)record->substeps, ds = 1.0 / (double)record->substeps;
  const double half = 0.5 * h, sixth = h / 6.0;
  double x[NX + 1], z[NX + 1], k1[NX + 1], k2[NX + 1], k3[NX + 1], k4[NX + 1];
  double ba[NU + 1], bm[NU + 1], be[NU + 1];
  double* restrict S = work;
  double* restrict Z = S + NX * m;
  double* restrict D1 = Z + NX * m;
  double* restrict D2 = D1 + NX * m;
  double* restrict D3 = D2 + NX * m;
  double* restrict D4 = D3 + NX * m;
  for (int i = 0; i < NX; ++i) x[i] = x0[i];
  for (long k = 0; k < record->samples; ++k) {
    const double tk = record->start_time + (double)k * record->step;
    const double* us = sample_inputs(record, k);
    if (!all_finite(x)) return k;
    g_sensitive(tk, x, us, p, w, c, ns, m, S, y + k * NY, dy + k * NY * ns);
    if (xs) for (int i = 0; i < NX; ++i) xs[k * NX + i] = x[i];
    if (dxs)
      for (int i = 0; i < NX; ++i)
        for (long j = 0; j < ns; ++j) dxs[(k * NX + i) * ns + j] = S[i * m + j];
    if (k + 1 == record->samples) break;
    for (long j = 0; j < record->substeps; ++j) {@STAGE_INPUTS@
      f_sensitive(t, x, ua, p, w, c, m, S, k1, D1);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + half * k1[i];
      IN_FOURS(i, NX * m) Z[i] = S[i] + half * D1[i];
      f_sensitive(t + half, z, um, p, w, c, m, Z, k2, D2);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + half * k2[i];
      IN_FOURS(i, NX * m) Z[i] = S[i] + half * D2[i];
      f_sensitive(t + half, z, um, p, w, c, m, Z, k3, D3);
      for (int i = 0; i < NX; ++i) z[i] = x[i] + h * k3[i];
      IN_FOURS(i, NX * m) Z[i] = S[i] + h * D3[i];
      f_sensitive(t + h, z, ue, p, w, c, m, Z, k4, D4);
      for (int i = 0; i < NX; ++i) x[i] = x[i] + sixth * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
      IN_FOURS(i, NX * m)
        S[i] = S[i] + sixth * (D1[i] + 2.0 * (D2[i] + D3[i]) + D4[i]);
    }
  }
  return record->samples;
}
)";

constexpr const char* kExported = R"(
/* r = f and D = df/dx S + df/dtheta, rows of m numbers. */
void alembert_f_sensitive(double t, const double* restrict x, const double* restrict u,
                          const double* restrict p, const double* restrict w, const int* restrict c,
                          long m, const double* restrict S, double* restrict r,
                          double* restrict D) {
  f_sensitive(t, x, u, p, w, c, m, S, r, D);
}
/* The same for g; rows of D have ns numbers. */
void alembert_g_sensitive(double t, const double* restrict x, const double* restrict u,
                          const double* restrict p, const double* restrict w, const int* restrict c,
                          long ns, long m, const double* restrict S, double* restrict r,
                          double* restrict D) {
  g_sensitive(t, x, u, p, w, c, ns, m, S, r, D);
}
)";

std::string with_stage_inputs(std::string text) {
  const std::string mark = "@STAGE_INPUTS@";
  return text.replace(text.find(mark), mark.size(), kStageInputs);
}

// D = J_x S + J_θ, row by row over what may differ from zero. The entries are sorted by rows.
std::string rows_text(const CPrinter& printer, const Tape& tape, const char* loop,
                      const char* stride) {
  std::string text;
  auto by_state = tape.by_state.begin();
  auto by_parameter = tape.by_parameter.begin();
  for (std::size_t row = 0; row < tape.values.size(); ++row) {
    std::string sum;
    for (; by_state != tape.by_state.end() && by_state->row == row; ++by_state) {
      sum += fmt::format("{}{} * S[{} * m + j]", sum.empty() ? "" : " + ",
                         printer.operand(by_state->slot), by_state->column);
    }
    text +=
        fmt::format("  {} D[{} * {} + j] = {};\n", loop, row, stride, sum.empty() ? "0.0" : sum);
    for (; by_parameter != tape.by_parameter.end() && by_parameter->row == row; ++by_parameter) {
      text += fmt::format("  if (c[{0}] >= 0) D[{1} * {2} + c[{0}]] += {3};\n",
                          by_parameter->column, row, stride, printer.operand(by_parameter->slot));
    }
  }
  return text;
}

std::string sensitive_text(const TapeSet& tapes, const Tape& tape, const char* name,
                           const char* count_argument, const char* loop, const char* stride) {
  CPrinter printer(tapes);
  std::string text = fmt::format(
      "\nPLAIN void {}(double t, const double* restrict x, const double* restrict u,\n"
      "    const double* restrict p, const double* restrict w, const int* restrict c, {}long m,\n"
      "    const double* restrict S, double* restrict r, double* restrict D) {{\n",
      name, count_argument);
  text += printer.body(tape);
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    text += fmt::format("  r[{}] = {};\n", k, printer.operand(tape.values[k]));
  }
  return text + rows_text(printer, tape, loop, stride) + "}\n";
}

}  // namespace

std::string c_record_tools(const Program& program, const TapeSet& tapes) {
  std::string text =
      fmt::format("\n#define NX {}\n#define NU {}\n#define NY {}\n", program.states.size(),
                  program.inputs.size(), program.outputs.size());
  text += kInputs;
  text += sensitive_text(tapes, without_inputs(tapes.f_jacobians, tapes), "f_sensitive", "",
                         "IN_FOURS(j, m)", "m");
  text += sensitive_text(tapes, without_inputs(tapes.g_jacobians, tapes), "g_sensitive",
                         "long ns, ", "for (long j = 0; j < ns; ++j)", "ns");
  return text;
}

std::string c_point_sensitivities() { return kExported; }

std::string c_runge_kutta_loops() {
  return with_stage_inputs(kSimulate) + with_stage_inputs(kSimulateSensitivities);
}

}  // namespace alembert::model::equations
