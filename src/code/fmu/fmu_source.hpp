#pragma once

namespace alembert::code {

/// NAME_fmu.c: the functions of FMI 2.0 [FMI2] around a program, with the marks of c_text.hpp.
/// The types and the order of the members are those of its header files.
inline constexpr const char* kFmuSource = R"(/* @ as a unit of FMI 2.0. */
#include "@.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORTED __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;
typedef struct {
  void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
  void *(*allocateMemory)(size_t, size_t);
  void (*freeMemory)(void *);
  void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

/* Value references: inputs, outputs, states, rates, parameters. */
enum {
  FIRST_OUTPUT = ^_INPUTS,
  FIRST_STATE = FIRST_OUTPUT + ^_OUTPUTS,
  FIRST_RATE = FIRST_STATE + ^_STATES,
  FIRST_PARAMETER = FIRST_RATE + HAS_RATES * ^_STATES,
  VARIABLES = FIRST_PARAMETER + ^_PARAMETERS,
  ORDERS = ^_INPUT_ROWS == 4 ? 3 : ^_INPUT_ROWS - 1 /* derivatives of inputs that are used */
};

enum phase { INSTANTIATED, INITIALISING, RUNNING, TERMINATED };

/* What may be saved and brought back. */
typedef struct {
  @_model model;
  double time;
  double input[^_INPUTS + 1];
  double slope[4][^_INPUTS + 1]; /* derivatives of inputs, by their order */
  int phase;
} state;

typedef struct {
  state now;
  fmi2Type type;
  fmi2CallbackFunctions callbacks;
  char name[64];
} unit;

static fmi2Status failed(const unit *u, const char *why) {
  if (u->callbacks.logger != NULL) {
    u->callbacks.logger(u->callbacks.componentEnvironment, u->name, fmi2Error, "error", "%s", why);
  }
  return fmi2Error;
}

/* The inputs as the program takes them, s after they were set. */
static void rows_at(const state *now, double s, @_real *rows) {
  const double h = {step};
  int i;
  rows[0] = 0;
  for (i = 0; i < (int)^_INPUTS; ++i) {
    const double d1 = now->slope[1][i];
    const double d2 = now->slope[2][i];
    const double d3 = now->slope[3][i];
    const double value = now->input[i] + s * (d1 + s * (d2 / 2.0 + s * d3 / 6.0));
    const double slope = d1 + s * (d2 + s * d3 / 2.0);
    rows[i] = (@_real)value;
    if ((int)^_INPUT_ROWS == 2) {
      rows[(int)^_INPUTS + i] = (@_real)(value + h * d1);
    } else if ((int)^_INPUT_ROWS == 4) {
      rows[(int)^_INPUTS + i] = (@_real)(h * slope);
      rows[2 * (int)^_INPUTS + i] = (@_real)(h * h * (d2 + s * d3));
      rows[3 * (int)^_INPUTS + i] = (@_real)(h * h * h * d3);
    }
  }
}

static void start_again(state *now) {
  @_real rows[^_INPUTS * ^_INPUT_ROWS + 1];
  rows_at(now, 0.0, rows);
  @_start(&now->model, rows);
}

static void reset(state *now) {
  memset(now, 0, sizeof *now);
  @_init(&now->model);
  now->time = {start_time};
  now->phase = INSTANTIATED;
}

/* Outputs and rates at the present time, state and inputs. */
static void compute(const state *now, @_real *output, @_real *rate) {
  @_real rows[^_INPUTS * ^_INPUT_ROWS + 1];
  rows_at(now, 0.0, rows);
#if HAS_RATES
  @_outputs(&now->model, (@_real)now->time, now->model.state, rows, output);
  @_derivatives(&now->model, (@_real)now->time, now->model.state, rows, rate);
#else
  @_get(&now->model, rows, output);
  rate[0] = 0;
#endif
}

EXPORTED const char *fmi2GetTypesPlatform(void);
EXPORTED const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char *fmi2GetVersion(void);
EXPORTED const char *fmi2GetVersion(void) { return "2.0"; }

EXPORTED fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                                        const fmi2String categories[]);
EXPORTED fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                                        const fmi2String categories[]) {
  (void)on;
  (void)count;
  (void)categories;
  return c != NULL ? fmi2OK : fmi2Error;
}

