#pragma once

#include "alembert/study/detail/value.hpp"

/// A mechanism may have both tasks in one study: without a record it is simulated, with one
/// observed.
namespace alembert::study {

/// Whether a document has a mechanism, its motion and [observe].
[[nodiscard]] bool simulates_and_observes(const Value& root);

/// Whether [data] names a file, for all sensors or for one.
[[nodiscard]] bool has_record(const Value& root);

}  // namespace alembert::study
