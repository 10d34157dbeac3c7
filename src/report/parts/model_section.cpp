#include "report/parts/model_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "alembert/core/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/flexible/flexible_section.hpp"
#include "report/parts/moved_mechanism_section.hpp"
#include "report/parts/response_plots.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using document::ResultTree;
using model::DampedMode;
using study::LinearModel;

constexpr Eigen::Index kLargestMatrix = 400;  // rows drawn as a grid
constexpr Eigen::Index kLargestShapes = 24;   // coordinates whose mode shapes are shown
constexpr std::size_t kMostModes = 200;       // rows of the table

bool all_equal(const std::vector<std::string>& units) {
  return std::adjacent_find(units.begin(), units.end(), std::not_equal_to<>()) == units.end();
}

// Whether every input acts on one coordinate alone with the factor 1, so that inputs are the forces
// of the equation of motion. With another L its entries have units too, which nobody told.
bool is_selection(const Eigen::MatrixXd& L) {
  return (L.array() == 0.0 || L.array() == 1.0).all() && (L.colwise().sum().array() == 1.0).all();
}

}  // namespace

MatrixUnits matrix_units(const LinearModel& model) {
  const bool shared = all_equal(model.displacement_units) && all_equal(model.velocity_units) &&
                      all_equal(model.acceleration_units) && all_equal(model.force_units) &&
                      !model.displacement_units.empty() && !model.force_units.empty() &&
                      is_selection(model.system.L);
  if (!shared) return {};
  const std::string& length = model.displacement_units.front();
  const std::string& force = model.force_units.front();
  if (force == "N" && length == "m") return {"kg", "N s/m", "N/m"};
  if (force.empty() || length.empty()) return {};
  return {quotient_unit(force, model.acceleration_units.front()),
          quotient_unit(force, model.velocity_units.front()), quotient_unit(force, length)};
}

namespace {

MatrixView matrix_view(const std::string& id, const std::string& title,
                       const Eigen::MatrixXd& values, const LinearModel& model,
                       const std::string& unit) {
  return {.id = id,
          .title = title,
          .values = values,
          .row_names = model.coordinates,
          .column_names = model.coordinates,
          .unit = unit};
}

void add_matrices(const LinearModel& model, Section& section) {
  const model::SecondOrder& system = model.system;
  const Eigen::Index n = system.degrees_of_freedom();
  if (n > kLargestMatrix) {
    section.blocks.push_back(
        Paragraph{fmt::format("The matrices have {} rows and are not drawn.", n)});
    return;
  }
  const MatrixUnits units = matrix_units(model);
  section.blocks.push_back(matrix_view("mass", "Mass M", system.M, model, units.mass));
  section.blocks.push_back(matrix_view("damping", "Damping D", system.D, model, units.damping));
  section.blocks.push_back(
      matrix_view("stiffness", "Stiffness K", system.K, model, units.stiffness));
  if (system.L.rows() == system.L.cols() && system.L.isIdentity(0.0)) return;
  MatrixView forces = matrix_view("forces", "Force distribution L", system.L, model, "");
  forces.column_names = model.inputs;
  section.blocks.push_back(std::move(forces));
}

Table definiteness_table(const ResultTree& model) {
  Table table{
      .id = "definiteness", .title = "Eigenvalues of the matrices", .header = {}, .rows = {}};
  ResultTree rows = ResultTree::empty_list();
  for (const char* const matrix : {"mass", "damping", "stiffness"}) rows.item(model.at(matrix));
  const std::vector<ResultColumn> columns = {{.path = "matrix"},
                                             {.path = "smallest_eigenvalue", .unknown = ""},
                                             {.path = "largest_eigenvalue", .unknown = ""},
                                             {.path = "condition", .digits = 3},
                                             {.path = "verdict"}};
  table.header = headings_of(rows, columns);
  table.rows = cells_of(rows, columns, significant);
  return table;
}

void add_definiteness(const ResultTree& model, Section& section) {
  section.blocks.push_back(
      model.at("passive").boolean()
          ? Paragraph{"The system is passive: M is positive definite, D and K are positive "
                      "semidefinite or better, so that free motion cannot grow.",
                      Paragraph::Kind::Good}
          : Paragraph{"The system is not passive: free motion may grow.",
                      Paragraph::Kind::Warning});
  section.blocks.push_back(definiteness_table(model));
}

void add_modes(const ResultTree& modes, Section& section) {
  Table table{.id = "modes", .title = "Modes of the damped system", .header = {}, .rows = {}};
  const std::vector<ResultColumn> columns = {
      {.path = "mode"},
      {.path = "frequency_hz", .digits = 5, .unknown = ""},
      {.path = "damping_ratio", .heading = "damping ratio [%]", .factor = 100.0, .unknown = ""},
      {.path = "decay_rate", .unknown = ""},
      {.path = "damped_frequency", .digits = 5, .unknown = ""}};
  table.header = headings_of(modes, columns);
  table.rows = cells_of(modes, columns, significant);
  if (table.rows.size() > kMostModes) {
    table.caption = fmt::format("The lowest {} of {}", kMostModes, table.rows.size());
    table.rows.resize(kMostModes);
  }
  section.blocks.push_back(std::move(table));
}

void add_damping_plot(const std::vector<DampedMode>& modes, Section& section) {
  Curve curve{.name = "modes", .x = {}, .y = {}, .style = Curve::Style::Points};
  const auto count = static_cast<Eigen::Index>(modes.size());
  curve.x.resize(count);
  curve.y.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    curve.x(i) = modes[static_cast<std::size_t>(i)].frequency_hz;
    curve.y(i) = 100.0 * modes[static_cast<std::size_t>(i)].damping_ratio;
  }
  section.blocks.push_back(Plot{.id = "modal-damping",
                                .title = "Damping ratio of each mode over its frequency",
                                .x_label = "frequency [Hz]",
                                .y_label = "damping ratio [%]",
                                .curves = {std::move(curve)}});
}

