#include "study/parts/mechanism/assembly_notes.hpp"

#include <fmt/format.h>

#include "alembert/core/text.hpp"
#include "core/mapped.hpp"

namespace alembert::study {

model::planar::Assemblies other_assemblies(const model::planar::Mechanism& built,
                                           const Eigen::VectorXd& z, const Eigen::VectorXd& p) {
  model::planar::MechanismState state = built.make_state();
  state.p = p;
  if (!built.assemble(z, state).ok()) return {};
  return built.assemblies(state);
}

std::vector<std::string> assembly_notes(const model::planar::Assemblies& assemblies) {
  if (assemblies.others.empty()) return {};
  const std::vector<std::string> others =
      mapped(assemblies.others, [](const model::planar::OtherAssembly& one) { return one.words; });
  return {
      fmt::format("the mechanism can be put together in {} ways at the start; taken: {}; {}: "
                  "{}. If that is another one, give rough poses of the bodies under the key start",
                  others.size() + 1, assemblies.taken,
                  others.size() == 1 ? "the other" : "the others", join(others, "; "))};
}

void describe_assemblies(const model::planar::Mechanism& mechanism,
                         const model::planar::Assemblies& assemblies, document::ResultTree& tree) {
  document::ResultTree& group = tree.group("assemblies");
  group.add("taken", assemblies.taken);
  group.add("starts", assemblies.starts);
  document::ResultTree& others = group.list("others");
  for (const model::planar::OtherAssembly& one : assemblies.others) {
    document::ResultTree& item = others.item();
    item.add("words", one.words);
    document::ResultTree& poses = item.list("poses");
    for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
      document::ResultTree& pose = poses.item();
      const Eigen::Vector3d q = one.q.segment<3>(static_cast<Eigen::Index>(3 * b));
      pose.add("body", mechanism.bodies()[b]);
      pose.add("x", q(0)).named("x", "m");
      pose.add("y", q(1)).named("y", "m");
      pose.add("angle", q(2)).named("angle", "rad");
    }
  }
}

}  // namespace alembert::study
