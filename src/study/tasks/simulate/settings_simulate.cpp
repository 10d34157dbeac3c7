#include "study/tasks/simulate/settings_simulate.hpp"

#include "study/parts/equations/simulation_keys.hpp"
#include "study/result/settings.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {

void describe_simulate_settings(const SimulateStudy& study, document::ResultTree& table) {
  describe_settings(simulate_time_keys(), study, table);
  if (study.linear() != nullptr) {
    describe_settings(method_keys(), study.integration, table);
    if (study.integration.method == integrate::Method::Newmark) {
      describe_settings(newmark_keys(), study.integration, table.group("newmark"));
    }
  }
  if (const EquationSystem* equations = study.equations()) {
    describe_settings(simulation_keys(), equations->simulation, table);
    describe_settings(engine_keys(), {.kind = equations->engine}, table);
  }
  describe_settings(simulate_count_keys(), study, table);
}

}  // namespace alembert::study