EXPORTED fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                       fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                                       fmi2Boolean logging);
EXPORTED fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                       fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                                       fmi2Boolean logging) {
  unit *u;
  (void)resources;
  (void)visible;
  (void)logging;
  if (name == NULL || name[0] == '\0' || guid == NULL || functions == NULL ||
      functions->allocateMemory == NULL || functions->freeMemory == NULL) {
    return NULL;
  }
  if (strcmp(guid, "{guid}") != 0 || (type == fmi2ModelExchange && !HAS_RATES)) {
    if (functions->logger != NULL) {
      functions->logger(functions->componentEnvironment, name, fmi2Error, "error",
                        "wrong GUID, or a kind of unit that this one is not");
    }
    return NULL;
  }
  u = (unit *)functions->allocateMemory(1, sizeof *u);
  if (u == NULL) {
    return NULL;
  }
  u->callbacks = *functions;
  u->type = type;
  strncpy(u->name, name, sizeof u->name - 1);
  u->name[sizeof u->name - 1] = '\0';
  reset(&u->now);
  return u;
}

EXPORTED void fmi2FreeInstance(fmi2Component c);
EXPORTED void fmi2FreeInstance(fmi2Component c) {
  if (c != NULL) {
    ((unit *)c)->callbacks.freeMemory(c);
  }
}

EXPORTED fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean with_tolerance,
                                        fmi2Real tolerance, fmi2Real start, fmi2Boolean with_stop,
                                        fmi2Real stop);
EXPORTED fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean with_tolerance,
                                        fmi2Real tolerance, fmi2Real start, fmi2Boolean with_stop,
                                        fmi2Real stop) {
  unit *u = (unit *)c;
  (void)with_tolerance;
  (void)tolerance;
  (void)with_stop;
  (void)stop;
  if (u == NULL || u->now.phase != INSTANTIATED) {
    return fmi2Error;
  }
  if (u->type == fmi2CoSimulation && fabs(start - ({start_time})) > 1e-9 * (1.0 + fabs(start))) {
    return failed(u, "the start time must be that of the default experiment");
  }
  u->now.time = start;
  return fmi2OK;
}

EXPORTED fmi2Status fmi2EnterInitializationMode(fmi2Component c);
EXPORTED fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  unit *u = (unit *)c;
  if (u == NULL || u->now.phase != INSTANTIATED) {
    return fmi2Error;
  }
  u->now.phase = INITIALISING;
  start_again(&u->now);
  return fmi2OK;
}

EXPORTED fmi2Status fmi2ExitInitializationMode(fmi2Component c);
EXPORTED fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  unit *u = (unit *)c;
  if (u == NULL || u->now.phase != INITIALISING) {
    return fmi2Error;
  }
  start_again(&u->now);
  u->now.phase = RUNNING;
  return fmi2OK;
}

EXPORTED fmi2Status fmi2Terminate(fmi2Component c);
EXPORTED fmi2Status fmi2Terminate(fmi2Component c) {
  unit *u = (unit *)c;
  if (u == NULL || u->now.phase != RUNNING) {
    return fmi2Error;
  }
  u->now.phase = TERMINATED;
  return fmi2OK;
}

EXPORTED fmi2Status fmi2Reset(fmi2Component c);
EXPORTED fmi2Status fmi2Reset(fmi2Component c) {
  unit *u = (unit *)c;
  if (u == NULL) {
    return fmi2Error;
  }
  reset(&u->now);
  return fmi2OK;
}

EXPORTED fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[],
                                size_t count, fmi2Real values[]);
