#pragma once

#include "alembert/document/result_tree.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// What the sensors of a mechanism see of its coordinates over the workspace, from the part of a
/// described result that says so; without blocks if nothing was examined.
Section observability_section(const document::ResultTree& seen);

}  // namespace alembert::report
