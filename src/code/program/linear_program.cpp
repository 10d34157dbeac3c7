#include "alembert/code/linear_program.hpp"

#include <fmt/format.h>

#include "alembert/core/check.hpp"
#include "alembert/integrate/detail/input_stencil.hpp"
#include "code/text/c_text.hpp"

namespace alembert::code {

namespace {

constexpr const char* kLinearDeclarations = R"(/* Sets the states to their start. */
void @_init(@_model *model);
/* The same; a linear model starts alike for any input. */
void @_start(@_model *model, const @_real *input);
/* The outputs at the present sample: y = C x + E u. */
void @_get(const @_model *model, const @_real *input, @_real *output);
)";

constexpr const char* kLinearHeldStep =
    R"(/* Goes to the next sample: x = F x + G u, with the inputs at this sample. */
)";
constexpr const char* kLinearEndsStep =
    R"(/* Goes to the next sample: x = F x + G w, with w the inputs at this sample and at the next. */
)";
constexpr const char* kLinearPolynomialStep =
    R"(/* Goes to the next sample: x = F x + G w, with w four rows of inputs at this sample: value, and
   first, second and third derivative times the step, its square and its cube. */
)";

constexpr const char* kLinearStepDeclaration = R"(void @_step(@_model *model, const @_real *input);
)";

constexpr const char* kLinearObserveDeclaration =
    R"(/* The same, corrected by what the outputs are measured to be at this sample:
   x = F x + G w + K (measured - C x - E u). A reading that is missing is to be given as what
   @_get says. */
void @_observe(@_model *model, const @_real *input, const @_real *measured);
)";

constexpr const char* kLinearFunctions = R"(
enum { NX = ^_STATES, NU = ^_INPUTS, NW = ^_INPUTS * ^_INPUT_ROWS, NY = ^_OUTPUTS };

/* r = r + A x for a matrix that is stored column by column. */
static void add_product(const real *a, int rows, int columns, const real *x, real *r) {
  int i, j;
  for (j = 0; j < columns; ++j) {
    const real factor = x[j];
    for (i = 0; i < rows; ++i) {
      r[i] += a[i + j * rows] * factor;
    }
  }
}

void @_init(@_model *model) {
  int i;
  for (i = 0; i < (int)NX; ++i) {
    model->state[i] = start_state[i];
  }
  model->parameter[0] = 0.0$;
  model->prepared[0] = 0.0$;
  model->sample = 0;
}

void @_start(@_model *model, const @_real *input) {
  (void)input;
  @_init(model);
}

void @_get(const @_model *model, const @_real *input, @_real *output) {
  int i;
  for (i = 0; i < (int)NY; ++i) {
    output[i] = 0.0$;
  }
  add_product(matrix_c, NY, NX, model->state, output);
  add_product(matrix_e, NY, NU, input, output);
}
)";

constexpr const char* kLinearStep = R"(
void @_step(@_model *model, const @_real *input) {
  real next[NX + 1] = {0.0$};
  int i;
  add_product(matrix_f, NX, NX, model->state, next);
  add_product(matrix_g, NX, NW, input, next);
  for (i = 0; i < (int)NX; ++i) {
    model->state[i] = next[i];
  }
  ++model->sample;
}
)";

constexpr const char* kLinearObserve = R"(
void @_observe(@_model *model, const @_real *input, const @_real *measured) {
  real innovation[NY + 1];
  int i;
  @_get(model, input, innovation);
  for (i = 0; i < (int)NY; ++i) {
    innovation[i] = measured[i] - innovation[i];
  }
  @_step(model, input);
  add_product(matrix_k, NX, NY, innovation, model->state);
}
)";

Eigen::Index rows_of(integrate::Drive drive) {
  return drive == integrate::Drive::Begin ? 1 : drive == integrate::Drive::Ends ? 2 : 4;
}

void check_steps(const LinearSteps& steps) {
  constexpr const char* kFunction = "linear_program";
  const auto n = static_cast<Eigen::Index>(steps.states.size());
  const auto m = static_cast<Eigen::Index>(steps.inputs.size());
  const auto p = static_cast<Eigen::Index>(steps.outputs.size());
  check::positive(kFunction, "step", steps.step);
  check::shape(kFunction, "F", steps.F, n, n);
  check::shape(kFunction, "G", steps.G, n, m * rows_of(steps.drive));
  check::shape(kFunction, "C", steps.C, p, n);
  check::shape(kFunction, "E", steps.E, p, m);
  check::size(kFunction, "start", steps.start.size(), n);
  if (steps.K.size() > 0) check::shape(kFunction, "K", steps.K, n, p);
  for (const Eigen::MatrixXd* matrix : {&steps.F, &steps.G, &steps.C, &steps.E, &steps.K}) {
    check::all_finite(kFunction, "matrices", *matrix);
  }
  check::all_finite(kFunction, "start", steps.start);
}

