#include "study/tasks/monte_carlo/repeat/template_repeat.hpp"

#include "alembert/core/error.hpp"
#include "study/parts/equations/tables_equations.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/observe/template_observe.hpp"
#include "study/templates/writer.hpp"

namespace alembert::study {
namespace {

void refuse_data(const std::optional<TemplateData>& data) {
  if (!data) return;
  throw DataError({.file = data->file}, "has no place in a study that makes its records");
}

void write_repeat_head(const std::string& what, TemplateWriter& writer) {
  writer.comment("A study for `alembert run`: " + what);
  writer.comment(
      "Lines that begin with # are comments; keys written in them show the defaults. What moves, "
      "sensors and numbers below are to be replaced by your own.");
}

void write_repeat_tables(const TemplateWriter::Assignments& sweep, TemplateWriter& writer) {
  writer.table(monte_carlo_table(), {{"runs", "20"}, {"seed", "1"}});
  writer.named(*monte_carlo_table().find("sweep", nullptr)->table, sweep);
}

}  // namespace

std::string repeat_equations_template(const std::optional<TemplateData>& data) {
  refuse_data(data);
  TemplateWriter writer("identify");  // whose keys of [data] it has
  write_repeat_head(
      "how far parameters of equations are off, and whether their intervals hold the truth, on "
      "many simulated records.",
      writer);
  writer.table(equation_root_table(), {{"title", "\"Bias and scatter of parameters\""}});
  writer.table(equation_model_table(),
               {{"equations", "\"y'' = gain*u - 2*zeta*omega*y' - omega^2*y\""}});
  const TableSpec& simulate = *equation_root_table().find("simulate", nullptr)->table;
  writer.table(simulate, {{"step", "0.05"},
                          {"samples", "600"},
                          {"parameters", "{ omega = 3.0, zeta = 0.08, gain = 2.0 }"},
                          {"inputs", "{ u = { kind = \"prbs\", order = 7, clock = 0.5 } }"},
                          {"sensors", "{ y = { sigma = 0.05 } }"}});
  writer.table(equation_data_table(), {{"inputs", "{ u = \"u\" }"}, {"outputs", "{ y = \"y\" }"}});
  const TableSpec& identify = *equation_root_table().find("identify", nullptr)->table;
  writer.table(identify, {{"method", "\"output-error\""}, {"between", "\"held\""}});
  writer.named(*identify.find("parameters", nullptr)->table,
               {{"omega", "{ guess = 2.0, lower = 0.0 }"},
                {"zeta", "{ guess = 0.1, lower = 0.0 }"},
                {"gain", "1.0"}});
  write_repeat_tables({{"simulate.sensors.y.sigma", "[0.02, 0.1]"}}, writer);
  return writer.text();
}

std::string repeat_observe_template(const std::optional<TemplateData>& data) {
  refuse_data(data);
  TemplateWriter writer("monte-carlo");
  write_repeat_head(
      "how far an observer is off, and whether its covariances say so, on many simulated records.",
      writer);
  write_moving_crank("\"Errors of an observer\"", writer);
  write_repeat_tables({{"observe.density", "[20.0, 200.0]"}}, writer);
  return writer.text();
}

}  // namespace alembert::study
