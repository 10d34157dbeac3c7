#pragma once

#include <string>

#include "alembert/document/result_tree.hpp"
#include "alembert/study/observe.hpp"

namespace alembert::study {

/// What is watched in words: "force(hand) above 3 N", "innovations of encoder".
[[nodiscard]] std::string watched_words(const model::planar::Mechanism& mechanism,
                                        const estimate::KinematicObserverOptions& options,
                                        const std::vector<std::string>& states,
                                        const estimate::WatchedSignal& signal);

/// One entry for each signal.
void describe_watch(const ObserveResult& result, document::ResultTree& list);

}  // namespace alembert::study