EXPORTED fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[],
                                size_t count, fmi2Real values[]) {
  unit *u = (unit *)c;
  @_real output[^_OUTPUTS + 1];
  @_real rate[^_STATES + 1];
  size_t k;
  if (u == NULL || (count > 0 && (references == NULL || values == NULL))) {
    return fmi2Error;
  }
  if (u->now.phase == INITIALISING) {
    start_again(&u->now);
  }
  compute(&u->now, output, rate);
  for (k = 0; k < count; ++k) {
    const int r = references[k] < (fmi2ValueReference)VARIABLES ? (int)references[k] : -1;
    if (r < 0) {
      return failed(u, "no variable has this value reference");
    }
    if (r < (int)FIRST_OUTPUT) {
      values[k] = u->now.input[r];
    } else if (r < (int)FIRST_STATE) {
      values[k] = (fmi2Real)output[r - (int)FIRST_OUTPUT];
    } else if (r < (int)FIRST_RATE) {
      values[k] = (fmi2Real)u->now.model.state[r - (int)FIRST_STATE];
    } else if (r < (int)FIRST_PARAMETER) {
      values[k] = (fmi2Real)rate[r - (int)FIRST_RATE];
    } else {
      values[k] = (fmi2Real)u->now.model.parameter[r - (int)FIRST_PARAMETER];
    }
  }
  return fmi2OK;
}

EXPORTED fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[],
                                size_t count, const fmi2Real values[]);
EXPORTED fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[],
                                size_t count, const fmi2Real values[]) {
  unit *u = (unit *)c;
  size_t k;
  if (u == NULL || (count > 0 && (references == NULL || values == NULL))) {
    return fmi2Error;
  }
  for (k = 0; k < count; ++k) {
    const int r = references[k] < (fmi2ValueReference)VARIABLES ? (int)references[k] : -1;
    if (values[k] - values[k] != 0.0) {
      return failed(u, "a value is not finite");
    }
    if (r >= 0 && r < (int)FIRST_OUTPUT) {
      u->now.input[r] = values[k];
    } else if (r >= (int)FIRST_PARAMETER && u->now.phase < RUNNING) {
      u->now.model.parameter[r - (int)FIRST_PARAMETER] = (@_real)values[k];
    } else {
      return failed(u, "only inputs can be set, and parameters before the end of initialisation");
    }
  }
  return fmi2OK;
}

/* There are no variables of other types. */
#define NO_VARIABLES(name, pointer)                                                         \
  EXPORTED fmi2Status name(fmi2Component c, const fmi2ValueReference references[], size_t count, \
                           pointer values[]);                                              \
  EXPORTED fmi2Status name(fmi2Component c, const fmi2ValueReference references[], size_t count, \
                           pointer values[]) {                                             \
    (void)references;                                                                      \
    (void)values;                                                                          \
    return c != NULL && count == 0 ? fmi2OK : fmi2Error;                                   \
  }
NO_VARIABLES(fmi2GetInteger, fmi2Integer)
NO_VARIABLES(fmi2GetBoolean, fmi2Boolean)
NO_VARIABLES(fmi2GetString, fmi2String)
NO_VARIABLES(fmi2SetInteger, const fmi2Integer)
NO_VARIABLES(fmi2SetBoolean, const fmi2Boolean)
NO_VARIABLES(fmi2SetString, const fmi2String)

EXPORTED fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *saved);
EXPORTED fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *saved) {
  unit *u = (unit *)c;
  if (u == NULL || saved == NULL) {
    return fmi2Error;
  }
  if (*saved == NULL) {
    *saved = u->callbacks.allocateMemory(1, sizeof(state));
  }
  if (*saved == NULL) {
    return failed(u, "no memory for a state");
  }
  memcpy(*saved, &u->now, sizeof(state));
  return fmi2OK;
}

EXPORTED fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate saved);
EXPORTED fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate saved) {
  unit *u = (unit *)c;
  if (u == NULL || saved == NULL) {
    return fmi2Error;
  }
  memcpy(&u->now, saved, sizeof(state));
  return fmi2OK;
}

