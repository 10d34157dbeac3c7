#pragma once

#include "alembert/estimate/observe.hpp"
#include "study/schema/bound_keys.hpp"

/// The keys of the tables inside [observe].
namespace alembert::study {

using ObserveKeys = BoundKeys<estimate::ObserveOptions>;

/// [observe.start].
[[nodiscard]] const ObserveKeys& observe_start_keys();
/// [observe.lengths].
[[nodiscard]] const ObserveKeys& observe_length_keys();
/// [observe.biases].
[[nodiscard]] const ObserveKeys& observe_bias_keys();
[[nodiscard]] const ObserveKeys& observe_force_keys();
/// [observe.switch].
[[nodiscard]] const ObserveKeys& observe_stage_keys();
[[nodiscard]] const ObserveKeys& observe_switch_keys();
/// [observe.gate].
[[nodiscard]] const ObserveKeys& observe_gate_keys();
/// [observe.adapt].
[[nodiscard]] const ObserveKeys& observe_adapt_keys();
/// [observe.watch.NAME]
[[nodiscard]] const BoundKeys<estimate::WatchedSignal>& observe_watch_keys();
/// [observe.workspace].
[[nodiscard]] const ObserveKeys& observe_workspace_keys();

}  // namespace alembert::study
