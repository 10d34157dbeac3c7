#include "report/parts/model_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "alembert/core/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/moved_mechanism_section.hpp"
#include "report/parts/response_plots.hpp"

namespace alembert::report {
namespace {

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

std::vector<std::string> definiteness_row(const std::string& name, const Definiteness& found) {
  const bool finite = std::isfinite(found.condition());
  return {name, significant(found.smallest), significant(found.largest),
          finite ? significant(found.condition(), 3) : "-",
          found.positive_definite       ? "positive definite"
          : found.positive_semidefinite ? "positive semidefinite"
                                        : "indefinite"};
}

void add_definiteness(const study::SimulateResult& result, Section& section) {
  const model::SecondOrderCheck& check = result.definiteness;
  section.blocks.push_back(
      check.passive()
          ? Paragraph{"The system is passive: M is positive definite, D and K are positive "
                      "semidefinite or better, so that free motion cannot grow.",
                      Paragraph::Kind::Good}
          : Paragraph{"The system is not passive: free motion may grow.",
                      Paragraph::Kind::Warning});
  section.blocks.push_back(Table{
      .id = "definiteness",
      .title = "Eigenvalues of the matrices",
      .header = {"matrix", "smallest", "largest", "condition", "verdict"},
      .rows = {definiteness_row("mass M", check.mass), definiteness_row("damping D", check.damping),
               definiteness_row("stiffness K", check.stiffness)}});
}

void add_modes(const std::vector<DampedMode>& modes, Section& section) {
  Table table{.id = "modes",
              .title = "Modes of the damped system",
              .header = {"mode", "frequency [Hz]", "damping ratio [%]", "decay rate [1/s]",
                         "damped frequency [rad/s]"},
              .rows = {}};
  for (std::size_t i = 0; i < std::min(modes.size(), kMostModes); ++i) {
    const DampedMode& mode = modes[i];
    table.rows.push_back({std::to_string(i + 1), significant(mode.frequency_hz, 5),
                          significant(100.0 * mode.damping_ratio, 4),
                          significant(-mode.pole.real(), 4), significant(mode.pole.imag(), 5)});
  }
  if (modes.size() > kMostModes) {
    table.caption = fmt::format("The lowest {} of {}", kMostModes, modes.size());
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

void add_equations(const study::EquationSystem& equations, Section& section) {
  section.blocks.push_back(Listing{.title = "Equations", .text = equations.text});
  Table table{.id = "parameters",
              .title = "Parameters",
              .header = {"parameter", "unit", "value"},
              .rows = {}};
  for (std::size_t i = 0; i < equations.parameter_units.size(); ++i) {
    table.rows.push_back({equations.model.parameters()[i],
                          pretty_unit(equations.parameter_units[i]),
                          shortest(equations.parameters(static_cast<Eigen::Index>(i)))});
  }
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
}

/// One overload for each kind of model.
struct ModelSection {
  const study::SimulateResult& result;

  Section operator()(const LinearModel& model) const {
    Section section{.title = "Model", .blocks = {}};
    section.blocks.push_back(Paragraph{
        fmt::format("A linear mechanical system M q\u2033 + D q\u2032 + K q = L u with {} and {}.",
                    count_of(model.system.degrees_of_freedom(), "coordinate"),
                    count_of(model.system.inputs(), "input"))});
    add_definiteness(result, section);
    add_matrices(model, section);
    if (result.modes.empty()) return section;
    add_modes(result.modes, section);
    if (result.modes.size() > 1) add_damping_plot(result.modes, section);
    add_shapes(result, model, section);
    for (Plot& plot : response_plots(model, result.modes)) {
      section.blocks.push_back(std::move(plot));
    }
    return section;
  }
  Section operator()(const study::EquationSystem& equations) const {
    Section section{.title = "Model", .blocks = {}};
    add_equations(equations, section);
    return section;
  }
  Section operator()(const study::MovedMechanism& moved) const {
    return moved_mechanism_section(result, moved);
  }
};

}  // namespace

Section model_section(const study::SimulateResult& result) {
  return std::visit(ModelSection{result}, result.study.model);
}

}  // namespace alembert::report
