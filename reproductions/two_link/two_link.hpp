#pragma once

#include "reproductions/reproduce.hpp"

/// Observers of two links.
namespace alembert::reproductions::two_link {

/// `alembert reproduce two-link`: two links with counted encoders against differentiation.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::two_link
