#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/model/planar/mechanism.hpp"

/// Other ways in which a mechanism can be put together, for those who read a study or a result.
namespace alembert::study {

/// The other ways to put it together at z; none where it cannot be at all.
[[nodiscard]] model::planar::Assemblies other_assemblies(const model::planar::Mechanism& built,
                                                         const Eigen::VectorXd& z,
                                                         const Eigen::VectorXd& p);

/// What a reader should know of them; nothing if there is one way only.
[[nodiscard]] std::vector<std::string> assembly_notes(const model::planar::Assemblies& assemblies);

/// Adds the way taken and the others to the description of a mechanism.
void describe_assemblies(const model::planar::Mechanism& mechanism,
                         const model::planar::Assemblies& assemblies, document::ResultTree& tree);

}  // namespace alembert::study
