#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "code/text/c_text.hpp"

namespace alembert::code {

namespace {

/// A list of signals and what it is called in the program.
struct List {
  const char* kind;  ///< "input"
  const std::vector<Signal>& signals;
};

std::vector<List> lists_of(const Program& program) {
  return {{"input", program.inputs},
          {"state", program.states},
          {"output", program.outputs},
          {"parameter", program.parameters}};
}

// The constants of a list; names that become the same get their number.
std::string constants_text(const List& list, const ProgramOptions& options) {
  if (list.signals.empty()) return "";
  std::set<std::string> used = {"ROWS"};  // ^_INPUT_ROWS is taken
  std::string text = filled(fmt::format("\nenum @_{} {{\n", list.kind), options);
  for (std::size_t k = 0; k < list.signals.size(); ++k) {
    const Signal& signal = list.signals[k];
    std::string name = c_name(signal.name);
    if (!used.insert(name).second) {
      name += fmt::format("_{}", k);
      used.insert(name);
    }
    text += filled("  ^_", options) + fmt::format("{}_{} = {}{}", in_capitals(list.kind), name, k,
                                                  k + 1 < list.signals.size() ? "," : "");
    text += " /* " + in_comment(signal.name);
    text += signal.unit.empty() ? " */\n" : " in " + in_comment(signal.unit) + " */\n";
  }
  return text + "};\n";
}

constexpr const char* kOpen = R"(#ifndef ^_H
#define ^_H

#ifdef __cplusplus
extern "C" {
#endif

typedef {type} @_real;

)";

constexpr const char* kModel = R"(
/* All that a model remembers: memory of the caller, nothing else is kept. */
typedef struct {
  unsigned long sample; /* steps since the start */
  @_real state[{states}];
  @_real parameter[{parameters}];
  @_real prepared[{prepared}]; /* what depends on parameters alone */
} @_model;

/* Names, in the order of the arrays; a list that is empty holds one empty name. */
extern const char *const @_input_names[{inputs}];
extern const char *const @_state_names[{states}];
extern const char *const @_output_names[{outputs}];
extern const char *const @_parameter_names[{parameters}];

)";

constexpr const char* kClose = R"(
#ifdef __cplusplus
}
#endif

#endif
)";

std::string sizes_text(const Program& program) {
  std::string text = "enum {\n";
  for (const List& list : lists_of(program)) {
    text += fmt::format("  ^_{}S = {},\n", in_capitals(list.kind), list.signals.size());
  }
  text += fmt::format("  ^_MEASURED = {},\n", program.measured.size());
  text += fmt::format("  ^_INPUT_ROWS = {} /* rows of inputs that a step takes */\n}};\n",
                      program.input_rows);
  text +=
      fmt::format("#define ^_STEP {} /* s */\n", c_number(program.step, program.options.number));
  return filled(text, program.options);
}

std::string at_least_one(std::size_t size) {
  return std::to_string(std::max<std::size_t>(1, size));
}

std::string names_text(const List& list, const ProgramOptions& options) {
  std::string text = filled(fmt::format("const char *const @_{}_names[{}] = {{", list.kind,
                                        at_least_one(list.signals.size())),
                            options);
  if (list.signals.empty()) text += "\"\"";
  for (std::size_t k = 0; k < list.signals.size(); ++k) {
    std::string name = in_comment(list.signals[k].name);
    std::replace(name.begin(), name.end(), '"', '\'');
    text += fmt::format("{}\"{}\"", k > 0 ? ", " : "", name);
  }
  return text + "};\n";
}

}  // namespace

std::string header_text(const Program& program, const std::string& functions) {
  const ProgramOptions& options = program.options;
  const bool single = options.number == model::CNumber::Float;
  std::string text = "/* " + in_comment(options.title) +
                     "\n   Written by alembert export. C99; needs math.h alone. */\n";
  text += filled(replaced(kOpen, "{type}", single ? "float" : "double"), options);
  text += sizes_text(program);
  for (const List& list : lists_of(program)) text += constants_text(list, options);
  std::string model = kModel;
  for (const List& list : lists_of(program)) {
    model = replaced(model, fmt::format("{{{}s}}", list.kind), at_least_one(list.signals.size()));
  }
  model = replaced(model, "{prepared}", at_least_one(program.prepared));
  return text + filled(model + functions + kClose, options);
}

std::string source_head(const Program& program) {
  const ProgramOptions& options = program.options;
  std::string text = "/* " + in_comment(options.title) + "; see " + options.name + ".h. */\n";
  text += filled("#include \"@.h\"\n\n#include <math.h>\n\ntypedef @_real real;\n\n", options);
  for (const List& list : lists_of(program)) text += names_text(list, options);
  return text;
}

}  // namespace alembert::code