EXPORTED fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *saved);
EXPORTED fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *saved) {
  if (c == NULL) {
    return fmi2Error;
  }
  if (saved != NULL && *saved != NULL) {
    ((unit *)c)->callbacks.freeMemory(*saved);
    *saved = NULL;
  }
  return fmi2OK;
}

/* What the description says that this unit cannot. */
#define NOT_THERE(name, arguments) \
  EXPORTED fmi2Status name arguments; \
  EXPORTED fmi2Status name arguments
NOT_THERE(fmi2SerializedFMUstateSize, (fmi2Component c, fmi2FMUstate saved, size_t *size)) {
  (void)c;
  (void)saved;
  (void)size;
  return fmi2Error;
}
NOT_THERE(fmi2SerializeFMUstate,
          (fmi2Component c, fmi2FMUstate saved, fmi2Byte bytes[], size_t size)) {
  (void)c;
  (void)saved;
  (void)bytes;
  (void)size;
  return fmi2Error;
}
NOT_THERE(fmi2DeSerializeFMUstate,
          (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *saved)) {
  (void)c;
  (void)bytes;
  (void)size;
  (void)saved;
  return fmi2Error;
}
NOT_THERE(fmi2GetDirectionalDerivative,
          (fmi2Component c, const fmi2ValueReference unknowns[], size_t unknown_count,
           const fmi2ValueReference knowns[], size_t known_count, const fmi2Real seed[],
           fmi2Real result[])) {
  (void)c;
  (void)unknowns;
  (void)unknown_count;
  (void)knowns;
  (void)known_count;
  (void)seed;
  (void)result;
  return fmi2Error;
}
NOT_THERE(fmi2GetRealOutputDerivatives,
          (fmi2Component c, const fmi2ValueReference references[], size_t count,
           const fmi2Integer orders[], fmi2Real values[])) {
  (void)c;
  (void)references;
  (void)count;
  (void)orders;
  (void)values;
  return fmi2Error;
}

EXPORTED fmi2Status fmi2SetRealInputDerivatives(fmi2Component c,
                                                const fmi2ValueReference references[],
                                                size_t count, const fmi2Integer orders[],
                                                const fmi2Real values[]);
EXPORTED fmi2Status fmi2SetRealInputDerivatives(fmi2Component c,
                                                const fmi2ValueReference references[],
                                                size_t count, const fmi2Integer orders[],
                                                const fmi2Real values[]) {
  unit *u = (unit *)c;
  size_t k;
  if (u == NULL || (count > 0 && (references == NULL || orders == NULL || values == NULL))) {
    return fmi2Error;
  }
  for (k = 0; k < count; ++k) {
    if (references[k] >= (fmi2ValueReference)FIRST_OUTPUT || orders[k] < 1 ||
        orders[k] > (int)ORDERS || values[k] - values[k] != 0.0) {
      return failed(u, "no input, or a derivative that this unit does not use");
    }
    u->now.slope[orders[k]][references[k]] = values[k];
  }
  return fmi2OK;
}

EXPORTED fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean keep);
EXPORTED fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean keep) {
  const double h = {step};
  unit *u = (unit *)c;
  @_real rows[^_INPUTS * ^_INPUT_ROWS + 1];
  double count;
  double k;
  (void)keep;
  if (u == NULL || u->type != fmi2CoSimulation || u->now.phase != RUNNING) {
    return fmi2Error;
  }
  count = floor(step / h + 0.5);
  if (!(fabs(step - count * h) <= 1e-6 * h) || count < 1.0 || count > 1e9) {
    return failed(u, "the communication step must be a multiple of the step of the unit");
  }
  if (!(fabs(time - u->now.time) <= 1e-3 * h)) {
    return failed(u, "the communication point is not where the unit is");
  }
  for (k = 0.0; k < count; k += 1.0) {
    rows_at(&u->now, k * h, rows);
    @_step(&u->now.model, rows);
  }
  u->now.time = {start_time} + (double)u->now.model.sample * h;
  return fmi2OK;
}

