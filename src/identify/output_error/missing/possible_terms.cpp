#include "identify/output_error/missing/possible_terms.hpp"

#include <cmath>
#include <optional>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using model::AddedTerm;
using model::TermForm;

// Dry friction is as good as a jump for motions this many times as fast.
constexpr double kWidth = 0.01;
// Of a model with many states and inputs those of the inputs are left out first.
constexpr std::size_t kMostTerms = 80;

// The state whose derivative this one is.
std::optional<std::size_t> position_of(const model::EquationModel& model, std::size_t state) {
  for (std::size_t k = 0; k < model.states().size(); ++k) {
    if (model::velocity_of(model, k) == state) return k;
  }
  return {};
}

bool is_still(const MatrixXd& values, std::size_t column) {
  const auto one = values.col(static_cast<Index>(column)).array();
  return !(one.maxCoeff() > one.minCoeff());
}

// Dry friction is then an offset, and drag a square.
bool keeps_its_sign(const MatrixXd& values, std::size_t column) {
  const auto one = values.col(static_cast<Index>(column)).array();
  return one.minCoeff() >= 0.0 || one.maxCoeff() <= 0.0;
}

void add_own(const model::EquationModel& model, const MatrixXd& states, std::size_t k,
             std::vector<AddedTerm>& terms) {
  const std::optional<std::size_t> position = position_of(model, k);
  const auto add = [&](TermForm form, std::size_t of, double width = 0.0) {
    terms.push_back({.equation = k, .form = form, .argument = of, .width = width});
  };
  add(TermForm::Constant, k);
  if (!is_still(states, k)) {
    add(TermForm::Linear, k);
    const bool one_way = keeps_its_sign(states, k);
    if (!one_way) add(TermForm::SmoothSign, k, friction_width(states.col(static_cast<Index>(k))));
    if (!one_way || position) add(TermForm::Drag, k);
  }
  const std::size_t place = position.value_or(k);
  if (is_still(states, place)) return;
  if (position) add(TermForm::Linear, place);
  add(TermForm::Square, place);
  add(TermForm::Cube, place);
}

void add_inputs(const model::EquationModel& model, const MatrixXd& inputs, std::size_t k,
                std::vector<AddedTerm>& terms) {
  for (std::size_t i = 0; i < model.inputs().size(); ++i) {
    if (is_still(inputs, i)) continue;
    for (const TermForm form : {TermForm::Square, TermForm::Cube}) {
      terms.push_back({.equation = k, .form = form, .of_input = true, .argument = i});
    }
  }
}

}  // namespace

double friction_width(const Eigen::Ref<const Eigen::VectorXd>& velocity) {
  const double size = std::sqrt(velocity.squaredNorm() / static_cast<double>(velocity.size()));
  const double unit = std::pow(10.0, std::floor(std::log10(kWidth * size)) - 1.0);
  return std::round(kWidth * size / unit) * unit;
}

std::vector<AddedTerm> possible_terms(const model::EquationModel& model, const MatrixXd& states,
                                      const MatrixXd& inputs) {
  std::vector<AddedTerm> terms, more;
  for (std::size_t k = 0; k < model.states().size(); ++k) {
    if (model::velocity_of(model, k)) continue;
    add_own(model, states, k, terms);
    add_inputs(model, inputs, k, more);
  }
  if (terms.size() > kMostTerms) return {};
  if (terms.size() + more.size() <= kMostTerms) {
    terms.insert(terms.end(), more.begin(), more.end());
  }
  return terms;
}

}  // namespace alembert::identify
