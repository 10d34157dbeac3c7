#pragma once

#include <vector>

#include "reproductions/two_link/tables.hpp"

/// What `alembert reproduce two-link` claims.
namespace alembert::reproductions::two_link {

/// The generic mechanism against the published equations, and the energy balance of the tests.
[[nodiscard]] std::vector<Claim> rig_claims(const FormulaDifference& difference, const Lab& lab);

/// Observers against the differentiator and against each other, on one test.
[[nodiscard]] std::vector<Claim> error_claims(const Parts& parts,
                                              const DifferentiatorErrors& differentiator,
                                              std::size_t test);

[[nodiscard]] std::vector<Claim> consistency_claims(const Rows& rows);
[[nodiscard]] std::vector<Claim> gravity_claims(const Lab& lab, const Rows& rows);
[[nodiscard]] std::vector<Claim> length_claims(const Rows& rows);

}  // namespace alembert::reproductions::two_link
