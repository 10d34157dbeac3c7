#include "study/tasks/monte_carlo/template_monte_carlo.hpp"

#include "study/tasks/identify/tables_identify.hpp"
#include "study/tasks/monte_carlo/tables_monte_carlo.hpp"
#include "study/tasks/simulate/template_simulate.hpp"

namespace alembert::study {

std::string monte_carlo_template(const std::optional<TemplateData>& data) {
  TemplateWriter writer =
      response_template("monte-carlo", "\"Error of M, D and K against noise\"", data);
  writer.table(identify_table(), {{"refine", "\"exact\""}});
  writer.table(monte_carlo_table(), {{"runs", "20"}, {"seed", "1"}});
  writer.named(*monte_carlo_table().find("sweep", nullptr)->table,
               {{"simulate.sensors.all.snr", "[10.0, 20.0, 30.0, 40.0]"}});
  return writer.text();
}

}  // namespace alembert::study
