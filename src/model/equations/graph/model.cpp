#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "alembert/model/equations.hpp"
#include "alembert/signal/spline.hpp"
#include "model/equations/graph/jacobians.hpp"
#include "model/equations/graph/lower.hpp"
#include "model/equations/graph/program.hpp"
#include "model/equations/graph/share_powers.hpp"
#include "model/equations/units/unit_check.hpp"

namespace alembert::model {

namespace equations {
namespace {

Curve curve_of(const EquationTable& table) {
  const std::string part = "tables." + (is_name(table.name) ? table.name : "?");
  if (table.x.size() < 2 || table.x.size() != table.y.size()) {
    fail(part, {},
         fmt::format("a table needs at least two points, x and y alike; got {} and {}",
                     table.x.size(), table.y.size()));
  }
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    if (!std::isfinite(table.x[k]) || !std::isfinite(table.y[k])) {
      fail(part, {}, fmt::format("point {} of the table is not finite", k + 1));
    }
    if (k > 0 && table.x[k] <= table.x[k - 1]) {
      fail(part, {},
           fmt::format("x of a table must increase, but point {} is {} after {}", k + 1, table.x[k],
                       table.x[k - 1]));
    }
  }
  Curve curve{table.x, table.y, {}};
  if (table.interpolation == TableInterpolation::Cubic) {
    const auto count = static_cast<Eigen::Index>(table.x.size());
    const Eigen::MatrixXd slopes = signal::cubic_slopes(
        Eigen::Map<const Eigen::VectorXd>(table.x.data(), count),
        Eigen::MatrixXd(Eigen::Map<const Eigen::VectorXd>(table.y.data(), count)));
    if (!slopes.allFinite()) {
      fail(part, {}, "the points of the table are too close for a spline");
    }
    curve.slope.assign(slopes.data(), slopes.data() + slopes.size());
  }
  return curve;
}

std::vector<Curve> curves_of(const std::vector<EquationTable>& tables) {
  std::vector<Curve> curves;
  for (const EquationTable& table : tables) {
    if (std::count_if(tables.begin(), tables.end(), [&table](const EquationTable& other) {
          return other.name == table.name;
        }) > 1) {
      fail("tables", {}, fmt::format("table {} is given twice", in_quotes(table.name)));
    }
    curves.push_back(curve_of(table));
  }
  return curves;
}

std::vector<std::string> names_of(const std::vector<EquationSymbol>& symbols) {
  std::vector<std::string> names;
  for (const EquationSymbol& symbol : symbols) {
    names.push_back(symbol.name);
  }
  return names;
}

// Marks the nodes on which the values depend.
std::vector<bool> reachable(const Program& program) {
  std::vector<NodeId> roots;
  for (const FunctionNodes* function : {&program.f, &program.g, &program.start}) {
    roots.insert(roots.end(), function->values.begin(), function->values.end());
  }
  return program.graph.needed_for(roots);
}

// Marks the symbols that occur in what states and outputs are made of: constants leave no node of
// their own in the graph.
std::vector<bool> named_symbols(const Resolved& resolved) {
  std::vector<bool> named(resolved.symbols.size(), false);
  const auto note = [&named](const ResolvedText& text, std::size_t first, std::size_t root) {
    for (std::size_t k = first; k <= root; ++k) {
      if (text.syntax.nodes[k].form == Form::Name) named[text.symbols[k]] = true;
    }
  };
  for (const auto* list : {&resolved.derivatives, &resolved.outputs}) {
    for (const std::uint32_t symbol : *list) named[symbol] = true;
  }
  for (std::size_t k = resolved.order.size(); k-- > 0;) {  // users before what they use
    const Statement& statement = resolved.equations.syntax.statements[resolved.order[k]];
    if (named[resolved.statement_symbols[resolved.order[k]]]) {
      note(resolved.equations, statement.first, statement.root);
    }
  }
  for (const auto& start : resolved.starts) {
    if (start) note(*start, 0, start->syntax.statements[0].root);
  }
  return named;
}

void note_use(Program& program, const Resolved& resolved, const Lowering& lowering) {
  const std::vector<bool> needed = reachable(program);
  const std::vector<bool> named = named_symbols(resolved);
  program.depends_on_time = needed[lowering.symbol(0)];
  const std::vector<bool> at_start = program.graph.needed_for(program.start.values);
  for (std::uint32_t k = 2; k < resolved.symbols.size(); ++k) {  // after t and pi
    const Symbol& symbol = resolved.symbols[k];
    if (symbol.kind == SymbolKind::Input && at_start[lowering.symbol(k)]) {
      program.start_uses_inputs = true;
    }
    const bool is_leaf_kind =
        symbol.kind == SymbolKind::Input || symbol.kind == SymbolKind::Parameter;
    if ((is_leaf_kind && !needed[lowering.symbol(k)]) ||
        (symbol.kind == SymbolKind::Constant && !named[k])) {
      program.unused.push_back(symbol.name);
    }
    if (symbol.quantity) {
      program.units.emplace_back(symbol.name, to_string(*symbol.quantity));
    }
  }
}

void check_constants(const EquationSetup& setup) {
  for (const EquationConstant& constant : setup.constants) {
    if (!std::isfinite(constant.value)) {
      fail("constants", {}, fmt::format("{} is not finite", in_quotes(constant.name)));
    }
  }
}

std::shared_ptr<const Program> build(std::string_view text, const EquationSetup& setup) {
  check_constants(setup);
  Resolved resolved = resolve(text, setup);
  check_units(resolved, setup);
  auto program = std::make_shared<Program>();
  program->graph = Graph(curves_of(setup.tables));
  program->inputs = names_of(setup.inputs);
  program->outputs = names_of(setup.outputs);
  program->parameters = names_of(setup.parameters);
  program->pairs = resolved.pairs;
  Lowering lowering(resolved, program->graph);
  lowering.equations();
  for (std::size_t k = 0; k < resolved.states.size(); ++k) {
    program->states.push_back(resolved.symbols[resolved.states[k]].name);
    program->f.values.push_back(lowering.symbol(resolved.derivatives[k]));
    program->start.values.push_back(resolved.starts[k] ? lowering.expression(*resolved.starts[k])
                                                       : program->graph.constant(0.0));
  }
  for (const std::uint32_t output : resolved.outputs) {
    program->g.values.push_back(lowering.symbol(output));
  }
  note_use(*program, resolved, lowering);
  program->graph = share_powers(program->graph,
                                {&program->f.values, &program->g.values, &program->start.values});
  try {
    add_derivatives(*program);
  } catch (const std::length_error& error) {
    fail("equations", {1, 1},
         fmt::format("the equations and their derivatives have too many {}; the limits are {} "
                     "operations and {} entries of Jacobians",
                     error.what(), kMaxNodes, kMaxEntries));
  }
  return program;
}

}  // namespace
}  // namespace equations

