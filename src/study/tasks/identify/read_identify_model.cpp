#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "core/mapped.hpp"
#include "study/parts/linear/read_elements.hpp"
#include "study/parts/linear/read_model.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/identify/read_identify.hpp"

namespace alembert::study {
namespace {

using identify::EntryRule;

Eigen::Index coordinate_count(const TableReader& model, const model::SecondOrder& nominal) {
  const Eigen::Index rows = nominal.M.rows();
  const bool named = model.has("coordinates");
  if (!named && !model.has("degrees-of-freedom") && rows == 0) {
    throw StudyError(model.place("coordinates"),
                     "[model] needs at least one of the keys coordinates, degrees-of-freedom, "
                     "mass: how many coordinates there are");
  }
  const std::string key = named ? "coordinates" : "degrees-of-freedom";
  const Eigen::Index count = named            ? static_cast<Eigen::Index>(model.texts(key).size())
                             : model.has(key) ? model.integer(key)
                                              : rows;
  if (rows > 0 && rows != count) {
    model.fail(key, fmt::format("must agree with model.mass, {} coordinates, got {}", rows, count));
  }
  return count;
}

model::SecondOrder read_nominal(const TableReader& model, const FileContext& files) {
  if (!model.has("mass") && !model.has("stiffness") && !model.has("damping")) {
    return {};
  }
  for (const char* key : {"mass", "stiffness"}) {
    if (!model.has(key)) {
      throw StudyError(
          model.place(key),
          fmt::format("[model] needs the key \"{}\": a nominal model needs both mass and stiffness",
                      key));
    }
  }
  return read_matrices(model, files);
}

// With names of their own the inputs of the model decide on the order; all must be there.
void sort_inputs(const TableReader& model, std::vector<NamedColumn>& inputs) {
  if (!model.has("inputs")) {
    return;
  }
  const std::vector<std::string> names =
      read_names(model, "inputs", static_cast<Eigen::Index>(inputs.size()), "u");
  if (inputs.front().listed) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].name = names[i];
    }
    return;
  }
  std::vector<NamedColumn> sorted;
  for (const std::string& name : names) {
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const NamedColumn& input) { return input.name == name; });
    if (found == inputs.end()) {
      model.fail("inputs", fmt::format("names \"{}\", which data.inputs does not give{}", name,
                                       suggestion(name, mapped(inputs, [](const NamedColumn& one) {
                                                    return one.name;
                                                  }))));
    }
    sorted.push_back(*found);
  }
  inputs = std::move(sorted);
}

Eigen::MatrixXd identify_forces(const TableReader& model, const FileContext& files,
                                const std::vector<std::string>& coordinates, Eigen::Index inputs) {
  const auto n = static_cast<Eigen::Index>(coordinates.size());
  if (!model.has("forces") && inputs != n) {
    throw StudyError(
        model.place("forces"),
        fmt::format("[model] needs the key \"forces\": which of the {} coordinates the "
                    "input{} of [data] drive{}",
                    n, inputs == 1 ? "" : "s", inputs == 1 ? "s" : ""));
  }
  const Eigen::MatrixXd L = read_forces(model, files, coordinates);
  if (L.cols() != inputs) {
    model.fail("forces", fmt::format("must have one column for each of the {} inputs of [data], "
                                     "got {}",
                                     inputs, L.cols()));
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
  try {
    (void)model::check_second_order({one, one, one, L});
  } catch (const InvalidInput& error) {
    model.fail("forces", "is of no use: " + error.reason());
  }
  return L;
}

// "K13", "K1,13": matrix, row and column, counted from 0 on return.
struct EntryPlace {
  char matrix = 'M';
  Eigen::Index row = 0, column = 0;
};

bool read_index(std::string_view digits, Eigen::Index n, Eigen::Index& index) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return false;
  }
  return index >= 1 && index-- <= n;
}

