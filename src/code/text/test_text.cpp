#include <string>

#include "code/text/c_text.hpp"

namespace alembert::code {

namespace {

constexpr const char* kHead =
    R"(/* Replays a record through @ and compares with what the library has computed:
     @_test RECORD [TOLERANCE]
   The tolerance counts in the largest size of each output. */
#include "@.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROW = ^_INPUTS * ^_INPUT_ROWS, ALL = ROW + ^_MEASURED + ^_OUTPUTS };

typedef struct {
  long samples;
  double *numbers; /* ALL for each sample */
} record;

static int read_record(const char *name, record *r) {
  FILE *file = fopen(name, "r");
  long k;
  size_t count;
  if (file == NULL) {
    return 0;
  }
  if (fscanf(file, "%ld", &r->samples) != 1 || r->samples < 1 || r->samples > 100000000L) {
    fclose(file);
    return 0;
  }
  count = (size_t)r->samples * (size_t)ALL;
  r->numbers = (double *)malloc(count * sizeof(double));
  for (k = 0; r->numbers != NULL && k < (long)count; ++k) {
    if (fscanf(file, "%lf", &r->numbers[k]) != 1) {
      free(r->numbers);
      r->numbers = NULL;
    }
  }
  fclose(file);
  return r->numbers != NULL;
}

static double size_of(double a) { return a < 0.0 ? -a : a; }

/* The inputs of a sample, and what is measured there. */
static void take_inputs(const double *numbers, @_real *rows, @_real *measured) {
  int i;
  rows[0] = 0;
  measured[0] = 0;
  for (i = 0; i < (int)ROW; ++i) {
    rows[i] = (@_real)numbers[i];
  }
  for (i = 0; i < (int)^_MEASURED; ++i) {
    measured[i] = (@_real)numbers[(int)ROW + i];
  }
}
)";

constexpr const char* kBody = R"(
/* Goes through the record; error, size and first_bad may be null. */
static void replay(const record *r, double *error, double *size) {
  @_model model;
  @_real rows[ROW + 1];
  @_real measured[^_MEASURED + 1];
  @_real output[^_OUTPUTS + 1];
  long k;
  int i;
  @_init(&model);
  take_inputs(r->numbers, rows, measured);
  @_start(&model, rows);
  for (k = 0; k < r->samples; ++k) {
    const double *numbers = r->numbers + (size_t)k * (size_t)ALL;
    take_inputs(numbers, rows, measured);
    @_get(&model, rows, output);
    for (i = 0; error != NULL && i < (int)^_OUTPUTS; ++i) {
      const double wanted = numbers[(int)ROW + (int)^_MEASURED + i];
      const double distance = size_of((double)output[i] - wanted);
      if (distance > error[i] || distance != distance) { /* what is no number stays */
        error[i] = distance;
      }
      if (size_of(wanted) > size[i]) {
        size[i] = size_of(wanted);
      }
    }
    {step}
  }
}

static double seconds_of_a_sample(const record *r) {
  const clock_t begin = clock();
  double passed;
  long runs = 0;
  do {
    replay(r, NULL, NULL);
    ++runs;
    passed = (double)(clock() - begin) / (double)CLOCKS_PER_SEC;
  } while (passed < 0.2 && runs < 1000000L);
  return passed / ((double)runs * (double)r->samples);
}

int main(int count, char **arguments) {
  const double tolerance = count > 2 ? atof(arguments[2]) : {tolerance};
  double error[^_OUTPUTS + 1] = {0.0};
  double size[^_OUTPUTS + 1] = {0.0};
  double worst = 0.0;
  int worst_output = 0;
  int i;
  record r = {0, NULL};
  if (count < 2 || !read_record(arguments[1], &r)) {
    fprintf(stderr, "usage: @_test RECORD [TOLERANCE], with a record that can be read\n");
    return 2;
  }
  replay(&r, error, size);
  for (i = 0; i < (int)^_OUTPUTS; ++i) {
    const double part = size[i] > 0.0 ? error[i] / size[i] : error[i];
    if (part > worst || part != part) {
      worst = part;
      worst_output = i;
    }
  }
  printf("@: %ld samples, largest difference %.3g of the size of %s, %.4f us a sample\n", r.samples,
         worst, @_output_names[worst_output], 1e6 * seconds_of_a_sample(&r));
  free(r.numbers);
  if (!(worst <= tolerance)) {
    printf("@: differs by more than %g\n", tolerance);
    return 1;
  }
  return 0;
}
)";

std::string with(std::string text, const std::string& mark, const std::string& by) {
  return text.replace(text.find(mark), mark.size(), by);
}

}  // namespace

std::string test_text(const Program& program) {
  const bool observes = !program.measured.empty();
  // Doubles: the rule of the project. Floats hold 7 digits, of which a run loses some.
  const bool single = program.options.number == model::CNumber::Float;
  std::string body = with(
      kBody, "{step}", observes ? "@_observe(&model, rows, measured);" : "@_step(&model, rows);");
  body = with(body, "{tolerance}", single ? "1e-3" : "1e-9");
  return filled(kHead + body, program.options);
}

}  // namespace alembert::code