EXPORTED fmi2Status fmi2CancelStep(fmi2Component c);
EXPORTED fmi2Status fmi2CancelStep(fmi2Component c) {
  (void)c;
  return fmi2Error; /* steps are done when fmi2DoStep returns */
}

EXPORTED fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value);
EXPORTED fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
EXPORTED fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value);
EXPORTED fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
  if (c == NULL || value == NULL || kind != fmi2LastSuccessfulTime) {
    return fmi2Discard;
  }
  *value = ((unit *)c)->now.time;
  return fmi2OK;
}
EXPORTED fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value);
EXPORTED fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}
EXPORTED fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value);
EXPORTED fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
  if (c == NULL || value == NULL || kind != fmi2Terminated) {
    return fmi2Discard;
  }
  *value = 0;
  return fmi2OK;
}
EXPORTED fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value);
EXPORTED fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
  (void)c;
  (void)kind;
  (void)value;
  return fmi2Discard;
}

#if HAS_RATES
EXPORTED fmi2Status fmi2EnterEventMode(fmi2Component c);
EXPORTED fmi2Status fmi2EnterEventMode(fmi2Component c) { return c != NULL ? fmi2OK : fmi2Error; }
EXPORTED fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c);
EXPORTED fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return c != NULL ? fmi2OK : fmi2Error;
}
EXPORTED fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info);
EXPORTED fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
  if (c == NULL || info == NULL) {
    return fmi2Error;
  }
  memset(info, 0, sizeof *info);
  return fmi2OK;
}
EXPORTED fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep,
                                                fmi2Boolean *event, fmi2Boolean *terminate);
EXPORTED fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep,
                                                fmi2Boolean *event, fmi2Boolean *terminate) {
  (void)keep;
  if (c == NULL || event == NULL || terminate == NULL) {
    return fmi2Error;
  }
  *event = 0;
  *terminate = 0;
  return fmi2OK;
}
EXPORTED fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time);
EXPORTED fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  if (c == NULL) {
    return fmi2Error;
  }
  ((unit *)c)->now.time = time;
  return fmi2OK;
}
EXPORTED fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count);
EXPORTED fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t count) {
  int i;
  if (c == NULL || count != (size_t)^_STATES) {
    return fmi2Error;
  }
  for (i = 0; i < (int)^_STATES; ++i) {
    ((unit *)c)->now.model.state[i] = (@_real)x[i];
  }
  return fmi2OK;
}
EXPORTED fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count);
EXPORTED fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t count) {
  int i;
  if (c == NULL || count != (size_t)^_STATES) {
    return fmi2Error;
  }
  for (i = 0; i < (int)^_STATES; ++i) {
    x[i] = (fmi2Real)((unit *)c)->now.model.state[i];
  }
  return fmi2OK;
}
EXPORTED fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t count);
EXPORTED fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t count) {
  @_real output[^_OUTPUTS + 1];
  @_real rate[^_STATES + 1];
  int i;
  if (c == NULL || count != (size_t)^_STATES) {
    return fmi2Error;
  }
  compute(&((unit *)c)->now, output, rate);
  for (i = 0; i < (int)^_STATES; ++i) {
    rates[i] = (fmi2Real)rate[i];
  }
  return fmi2OK;
}
EXPORTED fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count);
EXPORTED fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real indicators[], size_t count) {
  (void)indicators;
  return c != NULL && count == 0 ? fmi2OK : fmi2Error;
}
EXPORTED fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t count);
EXPORTED fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[],
                                                      size_t count) {
  int i;
  if (c == NULL || count != (size_t)^_STATES) {
    return fmi2Error;
  }
  for (i = 0; i < (int)^_STATES; ++i) {
    x[i] = 1.0;
  }
  return fmi2OK;
}
#endif
)";

}  // namespace alembert::code
