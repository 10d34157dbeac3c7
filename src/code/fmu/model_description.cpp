#include <fmt/format.h>

#include <set>

#include "alembert/core/text.hpp"
#include "alembert/core/version.hpp"
#include "code/fmu/variables.hpp"

namespace alembert::code {

namespace {

std::string in_xml(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return result;
}

void add_variables(const std::vector<Signal>& signals, Role role, const std::string& prefix,
                   std::set<std::string>& used, std::vector<FmuVariable>& variables) {
  for (const Signal& signal : signals) {
    std::string name = prefix + signal.name;
    while (!used.insert(name).second) name += "_2";
    variables.push_back({role, name, role == Role::Rate ? "" : signal.unit, 0.0});
  }
}

// Combinations of causality, variability and initial that [FMI2] allows.
const char* attributes_of(Role role) {
  switch (role) {
    case Role::Input:
      return R"(causality="input" variability="continuous")";
    case Role::Output:
      return R"(causality="output" variability="continuous" initial="calculated")";
    case Role::Parameter:
      return R"(causality="parameter" variability="fixed" initial="exact")";
    default:
      return R"(causality="local" variability="continuous" initial="calculated")";
  }
}

std::string variable_text(const FmuVariable& variable, std::size_t reference,
                          const std::string& type) {
  std::string text = fmt::format("    <ScalarVariable name=\"{}\" valueReference=\"{}\" {}",
                                 in_xml(variable.name), reference, attributes_of(variable.role));
  if (!variable.unit.empty()) text += fmt::format(" description=\"in {}\"", in_xml(variable.unit));
  return text + fmt::format(">\n      <Real{}/>\n    </ScalarVariable>\n", type);
}

std::string variables_text(const std::vector<FmuVariable>& variables) {
  std::string text = "  <ModelVariables>\n";
  std::size_t first_state = 0;
  std::size_t rates = 0;
  for (std::size_t k = variables.size(); k-- > 0;) {
    if (variables[k].role == Role::State) first_state = k;
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    std::string type;
    if (variables[k].role == Role::Input || variables[k].role == Role::Parameter) {
      type = fmt::format(" start=\"{}\"", shortest(variables[k].start));
    } else if (variables[k].role == Role::Rate) {
      type = fmt::format(" derivative=\"{}\"", first_state + rates++ + 1);
    }
    text += variable_text(variables[k], k, type);
  }
  return text + "  </ModelVariables>\n";
}

// The indices of variables count from 1.
std::string unknowns(const char* list, const std::vector<FmuVariable>& variables,
                     const std::set<Role>& roles) {
  std::string text;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (roles.count(variables[k].role) == 0) continue;
    text += fmt::format("      <Unknown index=\"{}\"/>\n", k + 1);
  }
  return text.empty() ? "" : fmt::format("    <{0}>\n{1}    </{0}>\n", list, text);
}

std::string interfaces_text(const Program& program) {
  const std::string& name = program.options.name;
  const std::string files = fmt::format(
      "    <SourceFiles>\n      <File name=\"{0}.c\"/>\n      <File name=\"{0}_fmu.c\"/>\n"
      "    </SourceFiles>\n",
      name);
  std::string text;
  if (program.has_derivatives) {
    text += fmt::format(
        "  <ModelExchange modelIdentifier=\"{}\" completedIntegratorStepNotNeeded=\"true\">\n{}"
        "  </ModelExchange>\n",
        name, files);
  }
  return text + fmt::format(
                    "  <CoSimulation modelIdentifier=\"{}\" "
                    "canHandleVariableCommunicationStepSize=\"false\" "
                    "canInterpolateInputs=\"{}\" canGetAndSetFMUstate=\"true\">\n{}"
                    "  </CoSimulation>\n",
                    name, program.input_rows > 1 ? "true" : "false", files);
}

}  // namespace

std::vector<FmuVariable> fmu_variables(const Program& program) {
  std::vector<FmuVariable> variables;
  std::set<std::string> used;
  add_variables(program.inputs, Role::Input, "", used, variables);
  add_variables(program.outputs, Role::Output, "", used, variables);
  add_variables(program.states, Role::State, "state_", used, variables);
  if (program.has_derivatives) {
    add_variables(program.states, Role::Rate, "rate_", used, variables);
  }
  const std::size_t first = variables.size();
  add_variables(program.parameters, Role::Parameter, "", used, variables);
  for (std::size_t k = first; k < variables.size(); ++k) {
    variables[k].start = program.parameter_values(static_cast<Eigen::Index>(k - first));
  }
  return variables;
}

std::string model_description(const Program& program, const std::vector<FmuVariable>& variables,
                              const std::string& guid, double duration) {
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{}\" guid=\"{}\" "
             "generationTool=\"Alembert {}\" variableNamingConvention=\"flat\" "
             "numberOfEventIndicators=\"0\">\n",
             in_xml(program.options.title), guid, version()) +
         interfaces_text(program) +
         fmt::format("  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                     shortest(program.start_time), shortest(program.start_time + duration),
                     shortest(program.step)) +
         variables_text(variables) + "  <ModelStructure>\n" +
         unknowns("Outputs", variables, {Role::Output}) +
         unknowns("Derivatives", variables, {Role::Rate}) +
         unknowns("InitialUnknowns", variables,
                  program.has_derivatives ? std::set{Role::Output, Role::State, Role::Rate}
                                          : std::set{Role::Output}) +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

}  // namespace alembert::code
