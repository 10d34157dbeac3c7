#pragma once

#include "alembert/study/simulate.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A mechanism with flexible bodies as it moves, its deflections drawn larger.
Animation flexible_animation(const study::MovedFlexible& moved,
                             const study::FlexibleOutcome& found);

/// Its modes in motion.
ShapeView flexible_shapes(const study::MovedFlexible& moved, const study::FlexibleOutcome& found);

}  // namespace alembert::report