model::OperationCount products(Eigen::Index count) {
  const auto size = static_cast<std::size_t>(count);
  return {.sums = size, .products = size};
}

ProgramCost cost_of(const LinearSteps& steps, model::CNumber number) {
  ProgramCost cost;
  cost.step = products(steps.F.size() + steps.G.size());
  cost.get = products(steps.C.size() + steps.E.size());
  if (steps.K.size() > 0) {
    cost.step += cost.get;
    cost.step += products(steps.K.size() + steps.K.cols());
  }
  const std::size_t bytes = bytes_of(number);
  const std::size_t n = steps.states.size();
  const std::size_t p = steps.K.size() > 0 ? steps.outputs.size() + 1 : 0;
  cost.state_bytes = 8 + bytes * (n + 2);
  cost.stack_bytes = bytes * (n + 1 + p + 6);
  return cost;
}

std::string declarations(const LinearSteps& steps) {
  const char* words = steps.drive == integrate::Drive::Begin  ? kLinearHeldStep
                      : steps.drive == integrate::Drive::Ends ? kLinearEndsStep
                                                              : kLinearPolynomialStep;
  return std::string(kLinearDeclarations) + words + kLinearStepDeclaration +
         (steps.K.size() > 0 ? kLinearObserveDeclaration : "");
}

}  // namespace

LinearSteps linear_steps(const model::SecondOrder& system, const integrate::OneStepMap& map,
                         const model::OutputMap& outputs) {
  const model::StateSpace form = model::state_space(system, outputs);
  const Eigen::Index n = system.degrees_of_freedom();
  check::shape("linear_steps", "map.F", map.F, 2 * n, 2 * n);
  LinearSteps steps;
  // The map moves z = (q, h q').
  steps.F = map.F;
  steps.F.rightCols(n) *= map.step;
  steps.F.bottomRows(n) /= map.step;
  steps.G = map.G;
  steps.G.bottomRows(n) /= map.step;
  steps.C = form.C;
  steps.E = form.E;
  steps.drive = map.drive;
  steps.step = map.step;
  steps.start = Eigen::VectorXd::Zero(2 * n);
  return steps;
}

Program linear_program(const LinearSteps& steps, const ProgramOptions& options) {
  check_steps(steps);
  Program program;
  program.options = options;
  if (program.options.title.empty()) program.options.title = options.name;
  program.inputs = steps.inputs;
  program.states = steps.states;
  program.outputs = steps.outputs;
  if (steps.K.size() > 0) program.measured = steps.outputs;
  program.start_state = steps.start;
  program.input_rows = rows_of(steps.drive);
  program.step = steps.step;
  program.cost = cost_of(steps, options.number);
  program.header = header_text(program, declarations(steps));
  program.source = source_head(program) + "\n" + c_array("matrix_f", steps.F, options.number) +
                   c_array("matrix_g", steps.G, options.number) +
                   c_array("matrix_c", steps.C, options.number) +
                   c_array("matrix_e", steps.E, options.number) +
                   c_array("start_state", steps.start, options.number);
  if (steps.K.size() > 0) program.source += c_array("matrix_k", steps.K, options.number);
  program.source += filled(
      std::string(kLinearFunctions) + kLinearStep + (steps.K.size() > 0 ? kLinearObserve : ""),
      program.options);
  program.test = test_text(program);
  return program;
}

Eigen::MatrixXd input_rows(const LinearSteps& steps,
                           const Eigen::Ref<const Eigen::MatrixXd>& inputs) {
  const integrate::InputStencil stencil(steps.drive, inputs, steps.step);
  const Eigen::Index last = inputs.rows() - 1;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(stencil.size(), inputs.rows());
  if (last > 0) stencil.fill(0, rows.leftCols(last));
  if (inputs.cols() > 0) rows.col(last).head(inputs.cols()) = inputs.row(last).transpose();
  return rows.transpose();
}

}  // namespace alembert::code
