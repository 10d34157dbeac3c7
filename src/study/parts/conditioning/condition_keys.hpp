#pragma once

#include <string>
#include <vector>

#include "alembert/signal/condition.hpp"
#include "study/schema/bound_keys.hpp"
#include "study/schema/table_reader.hpp"

/// What is done to the records of [data] before a task sees them.
namespace alembert::study {

/// spikes, from, to, every, resample, jitter.
[[nodiscard]] const BoundKeys<signal::ConditionOptions>& condition_keys();
/// above, below, order.
[[nodiscard]] const BoundKeys<signal::FilterOptions>& filter_keys();
/// All of them, with the table data.filter.
[[nodiscard]] std::vector<KeySpec> condition_specs();

/// What a table with these keys asks for; nothing if it has none of them.
[[nodiscard]] signal::ConditionOptions read_condition(const TableReader& table);

}  // namespace alembert::study
