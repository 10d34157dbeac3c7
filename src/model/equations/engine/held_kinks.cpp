#include "alembert/model/detail/held_kinks.hpp"

#include <algorithm>

#include "model/equations/interpreter/freeze.hpp"

namespace alembert::model::equations {

HeldKinks::HeldKinks(const EquationModel& model)
    : frozen_(std::make_shared<const FrozenModel>(freeze(model.program()))),
      registers_(frozen_->tapes.size) {
  std::copy(frozen_->tapes.constants.begin(), frozen_->tapes.constants.end(), registers_.begin());
}

void HeldKinks::set_parameters(std::span<const double> parameters) {
  std::copy(parameters.begin(), parameters.end(),
            registers_.begin() + frozen_->tapes.parameter_slot);
  run(frozen_->tapes.prepare, frozen_->program.graph.curves(), registers_.data());
}

std::size_t HeldKinks::switches() const { return frozen_->switches(); }

const std::vector<bool>& HeldKinks::is_floor() const { return frozen_->is_floor; }

EquationPoint HeldKinks::point() {
  return {frozen_->program, frozen_->tapes, nullptr, registers_.data()};
}

}  // namespace alembert::model::equations