// Nothing is a model without states, inputs and outputs, not a pointer that everybody must ask.
EquationModel::EquationModel(std::shared_ptr<const equations::Program> program)
    : program_(program ? std::move(program) : std::make_shared<const equations::Program>()) {}

const std::vector<std::string>& EquationModel::states() const { return program_->states; }
const std::vector<std::string>& EquationModel::inputs() const { return program_->inputs; }
const std::vector<std::string>& EquationModel::outputs() const { return program_->outputs; }
const std::vector<std::string>& EquationModel::parameters() const { return program_->parameters; }
const std::vector<SecondOrderPair>& EquationModel::second_order() const { return program_->pairs; }
const std::vector<std::string>& EquationModel::unused() const { return program_->unused; }
bool EquationModel::depends_on_time() const { return program_->depends_on_time; }
bool EquationModel::start_uses_inputs() const { return program_->start_uses_inputs; }

std::string EquationModel::unit_of(std::string_view name) const {
  for (const auto& [symbol, unit] : program_->units) {
    if (symbol == name) {
      return unit;
    }
  }
  return "";
}

bool EquationModel::state_jacobian_entry(std::size_t row, std::size_t column) const {
  const auto& entries = program_->f.by_state;  // sorted by row and column
  const auto found = std::lower_bound(
      entries.begin(), entries.end(), std::pair(row, column),
      [](const equations::Entry& entry, const std::pair<std::size_t, std::size_t>& place) {
        return std::pair<std::size_t, std::size_t>(entry.row, entry.column) < place;
      });
  return found != entries.end() && found->row == row && found->column == column;
}

EquationModel parse_equations(std::string_view text, const EquationSetup& setup) {
  return EquationModel(equations::build(text, setup));
}

}  // namespace alembert::model
