#include "model/planar/lowered/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"

namespace alembert::model::planar {

namespace {

/// Finds the names, and remembers which were found.
class NamedNumbers {
 public:
  NamedNumbers(const std::vector<std::string>& names, equations::Graph* graph)
      : names_(names), graph_(graph), values_(names.size(), 0.0), found_(names.size(), false) {}

  /// A leaf where the name is wanted, else the number itself.
  Term operator()(const std::string& name, double value) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at == names_.end()) return value;
    const auto index = static_cast<std::size_t>(at - names_.begin());
    values_[index] = value;
    found_[index] = true;
    if (graph_ == nullptr) return value;
    return {*graph_, graph_->leaf(equations::Op::Parameter, index)};
  }

  void check() const {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i]) continue;
      throw InvalidInput({.function = "CompiledMechanism",
                          .argument = "parameters",
                          .rule = "must be numbers of the mechanism such as \"BODY.mass\"",
                          .value = fmt::format("\"{}\"", names_[i])});
    }
  }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  const std::vector<std::string>& names_;
  equations::Graph* graph_;
  std::vector<double> values_;
  std::vector<bool> found_;
};

TermPassive passive_terms(const PassiveForce& given, NamedNumbers& named) {
  const auto term = [&](const char* which, double value) {
    return named(given.name + which, value);
  };
  TermPassive made;
  made.stiffness = term(".stiffness", given.stiffness);
  made.free = term(".free", given.free);
  made.preload = term(".preload", given.preload);
  made.damping = term(".damping", given.damping);
  made.coulomb = term(".coulomb", given.coulomb);
  made.breakaway = given.breakaway ? term(".breakaway", *given.breakaway) : made.coulomb;
  made.stribeck_rate = term(".stribeck-rate", given.stribeck_rate);
  made.smooth_rate = term(".smooth-rate", given.smooth_rate);
  made.rubs = !made.breakaway.is(0.0) || !made.coulomb.is(0.0);
  return made;
}

// s = s0 + Σ p_k d_k of a point.
std::array<Term, 2> placed(const Layout& layout, std::size_t point,
                           const std::vector<Term>& lengths) {
  std::array<Term, 2> at{layout.points[point].at.x(), layout.points[point].at.y()};
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const Eigen::Vector2d& move = layout.moves[k][point];
    at[0] = at[0] + lengths[k] * Term(move.x());
    at[1] = at[1] + lengths[k] * Term(move.y());
  }
  return at;
}

TermNumbers numbers_of(const MechanismDescription& description, const Layout& layout,
                       const Eigen::VectorXd& lengths, NamedNumbers& named) {
  TermNumbers made;
  for (const Body& body : description.bodies) {
    if (body.name == "ground") continue;
    TermBody one;
    one.mass = named(body.name + ".mass", body.mass);
    one.inertia = named(body.name + ".inertia", body.inertia);
    one.centre = {named(body.name + ".centre.x", body.centre.x()),
                  named(body.name + ".centre.y", body.centre.y())};
    made.bodies.push_back(one);
  }
  for (const PassiveForce& passive : description.passive) {
    made.passive.push_back(passive_terms(passive, named));
  }
  for (const Force& force : description.forces) {
    made.gains.push_back(named(force.name + ".gain", 1.0));
  }
  std::vector<Term> p;
  for (std::size_t k = 0; k < description.parameters.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    p.push_back(named(description.parameters[k].name, at < lengths.size() ? lengths(at) : 0.0));
  }
  made.points.points = layout.points.data();
  for (std::size_t i = 0; i < layout.points.size(); ++i) {
    made.points.at.push_back(placed(layout, i, p));
  }
  return made;
}

}  // namespace

TermNumbers make_numbers(const MechanismDescription& description, const Layout& layout,
                         const Eigen::VectorXd& lengths, const std::vector<std::string>& names,
                         equations::Graph& graph) {
  NamedNumbers named(names, &graph);
  TermNumbers made = numbers_of(description, layout, lengths, named);
  named.check();
  return made;
}

std::vector<double> given_values(const MechanismDescription& description, const Layout& layout,
                                 const Eigen::VectorXd& lengths,
                                 const std::vector<std::string>& names) {
  NamedNumbers named(names, nullptr);
  (void)numbers_of(description, layout, lengths, named);
  named.check();
  return named.values();
}

}  // namespace alembert::model::planar
