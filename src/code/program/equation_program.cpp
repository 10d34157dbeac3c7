#include "alembert/code/equation_program.hpp"

#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "code/text/c_text.hpp"

namespace alembert::code {

namespace {

constexpr const char* kDeclarations =
    R"(/* Sets the parameters to those of the study and the states to their start, with inputs 0. */
void @_init(@_model *model);
/* Sets the states to their start for the parameters as they are now, and the inputs at the first
   sample: call it after a parameter was changed. */
void @_start(@_model *model, const @_real *input);
/* The outputs at the present sample. */
void @_get(const @_model *model, const @_real *input, @_real *output);
/* Goes to the next sample. Takes ^_INPUT_ROWS rows of inputs: at this sample, and at the next where
   there are two. */
void @_step(@_model *model, const @_real *input);
/* The rates of the states, for integrators of others. */
void @_derivatives(const @_model *model, @_real time, const @_real *state, const @_real *input,
                   @_real *rate);
/* The outputs at any time and state. */
void @_outputs(const @_model *model, @_real time, const @_real *state, const @_real *input,
               @_real *output);
)";

constexpr const char* kFunctions = R"(
enum { NX = ^_STATES, NP = ^_PARAMETERS };

static real time_of(const @_model *model) { return {start_time} + (real)model->sample * {step}; }

void @_init(@_model *model) {
  real input[^_INPUTS + 1] = {0.0$};
  int i;
  for (i = 0; i < (int)(sizeof(parameter_values) / sizeof(real)); ++i) {
    model->parameter[i] = parameter_values[i];
  }
  for (i = 0; i < (int)(sizeof(model->prepared) / sizeof(real)); ++i) {
    model->prepared[i] = 0.0$;
  }
  model->state[0] = 0.0$;
  @_start(model, input);
}

void @_get(const @_model *model, const @_real *input, @_real *output) {
  outputs(time_of(model), model->state, input, model->parameter, model->prepared, output);
}

void @_derivatives(const @_model *model, @_real time, const @_real *state, const @_real *input,
                   @_real *rate) {
  derivatives(time, state, input, model->parameter, model->prepared, rate);
}

void @_outputs(const @_model *model, @_real time, const @_real *state, const @_real *input,
               @_real *output) {
  outputs(time, state, input, model->parameter, model->prepared, output);
}
)";

constexpr const char* kModelStart = R"(
void @_start(@_model *model, const @_real *input) {
  prepare(model->parameter, model->prepared);
  start(input, model->parameter, model->prepared, model->state);
  model->sample = 0;
}
)";

constexpr const char* kGivenStart = R"(
void @_start(@_model *model, const @_real *input) {
  int i;
  (void)input;
  prepare(model->parameter, model->prepared);
  for (i = 0; i < (int)NX; ++i) {
    model->state[i] = start_state[i];
  }
  model->sample = 0;
}
)";

// Runge-Kutta of order 4, as alembert/integrate/ode/runge_kutta4.hpp.
constexpr const char* kStep = R"({line}
void @_step(@_model *model, const @_real *input) {
  const real *p = model->parameter;
  const real *w = model->prepared;
  const real begin = time_of(model);
  const real h = {h};
  const real half = 0.5$ * h;
  const real sixth = h / 6.0$;
  real *x = model->state;
  real z[NX + 1], k1[NX + 1], k2[NX + 1], k3[NX + 1], k4[NX + 1];{room}
  int i, j;
  for (j = 0; j < {substeps}; ++j) {
    const real t = begin + (real)j * h;{stages}
    derivatives(t, x, {a}, p, w, k1);
    for (i = 0; i < (int)NX; ++i) {
      z[i] = x[i] + half * k1[i];
    }
    derivatives(t + half, z, {m}, p, w, k2);
    for (i = 0; i < (int)NX; ++i) {
      z[i] = x[i] + half * k2[i];
    }
    derivatives(t + half, z, {m}, p, w, k3);
    for (i = 0; i < (int)NX; ++i) {
      z[i] = x[i] + h * k3[i];
    }
    derivatives(t + h, z, {e}, p, w, k4);
    for (i = 0; i < (int)NX; ++i) {
      x[i] = x[i] + sixth * (k1[i] + 2.0$ * (k2[i] + k3[i]) + k4[i]);
    }
  }
  ++model->sample;
}
)";

constexpr const char* kLine = R"(
/* The inputs at the part s of the step, on the line between its ends. */
static void line(const real *input, real s, real *u) {
  int i;
  for (i = 0; i < (int)^_INPUTS; ++i) {
    u[i] = input[i] + s * (input[i + (int)^_INPUTS] - input[i]);
  }
}
)";

std::string step_text(const EquationProgramOptions& options, bool lines) {
  const auto substeps = static_cast<double>(options.substeps);
  const auto number = [&options](double value) { return c_number(value, options.number); };
  std::string text = replaced(kStep, "{line}", lines ? kLine : "");
  text = replaced(text, "{h}", number(options.step / substeps));
  text = replaced(text, "{substeps}", std::to_string(options.substeps));
  text = replaced(text, "{room}",
                  lines ? "\n  real ba[^_INPUTS + 1], bm[^_INPUTS + 1], be[^_INPUTS + 1];" : "");
  const std::string part = number(1.0 / substeps);
  text = replaced(text, "{stages}",
                  lines ? fmt::format("\n    line(input, (real)j * {0}, ba);\n"
                                      "    line(input, ((real)j + 0.5$) * {0}, bm);\n"
                                      "    line(input, ((real)j + 1.0$) * {0}, be);",
                                      part)
                        : "");
  for (const char* stage : {"a", "m", "e"}) {
    text = replaced(text, fmt::format("{{{}}}", stage), lines ? std::string("b") + stage : "input");
  }
  return text;
}

