#include "study/tasks/acceleration/read_acceleration.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/equations/read_equation_model.hpp"
#include "study/parts/equations/read_equation_tables.hpp"
#include "study/parts/equations/simulation_keys.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

using identify::Choice;

// An equation whose errors point into the text that a key holds.
identify::MotionEquation read_motion(const TableReader& table, const std::string& key,
                                     const identify::MotionSetup& setup) {
  try {
    return identify::read_motion_equation(table.text(key), setup);
  } catch (const model::EquationError& error) {
    const Place& place = error.place();
    const Place shown =
        place.line > 0 ? table.place_in(key, place.line, place.column) : table.place(key);
    // Errors of the equation itself read as in other studies.
    const bool own = key == "equations";
    throw StudyError(shown, (own ? "" : table.name(key) + ": ") + error.reason());
  }
}

identify::MotionSetup read_motion_setup(const TableReader& model,
                                        const std::vector<NamedColumn>& inputs,
                                        const FileContext& files) {
  identify::MotionSetup setup;
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
  for (const identify::MotionCandidate& other : study.alternatives) {
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
      parameter.guess = one.number("guess");
      parameter.lower = one.optional_number("lower").value_or(parameter.lower);
      parameter.upper = one.optional_number("upper").value_or(parameter.upper);
      parameter.fixed = one.boolean("fixed");
      if (!(parameter.lower <= parameter.guess && parameter.guess <= parameter.upper)) {
        one.fail("guess",
                 fmt::format("must lie within its bounds, got {}", shortest(parameter.guess)));
      }
    }
    study.options.fit.parameters.push_back(parameter);
    study.refinement.parameters.push_back(parameter);
  }
}

// Guesses that belong to the parameters of one equation.
void check_guesses(const TableReader& identify, const AccelerationStudy& study) {
  const identify::MotionEquation& equation = *study.equation;
  for (std::size_t i = 0; i < equation.parameters().size(); ++i) {
    const std::string& name = equation.parameters()[i];
    const bool given =
        std::any_of(study.options.fit.parameters.begin(), study.options.fit.parameters.end(),
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
  if (word == "automatic") return;
  if (word != "never" && word != "always") {
    identify.fail("smoothing",
                  fmt::format("must be automatic, never, always or a number, got "
                              "\"{}\"{}",
                              word, suggestion(word, {"automatic", "never", "always"})));
  }
  options.smoothing = word == "never" ? Choice::Never : Choice::Always;
}

void read_motion_options(const TableReader& identify, AccelerationStudy& study) {
  identify::AccelerationOptions& options = study.options;
  options.windows.length = identify.number("window");
  options.windows.shift = identify.number("shift");
  options.reconstruction.cycle = identify.optional_number("cycle").value_or(0.0);
  options.reconstruction.spline = identify.text("spline") == "cubic"
                                      ? identify::MotionSpline::Cubic
                                      : identify::MotionSpline::Quintic;
  read_smoothing(identify, options.reconstruction);
  options.reconstruction.every = identify.integer("every");
  options.fit.method = identify.text("solution") == "fixed-point"
                           ? identify::MotionMethod::FixedPoint
                           : identify::MotionMethod::VariableProjection;
  options.fit.offset = chosen<Choice>(
      identify, "offset",
      {{"automatic", Choice::Automatic}, {"never", Choice::Never}, {"always", Choice::Always}});
  options.fit.drift = identify.boolean("drift");
  if (options.fit.drift && options.fit.offset == Choice::Never) {
    identify.fail("drift", "= true needs an offset; offset = \"never\" excludes it");
  }
  study.refine = identify.boolean("refine");
  study.refinement.offset = options.fit.offset;
  study.refinement.engine = read_engine(identify);
  study.prediction_part = identify.number("prediction-part");
}

void read_alternatives(const TableReader& identify, const identify::MotionSetup& setup,
                       AccelerationStudy& study) {
  const TableReader compare = identify.table("compare");
  for (const std::string& name : compare.keys()) {
    study.alternatives.push_back({name, read_motion(compare, name, setup)});
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
    study.truth.emplace_back(name, truth.number(name));
  }
}

}  // namespace

std::optional<double> AccelerationStudy::truth_of(const std::string& parameter) const {
  for (const auto& [name, value] : truth) {
    if (name == parameter) return value;
  }
  return std::nullopt;
}

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
    const identify::MotionSetup setup = read_motion_setup(model, inputs, files);
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
      study.static_test = read_static_test(identify.table("static"), files, study.notes);
    }
  });
  return study;
}

}  // namespace alembert::study
