#pragma once

#include <string>

#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A figure with the drawing at its first frame, and the poses of all frames for
/// assets/animation.js, which adds the play button and the slider.
/// @throws InvalidInput if times, poses and bodies do not fit or a shape names another body.
std::string animation_html(const Animation& animation, const std::string& id, int number);

}  // namespace alembert::report