void check_options(const model::EquationModel& model, const Eigen::VectorXd& parameters,
                   const EquationProgramOptions& options) {
  constexpr const char* kFunction = "equation_program";
  check::size(kFunction, "parameters", parameters.size(),
              static_cast<long long>(model.parameters().size()));
  check::all_finite(kFunction, "parameters", parameters);
  check::positive(kFunction, "step", options.step);
  check::in_range(kFunction, "substeps", static_cast<double>(options.substeps), 1.0, 1e6);
  check::finite(kFunction, "start_time", options.start_time);
  if (options.start.size() > 0) {
    check::size(kFunction, "start", options.start.size(),
                static_cast<long long>(model.states().size()));
    check::all_finite(kFunction, "start", options.start);
  }
  if (options.between != signal::BetweenSamples::Held &&
      options.between != signal::BetweenSamples::Linear) {
    throw InvalidInput({.function = kFunction,
                        .argument = "between",
                        .rule = "must be held or linear: a program that runs along cannot know "
                                "the inputs of the future",
                        .value = std::string(name_of(options.between))});
  }
}

std::vector<Signal> signals_of(const model::EquationModel& model,
                               const std::vector<std::string>& names) {
  std::vector<Signal> signals;
  for (const std::string& name : names) signals.push_back({name, model.unit_of(name)});
  return signals;
}

ProgramCost cost_of(const Program& program, const model::EquationFunctions& functions,
                    const EquationProgramOptions& options, bool lines) {
  const std::size_t n = program.states.size();
  const std::size_t m = program.inputs.size();
  const auto substeps = static_cast<std::size_t>(options.substeps);
  model::OperationCount stages = 4 * functions.of_derivatives;
  stages += {.sums = 7 * n + 6, .products = 5 * n + 3};
  if (lines) stages += {.sums = 6 * m + 2, .products = 3 * m + 3};
  ProgramCost cost;
  cost.step = substeps * stages;
  cost.get = functions.of_outputs;
  cost.get += {.sums = 1, .products = 1};
  const std::size_t bytes = bytes_of(options.number);
  cost.state_bytes =
      8 + bytes * (std::max<std::size_t>(n, 1) + std::max<std::size_t>(program.prepared, 1) +
                   std::max<std::size_t>(program.parameters.size(), 1));
  cost.stack_bytes = bytes * (5 * (n + 1) + (lines ? 3 * (m + 1) : 0) + functions.variables + 8);
  return cost;
}

}  // namespace

Program equation_program(const model::EquationModel& model, const Eigen::VectorXd& parameters,
                         const EquationProgramOptions& options) {
  check_options(model, parameters, options);
  const bool lines = options.between == signal::BetweenSamples::Linear && !model.inputs().empty();
  const bool given = options.start.size() > 0;
  Program program;
  program.options = options;
  if (program.options.title.empty()) program.options.title = options.name;
  program.inputs = signals_of(model, model.inputs());
  program.states = signals_of(model, model.states());
  program.outputs = signals_of(model, model.outputs());
  program.parameters = signals_of(model, model.parameters());
  program.parameter_values = parameters;
  program.start_state = options.start;
  program.input_rows = lines ? 2 : 1;
  program.step = options.step;
  program.start_time = options.start_time;
  program.has_derivatives = true;
  const model::EquationFunctions functions =
      model::equation_functions(model, {.number = options.number, .start = !given});
  program.prepared = functions.prepared;
  program.cost = cost_of(program, functions, options, lines);
  program.header = header_text(program, kDeclarations);
  std::string own =
      replaced(kFunctions, "{start_time}", c_number(options.start_time, options.number));
  own = replaced(own, "{step}", c_number(options.step, options.number));
  program.source =
      source_head(program) + "\n" + c_array("parameter_values", parameters, options.number) +
      (given ? c_array("start_state", options.start, options.number) : "") + functions.text +
      filled(own + (given ? kGivenStart : kModelStart) + step_text(options, lines),
             program.options);
  program.test = test_text(program);
  return program;
}

Eigen::MatrixXd input_rows(const Eigen::Ref<const Eigen::MatrixXd>& inputs,
                           signal::BetweenSamples between) {
  if (between != signal::BetweenSamples::Linear || inputs.cols() == 0) return inputs;
  const Eigen::Index last = inputs.rows() - 1;
  Eigen::MatrixXd rows(inputs.rows(), 2 * inputs.cols());
  rows.leftCols(inputs.cols()) = inputs;
  rows.rightCols(inputs.cols()).topRows(last) = inputs.bottomRows(last);
  rows.rightCols(inputs.cols()).row(last) = inputs.row(last);
  return rows;
}

}  // namespace alembert::code
