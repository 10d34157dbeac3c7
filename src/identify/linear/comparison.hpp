#pragma once

#include "alembert/identify/linear.hpp"
#include "identify/linear/setup.hpp"

namespace alembert::identify {

/// Runs the methods of options.compare and fills result.comparison, the main method first.
void compare_methods(const LinearSetup& setup, LinearIdentification& result);

}  // namespace alembert::identify
