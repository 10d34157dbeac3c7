#include "reproductions/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "reproductions/acceleration/pages.hpp"
#include "reproductions/observe_pages.hpp"
#include "reproductions/output_error/pages.hpp"
#include "reproductions/variational/discretisation.hpp"
#include "reproductions/variational/pages.hpp"
#include "study/result/json.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::reproductions {
namespace {

Json table_json(const NumberTable& table) {
  Json json;
  json["id"] = table.id;
  json["title"] = table.title;
  json["row_title"] = table.row_title;
  json["columns"] = table.columns;
  json["rows"] = table.rows;
  json["values"] = Json::array();
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < table.values.cols(); ++j) {
      row.push_back(json_number(table.values(i, j)));
    }
    json["values"].push_back(std::move(row));
  }
  json["caption"] = table.caption;
  return json;
}

}  // namespace

const std::vector<ReproductionEntry>& reproductions() {
  static const std::vector<ReproductionEntry> entries = {
      {"discretisation", "orders, round trip, Tustin equality, passivity and energy of integrators",
       run_discretisation},
      {"variational-8dof", "M, D, K of the frame: published method, its rival, ours, the bound",
       run_variational_8dof},
      {"variational-3dof", "the same for the system with 3 degrees of freedom",
       run_variational_3dof},
      {"large-step", "the bias of the midpoint rule at large steps, and its cure", run_large_step},
      {"start-sensitivity", "refinement from perturbed starts: how often it fails",
       run_start_sensitivity},
      {"interval-coverage", "how often the 95 % intervals of M, D, K hold", run_interval_coverage},
      {"partial-sensing", "M, D, K from fewer sensors than degrees of freedom",
       run_partial_sensing},
      {"random-systems", "100 random systems: convergence and error against the bound",
       run_random_systems},
      {"tanks", "cascaded tanks: published parameters, five solvers, better models (needs --data)",
       run_tanks},
      {"equation-coverage", "how often the 95 % intervals of equation parameters hold",
       run_equation_coverage},
      {"bouc-wen", "Bouc-Wen hysteresis: parameters, what the data cannot see (needs --data)",
       run_bouc_wen},
      {"duffing", "Duffing oscillator from its acceleration: the published tables, bias, cure",
       run_duffing},
      {"friction-terms", "dry friction, drag, quintic stiffness from 2 to 10 cycles, 60 to 20 dB",
       run_friction_terms},
      {"slider-crank", "observers of a slider-crank: accelerometer as input or as output",
       run_slider_crank},
      {"two-link", "observers of two links with encoders of 1000 counts, against differentiation",
       run_two_link}};
  return entries;
}

const ReproductionEntry& find_reproduction(const std::string& name) {
  std::vector<std::string> names;
  for (const ReproductionEntry& entry : reproductions()) {
    if (entry.name == name) {
      return entry;
    }
    names.push_back(entry.name);
  }
  throw InvalidInput(
      {.function = "reproduce",
       .rule = fmt::format("no reproduction \"{}\"{}", name, suggestion(name, names))});
}

Reproduction reproduce(const std::string& name, const ReproduceOptions& options) {
  Reproduction found = find_reproduction(name).run(options);
  found.full = options.full;
  return found;
}

void write_reproduction(const Reproduction& reproduction, const std::filesystem::path& folder) {
  Json json = json_head("reproduce", reproduction.title);
  json["name"] = reproduction.name;
  json["source"] = reproduction.source;
  json["full"] = reproduction.full;
  json["status"] = std::string(to_string(reproduction.status));
  json["message"] = reproduction.message;
  json["claims"] = to_json(reproduction.claims);
  json["tables"] = Json::array();
  for (const NumberTable& table : reproduction.tables) {
    json["tables"].push_back(table_json(table));
  }
  write_json(json, folder / "result.json");
}

}  // namespace alembert::reproductions
