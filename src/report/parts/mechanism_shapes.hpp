#pragma once

#include "alembert/model/planar/mechanism.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Shapes and links of a mechanism; `poses` says how far guides must reach.
void add_mechanism_shapes(const model::planar::Mechanism& mechanism, Animation& animation);

}  // namespace alembert::report
