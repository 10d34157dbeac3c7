#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/tasks/identify/read_identify.hpp"

namespace alembert::study {
namespace {

const std::vector<std::pair<StartMethod, std::string>>& start_names() {
  static const std::vector<std::pair<StartMethod, std::string>> names = {
      {StartMethod::WeakForm, "weak-form"},
      {StartMethod::Partial, "partial"},
      {StartMethod::Subspace, "subspace"},
      {StartMethod::Published, "published"},
      {StartMethod::Model, "model"}};
  return names;
}

const std::vector<std::pair<RivalMethod, std::string>>& rival_names() {
  static const std::vector<std::pair<RivalMethod, std::string>> names = {
      {RivalMethod::WeakForm, "weak-form"},
      {RivalMethod::Rival, "rival"},
      {RivalMethod::PublishedStart, "published-start"},
      {RivalMethod::Published, "published"},
      {RivalMethod::GreyBox, "grey-box"},
      {RivalMethod::Exact, "exact"},
      {RivalMethod::Midpoint, "midpoint"},
      {RivalMethod::Gauss, "gauss"}};
  return names;
}

template <typename Method>
Method method_named(const std::vector<std::pair<Method, std::string>>& names,
                    const std::string& name) {
  return std::find_if(names.begin(), names.end(),
                      [&](const auto& pair) { return pair.second == name; })
      ->first;
}

template <typename Method>
std::string name_of_method(const std::vector<std::pair<Method, std::string>>& names,
                           Method method) {
  return std::find_if(names.begin(), names.end(),
                      [&](const auto& pair) { return pair.first == method; })
      ->second;
}

/// What sensors and forces allow.
struct Abilities {
  std::string weak_form, partial, subspace, nominal;  ///< why not; "" if the method can be used
};

Abilities abilities(const IdentifyStudy& study) {
  Abilities result;
  const Eigen::MatrixXd& L = study.model.system.L;
  const auto n = static_cast<std::size_t>(L.rows());
  const LikeOutputs like = like_outputs(study.outputs);
  if (like.outputs.size() < n) {
    result.weak_form =
        fmt::format("needs one kind of motion at all {} coordinates, {} of {} is measured", n,
                    name_of(like.motion), like.outputs.size());
  }
  if (like.outputs.empty()) {
    result.partial = "needs a sensor at a single coordinate";
  }
  result.subspace = result.weak_form;
  if (result.subspace.empty() && like.motion != model::Motion::Displacement) {
    result.subspace =
        fmt::format("needs displacements, the sensors measure {}", name_of(like.motion));
  }
  if (result.subspace.empty() && L.cols() != L.rows()) {
    result.subspace =
        fmt::format("needs as many forces as coordinates, {}, got {}", L.rows(), L.cols());
  }
  if (!study.has_nominal()) {
    result.nominal = "needs a nominal model: mass and stiffness in [model]";
  }
  return result;
}

const std::string& why_not(const Abilities& can, StartMethod method) {
  switch (method) {
    case StartMethod::WeakForm:
      return can.weak_form;
    case StartMethod::Partial:
      return can.partial;
    case StartMethod::Model:
      return can.nominal;
    default:
      return can.subspace;
  }
}

std::string why_not(const Abilities& can, RivalMethod method) {
  switch (method) {
    case RivalMethod::WeakForm:
      return can.weak_form;
    case RivalMethod::Rival:
    case RivalMethod::PublishedStart:
    case RivalMethod::Published:
      return can.subspace;
    case RivalMethod::GreyBox:
      return can.nominal;
    default:
      return "";
  }
}

StartMethod chosen_start(const TableReader& identify, const Abilities& can) {
  if (identify.has("start")) {
    const StartMethod method = method_named(start_names(), identify.text("start"));
    if (!why_not(can, method).empty()) {
      identify.fail("start", fmt::format("= \"{}\" {}", to_string(method), why_not(can, method)));
    }
    return method;
  }
  if (can.weak_form.empty()) return StartMethod::WeakForm;
  if (can.partial.empty()) return StartMethod::Partial;
  if (can.nominal.empty()) return StartMethod::Model;
  throw StudyError(identify.place("start"),
                   "[identify] has no start for these sensors: each is a combination of "
                   "coordinates; give a nominal model (mass and stiffness in [model])");
}

void read_compare(const TableReader& identify, const Abilities& can, IdentifySettings& settings) {
  if (!identify.has("compare")) return;
  for (const std::string& name : identify.texts("compare")) {
    const RivalMethod method = method_named(rival_names(), name);
    if (std::find(settings.compare.begin(), settings.compare.end(), method) !=
        settings.compare.end()) {
      identify.fail("compare", fmt::format("must hold different methods, got \"{}\" twice", name));
    }
    if (!why_not(can, method).empty()) {
      throw StudyError(
          identify.place("compare"),
          fmt::format("{}: \"{}\" {}", identify.name("compare"), name, why_not(can, method)));
    }
    settings.compare.push_back(method);
  }
}

identify::RefineOptions refine_options(const TableReader& table) {
  identify::RefineOptions options;
  const std::string method = table.text("refine");
  options.method = method == "midpoint" ? integrate::Method::Variational
                   : method == "gauss"  ? integrate::Method::Gauss
                                        : integrate::Method::Exact;
  const std::string hold = table.text("hold");
  options.hold = hold == "zero"     ? integrate::Hold::Zero
                 : hold == "linear" ? integrate::Hold::Linear
                                    : integrate::Hold::Cubic;
  options.gauss_stages = static_cast<int>(table.integer("stages"));
  options.free_start = table.boolean("free-start");
  options.max_iterations = static_cast<int>(table.integer("max-iterations"));
  options.tolerance = table.number("tolerance");
  return options;
}

identify::SubspaceOptions subspace_options(const TableReader& table) {
  identify::SubspaceOptions options;
  if (table.has("horizon")) options.horizon = table.integer("horizon");
  const std::string weighting = table.text("weighting");
  options.weighting = weighting == "cva"     ? identify::SubspaceWeighting::Cva
                      : weighting == "n4sid" ? identify::SubspaceWeighting::N4sid
                                             : identify::SubspaceWeighting::Moesp;
  return options;
}

// Keys and whether something that the study asks for looks at them.
std::vector<std::pair<std::string, bool>> keys_in_use(const IdentifySettings& settings) {
  using integrate::Method;
  const auto compares = [&](RivalMethod method) {
    return std::find(settings.compare.begin(), settings.compare.end(), method) !=
           settings.compare.end();
  };
  const auto starts = [&](StartMethod method) { return settings.start == method; };
  const bool published = starts(StartMethod::Published) || compares(RivalMethod::Published) ||
                         compares(RivalMethod::PublishedStart);
  const bool rival = starts(StartMethod::Subspace) || compares(RivalMethod::Rival);
  const bool weak = starts(StartMethod::WeakForm) || compares(RivalMethod::WeakForm);
  const bool refines = settings.refine || compares(RivalMethod::Published) ||
                       compares(RivalMethod::GreyBox) || compares(RivalMethod::Exact) ||
                       compares(RivalMethod::Midpoint) || compares(RivalMethod::Gauss);
  const bool gauss = (settings.refine && settings.refinement.method == Method::Gauss) ||
                     compares(RivalMethod::Gauss);
  const bool held = weak || starts(StartMethod::Partial) || gauss ||
                    settings.refinement.method == Method::Exact || compares(RivalMethod::Exact) ||
                    compares(RivalMethod::GreyBox);
  return {{"window", weak},
          {"candidates", starts(StartMethod::Partial)},
          {"horizon", rival || published},
          {"weighting", rival || published},
          {"mass-scaling", rival},
          {"published-input", published},
          {"hold", held},
          {"stages", gauss},
          {"max-iterations", refines},
          {"tolerance", refines}};
}

// A key that no chosen method looks at must not pass in silence. If the command line chose the
// method, the key was right for the study as written and is noted only.
void check_keys_in_use(const TableReader& identify, IdentifyStudy& study,
                       std::vector<Problem>& problems) {
  const std::string file = identify.place_of({}).file;
  const auto from_command_line = [&](const std::string& key) {
    return identify.has(key) && identify.place(key).file != file;
  };
  const bool changed =
      from_command_line("start") || from_command_line("refine") || from_command_line("compare");
  for (const auto& [key, used] : keys_in_use(study.settings)) {
    if (used || !identify.has(key)) continue;
    const std::string message =
        fmt::format("{} has no effect with start = \"{}\" and refine = \"{}\"", identify.name(key),
                    to_string(study.settings.start), identify.text("refine"));
    if (changed && identify.key_place(key).file == file) {
      study.notes.push_back(message);
    } else {
      problems.push_back({identify.key_place(key), message});
    }
  }
}

// Free matrices can only be told if every coordinate is sensed or driven and one is both.
void check_coverage(const TableReader& root, const IdentifyStudy& study) {
  const identify::Coverage covered =
      identify::coverage(study.model.system.L, output_map(study), study.model.coordinates);
  if (covered.identifiable) return;
  // In [monte-carlo] the simulated sensors are the outputs.
  const bool simulated = root.has("monte-carlo");
  const TableReader table = root.table(simulated ? "simulate" : "data");
  const std::string key = simulated ? "sensors" : "outputs";
  throw StudyError(table.place(key), table.name(key) +
                                         ": M, D and K cannot be told from these sensors and "
                                         "forces: " +
                                         covered.advice);
}

}  // namespace

std::string to_string(StartMethod method) { return name_of_method(start_names(), method); }
std::string to_string(RivalMethod method) { return name_of_method(rival_names(), method); }

void read_settings(const TableReader& root, bool all_free, IdentifyStudy& study,
                   std::vector<Problem>& problems) {
  const TableReader table = root.table("identify");
  IdentifySettings& settings = study.settings;
  settings.refine = table.text("refine") != "none";
  settings.refinement = refine_options(table);
  settings.subspace = subspace_options(table);
  settings.window = table.optional_number("window").value_or(0.0);
  settings.candidates = static_cast<int>(table.integer("candidates"));
  settings.mass_scaling = table.text("mass-scaling") == "static-gain"
                              ? identify::MassScaling::StaticGain
                              : identify::MassScaling::Markov;
  settings.published_input = table.text("published-input") == "samples"
                                 ? identify::VariationalInput::Samples
                                 : identify::VariationalInput::DiscreteForce;
  const Abilities can = abilities(study);
  const bool ready = attempt(problems, [&] {
    settings.start = chosen_start(table, can);
    const bool named = table.has("start");
    if (!named && settings.start == StartMethod::WeakForm && can.partial.empty()) {
      settings.second_start = StartMethod::Partial;
    }
    read_compare(table, can, settings);
  });
  if (!ready) return;
  check_keys_in_use(table, study, problems);
  if (all_free) attempt(problems, [&] { check_coverage(root, study); });
}

void check_settings_on_data(const TableReader& root, const IdentifyStudy& study,
                            std::vector<Problem>& problems) {
  if (!identify::has_missing(study.data.experiments)) return;
  const TableReader table = root.table("identify");
  const IdentifySettings& settings = study.settings;
  const std::string reason = "cannot use data with missing samples; fill the gaps first";
  if (settings.start == StartMethod::Subspace || settings.start == StartMethod::Published) {
    problems.push_back({table.place("start"), fmt::format("identify.start = \"{}\" {}",
                                                          to_string(settings.start), reason)});
  }
  for (const RivalMethod method : settings.compare) {
    if (method == RivalMethod::Rival || method == RivalMethod::Published ||
        method == RivalMethod::PublishedStart) {
      problems.push_back({table.place("compare"),
                          fmt::format("identify.compare: \"{}\" {}", to_string(method), reason)});
    }
  }
}

}  // namespace alembert::study
