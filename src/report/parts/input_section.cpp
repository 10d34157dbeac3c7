#include "report/parts/input_section.hpp"

#include <fmt/format.h>

#include <map>

#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using study::InputDescription;

Table inputs_table(const document::ResultTree& inputs) {
  Table table{.id = "inputs", .title = "Inputs", .header = {}, .rows = {}};
  const std::vector<document::ResultColumn> columns = {{.path = "name"},
                                                       {.path = "kind"},
                                                       {.path = "settings"},
                                                       {.path = "unit"},
                                                       {.path = "rms", .unknown = ""},
                                                       {.path = "smallest", .unknown = ""},
                                                       {.path = "largest", .unknown = ""}};
  table.header = headings_of(inputs, columns);
  table.rows = cells_of(inputs, columns, significant);
  return table;
}

}  // namespace

Section input_section(const study::SimulateResult& result, const document::ResultTree& tree) {
  Section section{.title = "Inputs", .blocks = {}};
  if (result.experiments.empty() || result.study.inputs.empty()) return section;
  const study::Experiment& experiment = result.experiments.front();
  section.blocks.push_back(inputs_table(tree.at("inputs")));
  const Eigen::VectorXd times = experiment.record.time().times();
  // One plot for each unit.
  std::map<std::string, Plot> plots;
  for (std::size_t i = 0; i < result.study.inputs.size(); ++i) {
    const InputDescription& input = result.study.inputs[i];
    if (input.kind == "zero") continue;
    Plot& plot = plots[input.unit];
    plot.curves.push_back(sampled_curve(
        input.name, times, experiment.record.samples().col(static_cast<Eigen::Index>(i))));
    plot.id = fmt::format("inputs-{}", plots.size());
    plot.title = "Inputs over time";
    plot.x_label = "time [s]";
    plot.y_label = with_unit("input", input.unit);
  }
  for (auto& [unit, plot] : plots) {
    // More than a few noises at once hide each other.
    plot.visible = plot.curves.size() <= 4 ? static_cast<int>(plot.curves.size()) : 3;
    section.blocks.push_back(std::move(plot));
  }
  return section;
}

}  // namespace alembert::report
