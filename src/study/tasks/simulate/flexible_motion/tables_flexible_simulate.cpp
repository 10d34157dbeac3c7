#include "study/tasks/simulate/flexible_motion/tables_flexible_simulate.hpp"

#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/schema/shared_keys.hpp"
#include "study/tasks/simulate/tables_mechanism_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

using integrate::FlexibleSimulationOptions;

const TableSpec& flexible_start_table() {
  static const TableSpec table{.path = "simulate.start",
                               .help = "How the mechanism is let go.",
                               .keys = joined({{.name = "coordinates",
                                                .forms = kNumbers,
                                                .help = "one for each coordinate; the mechanism is "
                                                        "assembled there",
                                                .unit = "rad, m",
                                                .required = true},
                                               {.name = "velocities",
                                                .forms = kNumbers,
                                                .help = "one for each coordinate",
                                                .unit = "rad/s, m/s",
                                                .fallback_note = "at rest"}},
                                              flexible_start_keys().specs()),
                               .model = kForFlexible};
  return table;
}

// A table of the simulation of rigid mechanisms that has the same keys.
const TableSpec* same_table(const std::string& key) {
  return mechanism_simulate_table().find(key, nullptr)->table;
}

std::vector<KeySpec> flexible_tables() {
  return {{.name = "start",
           .forms = kTable,
           .help = "where it is let go, to move by masses and forces",
           .required = true,
           .table = &flexible_start_table()},
          {.name = "forces",
           .forms = kTable,
           .help = "how the forces act",
           .fallback_note = "zero",
           .table = same_table("forces")},
          {.name = "constants",
           .forms = kTable,
           .help = "numbers that the formulas use by name",
           .fallback_note = "none",
           .table = same_table("constants")},
          {.name = "sensors",
           .forms = kTable,
           .help = "further errors of the sensors",
           .fallback_note = "none",
           .table = same_table("sensors")}};
}

}  // namespace

const BoundKeys<MovedFlexible>& flexible_start_keys() {
  static const auto keys =
      BoundKeys<MovedFlexible>().key("links", &MovedFlexible::links,
                                     {.help = "straight, bent by what acts at first, or at rest in "
                                              "the balance nearby"});
  return keys;
}

const BoundKeys<MovedFlexible>& flexible_motion_keys() {
  static const auto keys = [] {
    const auto of = [](auto member) { return field_of(&MovedFlexible::integration, member); };
    BoundKeys<MovedFlexible> list;
    list.key("method", of(&FlexibleSimulationOptions::method), {.help = "how the steps are made"})
        .key("substeps", of(&FlexibleSimulationOptions::substeps),
             {.help = "equal steps from sample to sample; 0: chosen by halving",
              .range = within(0.0, 100000.0)})
        .used_when("method", {"midpoint", "runge-kutta-4"})
        .key("accuracy", of(&FlexibleSimulationOptions::accuracy),
             {.help = "change by halving the steps, of the size of the motion, where they are "
                      "chosen",
              .range = within(1e-9, 0.1)})
        .used_when("method", {"midpoint", "runge-kutta-4"})
        .key("relative-tolerance", of(&FlexibleSimulationOptions::relative_tolerance),
             {.help = "error of a step, relative to each state", .range = within(1e-13, 0.1)})
        .used_when("method", {"dormand-prince"})
        .key("absolute-tolerance", of(&FlexibleSimulationOptions::absolute_tolerance),
             {.help = "the same absolute", .unit = "m, rad, s", .range = above(0.0)})
        .used_when("method", {"dormand-prince"})
        .key("deflection-scale", &MovedFlexible::deflection_scale,
             {.help = "how many times larger the report draws deflections; 0: chosen",
              .range = at_least(0.0)});
    return list;
  }();
  return keys;
}

const TableSpec& flexible_simulate_table() {
  static const TableSpec table = [] {
    TableSpec made{
        .path = "simulate",
        .help =
            "What sensors on a mechanism with flexible bodies would record of the motion "
            "that masses and forces make; its rest, its modes and small motions.",
        .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"samples", "duration"}}},
        .model = kForFlexible};
    for (const std::vector<KeySpec>& part :
         {simulate_time_keys().specs(), flexible_motion_keys().specs(),
          simulate_count_keys().specs(), flexible_tables()}) {
      for (KeySpec key : part) {
        key.tasks.clear();
        key.fallback_note = key.fallback_note == "that of the data file" ? "" : key.fallback_note;
        key.required = key.required || key.name == "step";
        if (key.name == "experiments") key.help = "repetitions, each with new noise";
        made.keys.push_back(std::move(key));
      }
    }
    return made;
  }();
  return table;
}

}  // namespace alembert::study
