#pragma once

#include <string>

/// Words and lines that a terminal shows; who prints them owns the stream.
namespace alembert::study {

/// "1 force", "8 forces"
[[nodiscard]] std::string counted(long long count, const std::string& singular);

/// "0.02 s"
[[nodiscard]] std::string seconds_text(double seconds);

/// A step of a run as a line: "  simulate   exact, cubic hold            0.02 s"
[[nodiscard]] std::string step_line(const std::string& name, const std::string& what,
                                    const std::string& time = "");

}  // namespace alembert::study
