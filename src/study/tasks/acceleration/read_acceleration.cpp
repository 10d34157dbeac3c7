#include "study/tasks/acceleration/read_acceleration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/equations/read_equation_model.hpp"
#include "study/parts/equations/read_equation_tables.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/acceleration/acceleration_keys.hpp"

namespace alembert::study {
namespace {

using identify::Choice;

// An equation whose errors point into the text that a key holds.
identify::EquationOfMotion read_motion(const TableReader& table, const std::string& key,
                                       const identify::EquationOfMotionSetup& setup) {
  try {
    return identify::read_equation_of_motion(table.text(key), setup);
  } catch (const model::EquationError& error) {
    const Place& place = error.place();
    const Place shown =
        place.line > 0 ? table.place_in(key, place.line, place.column) : table.place(key);
    // Errors of the equation itself read as in other studies.
    const bool own = key == "equations";
    throw StudyError(shown, (own ? "" : table.name(key) + ": ") + error.reason());
  }
}

identify::EquationOfMotionSetup read_motion_setup(const TableReader& model,
                                                  const std::vector<NamedColumn>& inputs,
                                                  const FileContext& files) {
  identify::EquationOfMotionSetup setup;
  setup.inputs = mapped(inputs, [](const NamedColumn& one) { return one.name; });
  const TableReader constants = model.table("constants");
  for (const std::string& name : constants.keys()) {
    setup.constants.push_back({name, constants.number(name), ""});
  }
  setup.tables = read_equation_tables(model.table("tables"), false, files);
  return setup;
}

void check_motion_inputs(const TableReader& data, const AccelerationStudy& study) {
  for (const std::string& name : study.equation->model.unused()) {
    const std::vector<std::string>& inputs = study.equation->setup.inputs;
    if (std::find(inputs.begin(), inputs.end(), name) == inputs.end()) continue;
    throw StudyError(data.place("inputs"),
                     fmt::format("data.inputs: the equation does not use \"{}\"", name));
  }
}

void read_motion_parameters(const TableReader& identify, AccelerationStudy& study) {
  const TableReader table = identify.table("parameters");
  std::vector<std::string> known = study.parameters();
  for (const identify::EquationCandidate& other : study.options.alternatives) {
    for (const std::string& name : other.equation.parameters()) known.push_back(name);
  }
  for (const std::string& name : table.keys()) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw StudyError(table.key_place(name),
                       fmt::format("{}: the equation has no parameter \"{}\"{}", table.name(name),
                                   name, suggestion(name, known)));
    }
    optimize::Parameter parameter{.name = name};
    if (table.form(name) == kNumber) {
      parameter.guess = table.number(name);
    } else {
      const TableReader one = table.table(name);
      motion_parameter_keys().read(one, parameter);
      if (!(parameter.lower <= parameter.guess && parameter.guess <= parameter.upper)) {
        one.fail("guess",
                 fmt::format("must lie within its bounds, got {}", shortest(parameter.guess)));
      }
    }
    study.options.parameters.push_back(parameter);
  }
}

// Guesses that belong to the parameters of one equation.
void check_guesses(const TableReader& identify, const AccelerationStudy& study) {
  const identify::EquationOfMotion& equation = *study.equation;
  for (std::size_t i = 0; i < equation.parameters().size(); ++i) {
    const std::string& name = equation.parameters()[i];
    const bool given =
        std::any_of(study.options.parameters.begin(), study.options.parameters.end(),
                    [&](const optimize::Parameter& one) { return one.name == name; });
    if (equation.linear[i] || given) continue;
    throw StudyError(identify.place("parameters"),
                     fmt::format("identify.parameters must give a guess of \"{}\", which does not "
                                 "enter the equation linearly",
                                 name));
  }
}

void read_smoothing(const TableReader& identify, identify::ReconstructionOptions& options) {
  if (identify.form("smoothing") == kNumber) {
    options.smoothing = Choice::Always;
    options.lambda = identify.number("smoothing");
    return;
  }
  const std::string word = identify.text("smoothing");
  const std::optional<Choice> choice = enum_named<Choice>(word);
  if (!choice) {
    identify.fail("smoothing", fmt::format("must be {} or a number, got \"{}\"{}",
                                           join(all_names<Choice>(), ", "), word,
                                           suggestion(word, all_names<Choice>())));
  }
  options.smoothing = *choice;
}

void read_motion_options(const TableReader& identify, AccelerationStudy& study) {
  acceleration_keys().read(identify, study.options);
  identify::RegressionOptions& options = study.options.regression;
  read_smoothing(identify, options.reconstruction);
  if (options.fit.drift && options.fit.offset == Choice::Never) {
    identify.fail("drift", "= true needs an offset; offset = \"never\" excludes it");
  }
  // One key for two fields.
  study.options.refinement.offset = options.fit.offset;
}

void read_alternatives(const TableReader& identify, const identify::EquationOfMotionSetup& setup,
                       AccelerationStudy& study) {
  const TableReader compare = identify.table("compare");
  for (const std::string& name : compare.keys()) {
    study.options.alternatives.push_back({name, read_motion(compare, name, setup)});
  }
}

void read_motion_truth(const TableReader& truth, AccelerationStudy& study) {
  for (const std::string& name : truth.keys()) {
    const std::vector<std::string>& known = study.parameters();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw StudyError(truth.key_place(name),
                       fmt::format("truth.{}: the equation has no parameter \"{}\"{}", name, name,
                                   suggestion(name, known)));
    }
    study.options.truth.emplace_back(name, truth.number(name));
  }
}

}  // namespace

AccelerationStudy read_acceleration(const TableReader& root, const FileContext& files,
                                    std::vector<Problem>& problems) {
  AccelerationStudy study;
  const TableReader data = root.table("data");
  const TableReader model = root.table("model");
  const TableReader identify = root.table("identify");
  std::vector<NamedColumn> inputs;
  attempt(problems, [&] {
    if (data.has("inputs")) inputs = read_named_columns(data, "inputs", "u");
  });
  attempt(problems, [&] { read_motion_options(identify, study); });
  if (!problems.empty()) return study;
  const bool understood = attempt(problems, [&] {
    study.equations = model.text("equations");
    const identify::EquationOfMotionSetup setup = read_motion_setup(model, inputs, files);
    study.equation = read_motion(model, "equations", setup);
    check_motion_inputs(data, study);
    read_alternatives(identify, setup, study);
    read_motion_parameters(identify, study);
    check_guesses(identify, study);
    read_motion_truth(root.table("truth"), study);
  });
  if (!understood) return study;
  attempt(problems, [&] { read_motion_records(data, inputs, files, study); });
  attempt(problems, [&] {
    if (identify.has("static")) {
      study.options.static_test = read_static_test(identify.table("static"), files, study.notes);
    }
  });
  return study;
}

}  // namespace alembert::study
