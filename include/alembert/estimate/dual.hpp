#pragma once

#include "alembert/core/dual.hpp"

namespace alembert::estimate {

using alembert::Dual;
using alembert::value_of;

}  // namespace alembert::estimate
