#include "study/parts/linear/read_elements.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"

namespace alembert::study {
namespace {

using identify::Element;

std::string kind_key(const TableReader& element) {
  return element.has("spring") ? "spring" : element.has("damper") ? "damper" : "mass";
}

Element::Kind element_kind(const std::string& key) {
  return key == "spring"   ? Element::Kind::Spring
         : key == "damper" ? Element::Kind::Damper
                           : Element::Kind::Mass;
}

// e with stretch = eᵀ q: 1 at the first point, -1 at the second; ground does not move.
Eigen::VectorXd element_direction(const TableReader& element, const std::string& key,
                                  const std::vector<std::string>& coordinates) {
  const std::vector<std::string> points = element.texts(key);
  if (key != "mass" && points.size() != 2) {
    element.fail(key, fmt::format("must name two points, got {}", points.size()));
  }
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(coordinates.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] == "ground" && key != "mass") {
      continue;
    }
    const Eigen::Index at = index_of(coordinates, points[i]);
    if (at < 0) {
      element.fail(key, fmt::format("names \"{}\", which is no coordinate{}{}", points[i],
                                    key == "mass" ? "" : " or \"ground\"",
                                    suggestion(points[i], coordinates)));
    }
    direction(at) += i == 0 ? 1.0 : -1.0;
  }
  if (direction.isZero(0.0)) {
    element.fail(key, "must join two different points");
  }
  return direction;
}

// The unknown that an element follows: its own, or that of the element that it shares.
std::string unknown_name(const TableReader& elements, const std::string& name) {
  const TableReader element = elements.table(name);
  if (!element.has("shares")) {
    return name;
  }
  const std::string other = element.text("shares");
  if (!elements.has(other)) {
    element.fail("shares", fmt::format("names \"{}\", which is no element{}", other,
                                       suggestion(other, elements.keys())));
  }
  const TableReader source = elements.table(other);
  if (kind_key(source) != kind_key(element) || source.has("shares")) {
    element.fail("shares", fmt::format("must name a {} with a value of its own, got \"{}\"",
                                       kind_key(element), other));
  }
  return other;
}

}  // namespace

identify::Parametrisation read_elements(const TableReader& elements,
                                        const std::vector<std::string>& coordinates) {
  std::vector<Element> list;
  for (const std::string& name : elements.keys()) {
    const TableReader element = elements.table(name);
    const std::string key = kind_key(element);
    Element one{.kind = element_kind(key),
                .name = unknown_name(elements, name),
                .direction = element_direction(element, key, coordinates)};
    const TableReader source = elements.table(one.name);
    one.fixed = source.has("value");
    one.value = source.optional_number("value").value_or(0.0);
    list.push_back(std::move(one));
  }
  try {
    return identify::lumped_elements(static_cast<Eigen::Index>(coordinates.size()), list);
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    throw StudyError(elements.place(""),
                     "model.elements: " + message.substr(message.find(": ") + 2));
  }
}

}  // namespace alembert::study
