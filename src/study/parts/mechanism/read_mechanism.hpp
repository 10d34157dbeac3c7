#pragma once

#include <memory>
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

/// Reads [mechanism]; places are noted. @throws StudyError
[[nodiscard]] model::planar::MechanismDescription read_mechanism(const TableReader& mechanism,
                                                                 MechanismPlaces& places);

/// Reads [mechanism] and data.sensors. @throws StudyError
[[nodiscard]] std::shared_ptr<const model::planar::Mechanism> read_mechanism_with_sensors(
    const TableReader& root, MechanismPlaces& places);

/// Puts the mechanism together at z with the geometry p; what does not fit is reported by name.
void check_assembly(const TableReader& mechanism, const MechanismPlaces& places,
                    const model::planar::Mechanism& built, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& p, std::vector<Problem>& problems);

/// Reads data.sensors into the description. @throws StudyError
void read_mechanism_sensors(const TableReader& data,
                            model::planar::MechanismDescription& description,
                            MechanismPlaces& places);

}  // namespace alembert::study
