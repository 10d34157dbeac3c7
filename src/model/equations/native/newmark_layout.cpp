#include "alembert/model/detail/newmark_layout.hpp"

namespace alembert::model::detail {

NewmarkLayout newmark_layout(std::size_t states, const std::vector<SecondOrderPair>& pairs) {
  using Role = NewmarkLayout::Role;
  NewmarkLayout layout;
  layout.pairs = pairs;
  layout.role.assign(states, Role::First);
  layout.unknown.assign(states, 0);
  for (std::size_t i = 0; i < layout.pairs.size(); ++i) {
    const auto [q, v] = layout.pairs[i];
    layout.role[q] = Role::Position;
    layout.role[v] = Role::Velocity;
    layout.unknown[q] = layout.unknown[v] = i;
  }
  for (std::size_t k = 0; k < states; ++k) {
    if (layout.role[k] == Role::First) {
      layout.unknown[k] = layout.unknowns();
      layout.first.push_back(k);
    }
  }
  return layout;
}

}  // namespace alembert::model::detail
