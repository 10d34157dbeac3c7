#include "alembert/core/error.hpp"
#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/tables_mechanism.hpp"
#include "study/tasks/model_roots.hpp"
#include "study/tasks/simulate/flexible_motion/tables_flexible_simulate.hpp"
#include "study/tasks/simulate/template_simulate.hpp"

namespace alembert::study {

std::string flexible_template(const std::optional<TemplateData>& data) {
  if (data) {
    throw DataError({.file = data->file},
                    "has no use here: a mechanism with flexible bodies is "
                    "described, and [simulate] makes the record");
  }
  TemplateWriter writer("simulate");
  writer.comment(
      "A study for `alembert run`. Lines that begin with # are comments; keys written in them show "
      "the defaults. An arm of aluminium on a motor, with a tool at its tip.");
  writer.table(flexible_root_table(), {{"title", "\"An arm that bends\""}});
  writer.table(mechanism_table(), {{"gravity", "[0.0, 0.0]"},
                                   {"joints", "[{ revolute = [\"ground\", \"arm.A\"] }]"},
                                   {"coordinates", "[\"angle(arm)\"]"},
                                   {"damping", "{ ratios = [0.01, 0.01], at = [10.0, 100.0] }"}});
  writer.named(*mechanism_table().find("bodies", nullptr)->table,
               {{"arm",
                 "{ points = { A = [0.0, 0.0], F = [0.8, 0.0] }, elements = 4, section = { kind = "
                 "\"rectangle\", width = 0.03, height = 0.008, modulus = 70e9, density = 2700.0 }, "
                 "lumps = { A = { inertia = 0.01 }, F = { mass = 0.2 } } }"}});
  writer.named(*mechanism_table().find("forces", nullptr)->table,
               {{"motor", "{ kind = \"torque\", of = \"arm.A\" }"}});
  writer.named(
      *flexible_data_table().find("sensors", nullptr)->table,
      {{"encoder", "{ kind = \"angle\", of = \"arm.A\", sigma = 1e-4 }"},
       {"gauge", "{ kind = \"curvature\", of = \"arm\", along = 0.1, sigma = 1e-4 }"},
       {"tip", "{ kind = \"acceleration\", at = \"arm.F\", axis = [0.0, 1.0], sigma = 0.05 }"}});
  writer.comment("All keys of a sensor: alembert keys data.sensors");
  writer.table(flexible_simulate_table(), {{"step", "0.002"},
                                           {"duration", "2.0"},
                                           {"start", "{ coordinates = [0.0] }"},
                                           {"seed", "1"}});
  writer.named(*flexible_simulate_table().find("forces", nullptr)->table,
               {{"motor", "\"0.5*sin(2*pi*t)\""}});
  return writer.text();
}

}  // namespace alembert::study