std::optional<EntryPlace> entry_at(std::string_view text, Eigen::Index n) {
  if (text.size() < 3 || std::string_view("MDK").find(text.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  EntryPlace place{.matrix = text.front()};
  const std::string_view rest = text.substr(1);
  const std::size_t comma = rest.find(',');
  const bool plain = comma == std::string_view::npos;
  if (plain && rest.size() != 2) {
    return std::nullopt;
  }
  const std::string_view first = plain ? rest.substr(0, 1) : rest.substr(0, comma);
  const std::string_view second = plain ? rest.substr(1) : rest.substr(comma + 1);
  if (!read_index(first, n, place.row) || !read_index(second, n, place.column)) {
    return std::nullopt;
  }
  if (place.row < place.column) {
    std::swap(place.row, place.column);
  }
  return place;
}

std::string entry_rule_words(Eigen::Index n) {
  return n < 10 ? fmt::format("must be an entry such as K21, with row and column up to {}", n)
                : fmt::format("must be an entry such as \"K2,1\", with row and column up to {}", n);
}

EntryPlace entry_key(const TableReader& table, const std::string& key, Eigen::Index n) {
  const std::optional<EntryPlace> place = entry_at(key, n);
  if (!place) {
    table.fail_at_key(key, fmt::format("{} {}", table.name(key), entry_rule_words(n)));
  }
  return *place;
}

// "K11", "-K12", "0.5 K12": a factor and an entry.
EntryRule tied_rule(const TableReader& tied, const std::string& key, Eigen::Index n) {
  const EntryPlace place = entry_key(tied, key, n);
  const std::string text = tied.text(key);
  const std::size_t letter = text.find_first_of("MDK");
  std::string factor(trimmed(text.substr(0, std::min(letter, text.size()))));
  if (!factor.empty() && factor.back() == '*') {
    factor = std::string(trimmed(factor.substr(0, factor.size() - 1)));
  }
  double value = factor.empty() ? 1.0 : -1.0;
  bool good = letter != std::string::npos;
  if (good && !factor.empty() && factor != "-") {
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), value);
    good = error == std::errc() && end == factor.data() + factor.size();
  }
  const std::optional<EntryPlace> other =
      good ? entry_at(trimmed(std::string_view(text).substr(letter)), n) : std::nullopt;
  if (!other) {
    tied.fail(key, fmt::format("{}, with a factor or not, got \"{}\"", entry_rule_words(n), text));
  }
  return {.kind = EntryRule::Kind::Tied,
          .matrix = place.matrix,
          .row = place.row,
          .column = place.column,
          .value = value,
          .other_matrix = other->matrix,
          .other_row = other->row,
          .other_column = other->column};
}

identify::StructureOptions structure_options(const TableReader& model, Eigen::Index n) {
  identify::StructureOptions options;
  options.diagonal_mass = model.text("mass-structure") == "diagonal";
  options.proportional_damping = model.text("damping-structure") == "proportional";
  const TableReader fixed = model.table("fixed");
  for (const std::string& key : fixed.keys()) {
    const EntryPlace place = entry_key(fixed, key, n);
    options.rules.push_back({.kind = EntryRule::Kind::Fixed,
                             .matrix = place.matrix,
                             .row = place.row,
                             .column = place.column,
                             .value = fixed.number(key)});
  }
  const TableReader tied = model.table("tied");
  for (const std::string& key : tied.keys()) {
    options.rules.push_back(tied_rule(tied, key, n));
  }
  return options;
}

std::string structure_words(const TableReader& model, const identify::StructureOptions& options) {
  std::vector<std::string> parts;
  parts.push_back(options.diagonal_mass ? "diagonal M" : "full symmetric M");
  parts.push_back(options.proportional_damping ? "D = alpha M + beta K" : "full symmetric D");
  parts.push_back("full symmetric K");
  if (!options.diagonal_mass && !options.proportional_damping) {
    parts = {"full symmetric M, D, K"};
  }
  for (const char* key : {"fixed", "tied"}) {
    const std::size_t count = model.table(key).keys().size();
    if (count > 0) {
      parts.push_back(fmt::format("{} entr{} {}", count, count == 1 ? "y" : "ies", key));
    }
  }
  return join(parts, ", ");
}

}  // namespace

LinearModel read_identify_model(const TableReader& model, std::vector<NamedColumn>& inputs,
                                const FileContext& files) {
  LinearModel result;
  result.system = read_nominal(model, files);
  const Eigen::Index n = coordinate_count(model, result.system);
  result.coordinates = read_names(model, "coordinates", n, "q");
  if (index_of(result.coordinates, "ground") >= 0) {
    model.fail("coordinates", "must not hold \"ground\", the point that does not move");
  }
  sort_inputs(model, inputs);
  result.inputs = mapped(inputs, [](const NamedColumn& input) { return input.name; });
  result.system.L =
      identify_forces(model, files, result.coordinates, static_cast<Eigen::Index>(inputs.size()));
  read_unit_labels(model.table("units"), result);
  return result;
}

bool read_structure(const TableReader& model, IdentifyStudy& study) {
  const auto n = static_cast<Eigen::Index>(study.model.coordinates.size());
  if (model.has("elements")) {
    for (const char* key : {"mass-structure", "damping-structure", "fixed", "tied"}) {
      if (model.has(key)) {
        model.fail_at_key(key, fmt::format("{} has no place beside model.elements, which say all "
                                           "about the matrices",
                                           model.name(key)));
      }
    }
    study.settings.unknowns = read_elements(model.table("elements"), study.model.coordinates);
    study.structure = fmt::format("{} lumped elements", model.table("elements").keys().size());
    return false;
  }
  const identify::StructureOptions options = structure_options(model, n);
  study.structure = structure_words(model, options);
  try {
    study.settings.unknowns = identify::structured_matrices(n, options);
  } catch (const InvalidInput& error) {
    const char* key = model.has("tied") ? "tied" : "fixed";
    model.fail_at_key(key, fmt::format("{}: {}", model.name(key), error.reason()));
  }
  if (study.settings.unknowns.size() == 0) {
    model.fail_at_key("fixed", "model.fixed leaves nothing unknown");
  }
  return options.rules.empty() && !options.diagonal_mass && !options.proportional_damping;
}

}  // namespace alembert::study
