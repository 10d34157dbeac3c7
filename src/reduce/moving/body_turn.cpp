#include "reduce/moving/body_turn.hpp"

#include <algorithm>

namespace alembert::reduce {
namespace {

using Eigen::Index;

// "x(EF.F)": the body EF.
std::size_t body_of(const model::flexible::FlexibleMechanism& mechanism, const std::string& name) {
  const std::size_t open = name.find('(');
  const std::string body = name.substr(open + 1, name.find_first_of(".#)", open) - open - 1);
  const std::vector<std::string>& bodies = mechanism.rigid().bodies();
  return static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
}

}  // namespace

Eigen::MatrixXd turned_with_bodies(const model::flexible::FlexibleMechanism& mechanism,
                                   const model::flexible::FlexibleState& state,
                                   const std::vector<Index>& rows, const Eigen::MatrixXd& vectors,
                                   bool into_world) {
  const std::vector<std::string>& names = mechanism.displacements();
  Eigen::MatrixXd made = vectors;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(rows[i])];
    if (name.front() != 'x') continue;
    const std::string partner = "y" + name.substr(1);
    const auto other = std::find_if(rows.begin(), rows.end(), [&](Index row) {
      return names[static_cast<std::size_t>(row)] == partner;
    });
    if (other == rows.end()) continue;
    const auto x = static_cast<Index>(i);
    const Index y = other - rows.begin();
    const auto& body = state.rigid.motion[body_of(mechanism, name)];
    const double c = body.cosine.position;
    const double s = into_world ? body.sine.position : -body.sine.position;
    made.row(x) = c * vectors.row(x) - s * vectors.row(y);
    made.row(y) = s * vectors.row(x) + c * vectors.row(y);
  }
  return made;
}

}  // namespace alembert::reduce
