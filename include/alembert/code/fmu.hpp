#pragma once

#include <string>

#include "alembert/code/program.hpp"

namespace alembert::code {

/// A program as a functional mock-up unit of the standard FMI 2.0.
///
/// For co-simulation, with communication steps that are a multiple of the program's step; inputs
/// are held over a step, or follow their derivatives where the program takes more than one row of
/// them (fmi2SetRealInputDerivatives). For model exchange too where the program has derivatives;
/// there are no events: a master that steps over a kink of the equations does not see it.
struct Fmu {
  std::string description;  ///< modelDescription.xml
  std::string source;       ///< sources/NAME_fmu.c, beside NAME.c and NAME.h
  std::string guid;         ///< from the content: equal programs have equal ones
};

/// @param duration of the default experiment in s.
[[nodiscard]] Fmu make_fmu(const Program& program, double duration);

}  // namespace alembert::code
