#pragma once

#include <span>
#include <string_view>

namespace alembert::reproductions {

/// A study as embed_studies.cmake found it.
struct EmbeddedStudy {
  std::string_view name;  ///< "frame-8dof/simulate.toml"
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedStudy> embedded_studies();

}  // namespace alembert::reproductions
