#include "alembert/identify/acceleration_equation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/model/equation_structure.hpp"
#include "identify/acceleration/equation_text.hpp"

namespace alembert::identify {

namespace {

std::vector<model::EquationSymbol> symbols_of(const std::vector<std::string>& names) {
  std::vector<model::EquationSymbol> symbols;
  for (const std::string& name : names) symbols.push_back({name, ""});
  return symbols;
}

// Parses a text that was put together here; errors name the place in the users' text.
model::EquationModel parse(const WrittenText& written, const EquationOfMotionSetup& setup,
                           const std::string& coordinate,
                           const std::vector<std::string>& more_inputs) {
  model::EquationSetup names;
  names.inputs = symbols_of(setup.inputs);
  for (const std::string& name : more_inputs) names.inputs.push_back({name, ""});
  names.outputs = {{coordinate + "''", ""}};
  names.parameters = symbols_of(setup.parameters);
  names.constants = setup.constants;
  names.tables = setup.tables;
  try {
    return model::parse_equations(written.text, names);
  } catch (const model::EquationError& error) {
    const Place& place = error.place();
    if (place.file != "equations" || place.line == 0) throw;
    model::equations::fail("equations", written.origin({place.line, place.column}), error.reason());
  }
}

// The number before x'', for which the input `probe` stands: f = rest - leading·probe.
double leading_number(const EquationText& motion, const model::EquationModel& model) {
  using Kind = model::InputSlope::Kind;
  const model::InputSlope slope =
      input_slope(model, model.second_order().front().velocity, model.inputs().size() - 1);
  if (slope.kind == Kind::Constant && slope.value != 0.0) return -slope.value;
  if (slope.kind != Kind::Zero) {
    model::equations::fail(
        "equations", motion.second.position,
        fmt::format("{0}'' must stand alone or with a number or constant before it; divide the "
                    "equation by the factor of {0}'', or move what depends on {0}'' out",
                    motion.coordinate));
  }
  model::equations::fail("equations", motion.second.position,
                         fmt::format("{}'' cancels out of the equation", motion.coordinate));
}

std::string unused_name(const EquationText& motion, const EquationOfMotionSetup& setup) {
  std::string name = "second_derivative";
  const auto taken = [&](const std::string& text) {
    const auto in = [&text](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), text) != names.end();
    };
    return in(motion.names) || in(setup.parameters) || in(setup.inputs) ||
           std::any_of(setup.constants.begin(), setup.constants.end(),
                       [&text](const auto& constant) { return constant.name == text; }) ||
           std::any_of(motion.definitions.begin(), motion.definitions.end(),
                       [&text](const auto& definition) { return definition[0].text == text; });
  };
  while (taken(name)) name += '_';
  return name;
}

// Takes parameters in turn as long as no ∂f/∂p of those taken contains one of them.
std::vector<bool> linear_parameters(const model::EquationModel& model) {
  const std::size_t count = model.parameters().size();
  const std::vector<std::vector<bool>> contains =
      parameters_in_slopes(model, model.second_order().front().velocity);
  std::vector<bool> linear(count, false);
  for (std::size_t j = 0; j < count; ++j) {
    bool fits = !contains[j][j];
    for (std::size_t k = 0; k < j; ++k) {
      fits = fits && !(linear[k] && (contains[j][k] || contains[k][j]));
    }
    linear[j] = fits;
  }
  return linear;
}

}  // namespace

bool EquationOfMotion::all_linear() const {
  return std::all_of(linear.begin(), linear.end(), [](bool value) { return value; });
}

EquationOfMotion read_equation_of_motion(std::string_view text,
                                         const EquationOfMotionSetup& setup) {
  const EquationText motion = take_apart(text, setup);
  EquationOfMotionSetup names = setup;
  if (names.parameters.empty()) names.parameters = motion.names;
  double leading = 1.0;
  if (!motion.is_explicit) {
    const std::string probe = unused_name(motion, names);
    const model::EquationModel probed =
        parse(write_explicit(motion, probe, 1.0), names, motion.coordinate, {probe});
    leading = leading_number(motion, probed);
  }
  const WrittenText written = write_explicit(motion, "0", leading);
  model::EquationModel model = parse(written, names, motion.coordinate, {});
  std::vector<bool> linear = linear_parameters(model);
  return {std::string(text), motion.coordinate, written.text,    leading,
          std::move(linear), std::move(names),  std::move(model)};
}

}  // namespace alembert::identify
