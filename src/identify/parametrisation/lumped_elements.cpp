#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

void check_element(const Element& element, std::size_t number, Index n) {
  const auto fail = [&](const std::string& rule) {
    throw InvalidInput({.function = "lumped_elements",
                        .item = fmt::format("element {} '{}'", number + 1, element.name),
                        .rule = std::string(rule)});
  };
  if (element.direction.size() != n) {
    fail(fmt::format("must have a direction of {} numbers, got {}", n, element.direction.size()));
  }
  if (!element.direction.allFinite()) fail("must have a finite direction");
  if (element.direction.isZero(0.0)) fail("must have a direction that is not zero");
  if (element.fixed && !std::isfinite(element.value)) fail("must have a finite value");
  if (!element.fixed && element.name.empty()) fail("must have a name");
}

Index first_place(Element::Kind kind, Index n) {
  const Index part = kind == Element::Kind::Mass ? 0 : kind == Element::Kind::Damper ? 1 : 2;
  return part * half_size(n);
}

// The column of an unknown, new at its first use; elements of one name must be of one kind.
Index column_of(const Element& element, std::vector<Element::Kind>& kinds,
                Parametrisation& result) {
  const auto found = std::find(result.names.begin(), result.names.end(), element.name);
  const std::size_t column = static_cast<std::size_t>(found - result.names.begin());
  if (found == result.names.end()) {
    result.names.push_back(element.name);
    kinds.push_back(element.kind);
  } else if (kinds[column] != element.kind) {
    throw InvalidInput({.function = "lumped_elements",
                        .item = fmt::format("elements named '{}'", element.name),
                        .rule = "must be of one kind",
                        .value = "two"});
  }
  return static_cast<Index>(column);
}

}  // namespace

Parametrisation lumped_elements(Index degrees_of_freedom, const std::vector<Element>& elements) {
  const Index n = degrees_of_freedom;
  check::at_least("lumped_elements", "degrees_of_freedom", n, 1);
  Parametrisation result;
  result.degrees_of_freedom = n;
  result.offset = Eigen::VectorXd::Zero(3 * half_size(n));
  std::vector<Eigen::Triplet<double>> triplets;
  std::vector<Element::Kind> kinds;
  for (std::size_t number = 0; number < elements.size(); ++number) {
    const Element& element = elements[number];
    check_element(element, number, n);
    const Index first = first_place(element.kind, n);
    // value e eᵀ
    const Eigen::VectorXd pattern = half_vector(element.direction * element.direction.transpose());
    if (element.fixed) {
      result.offset.segment(first, half_size(n)) += element.value * pattern;
      continue;
    }
    const Index column = column_of(element, kinds, result);
    for (Index entry = 0; entry < pattern.size(); ++entry) {
      if (pattern(entry) != 0.0) triplets.emplace_back(first + entry, column, pattern(entry));
    }
  }
  if (result.names.empty()) {
    throw InvalidInput({.function = "lumped_elements",
                        .argument = "elements",
                        .rule = "must have an unknown",
                        .value = "only fixed ones"});
  }
  result.units.resize(result.names.size());
  result.basis.resize(3 * half_size(n), static_cast<Index>(result.names.size()));
  result.basis.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

}  // namespace alembert::identify
