#pragma once

#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/study/detail/problem.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Where bodies, joints, coordinates, parameters and sensors stand in a study, so that what the
/// library says of them by name is said at their place.
class MechanismPlaces {
 public:
  /// `kind` is "body", "joint", ...; `value` is searched for the text that is to blame.
  void add(const std::string& kind, const std::string& name, const std::string& key,
           const Value& value, const Place& place);

  /// The error of a function of the library at its place: `key: rule`.
  [[nodiscard]] StudyError placed(const TableReader& mechanism, const InvalidInput& error) const;
  /// What assembly found, at the first joint, body or coordinate that it names.
  [[nodiscard]] Problem placed(const TableReader& mechanism,
                               const model::planar::Finding& finding) const;

 private:
  struct Item {
    std::string kind, name, key;
    const Value* value;
    Place place;
  };

  std::vector<Item> items_;
};

}  // namespace alembert::study