void add_shapes(const study::SimulateResult& result, const LinearModel& model, Section& section) {
  const Eigen::Index n = model.system.degrees_of_freedom();
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  if (n < 2 || n > kLargestShapes || count > kLargestShapes) return;
  MatrixView view{.id = "mode-shapes",
                  .title = "Mode shapes",
                  .values = Eigen::MatrixXd(n, count),
                  .row_names = model.coordinates,
                  .column_names = {}};
  double phase = 0.0;
  for (Eigen::Index j = 0; j < count; ++j) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(j)].shape;
    view.values.col(j) = shape.real();
    phase = std::max(phase, shape.imag().cwiseAbs().maxCoeff());
    view.column_names.push_back(fmt::format("mode {}", j + 1));
  }
  view.caption = phase < 1e-6 ? "One column for each mode, scaled so that the largest entry is 1"
                              : fmt::format(
                                    "Real part, scaled so that the largest entry is 1; the "
                                    "imaginary parts reach {}",
                                    significant(phase, 2));
  section.blocks.push_back(std::move(view));
}

std::string all_digits(double value, int /*digits*/) { return shortest(value); }

void add_equations(const study::EquationSystem& equations, const ResultTree& parameters,
                   Section& section) {
  section.blocks.push_back(Listing{.title = "Equations", .text = equations.text});
  if (parameters.entries().empty()) return;
  Table table{.id = "parameters", .title = "Parameters", .header = {}, .rows = {}};
  const std::vector<ResultColumn> columns = {
      {.path = "name"}, {.path = "unit"}, {.path = "value", .unknown = ""}};
  table.header = headings_of(parameters, columns);
  table.rows = cells_of(parameters, columns, all_digits);
  section.blocks.push_back(std::move(table));
}

/// One overload for each kind of model.
struct ModelSection {
  const study::SimulateResult& result;
  const ResultTree& tree;

  Section operator()(const LinearModel& model) const {
    Section section{.title = "Model", .blocks = {}};
    section.blocks.push_back(Paragraph{
        fmt::format("A linear mechanical system M q\u2033 + D q\u2032 + K q = L u with {} and {}.",
                    count_of(model.system.degrees_of_freedom(), "coordinate"),
                    count_of(model.system.inputs(), "input"))});
    add_definiteness(tree.at("model"), section);
    add_matrices(model, section);
    if (result.modes.empty()) return section;
    add_modes(tree.at("model/modes"), section);
    if (result.modes.size() > 1) add_damping_plot(result.modes, section);
    add_shapes(result, model, section);
    for (Plot& plot : response_plots(model, result.modes)) {
      section.blocks.push_back(std::move(plot));
    }
    return section;
  }
  Section operator()(const study::EquationSystem& equations) const {
    Section section{.title = "Model", .blocks = {}};
    add_equations(equations, tree.at("model/parameters"), section);
    return section;
  }
  Section operator()(const study::MovedMechanism& moved) const {
    return moved_mechanism_section(result, moved, tree);
  }
  Section operator()(const study::MovedFlexible& moved) const {
    return flexible_section(result, moved, tree);
  }
};

}  // namespace

Section model_section(const study::SimulateResult& result, const ResultTree& tree) {
  return std::visit(ModelSection{result, tree}, result.study.model);
}

}  // namespace alembert::report
