#include "alembert/core/verdict.hpp"

#include <algorithm>
#include <utility>

namespace alembert {
namespace {

// Each text once; empty ones are left out.
void add_once(const std::string& text, std::vector<std::string>& list) {
  if (text.empty() || std::find(list.begin(), list.end(), text) != list.end()) return;
  list.push_back(text);
}

}  // namespace

void Evidence::add(TrustLevel level, std::string reason, std::string advice) {
  if (level == TrustLevel::Good) return;
  items_.push_back({level, std::move(reason), std::move(advice)});
}

void Evidence::add(const Outcome& outcome) {
  if (outcome.ok()) return;
  add(TrustLevel::Bad,
      outcome.message.empty() ? std::string(to_string(outcome.status)) : outcome.message);
}

Verdict Evidence::verdict() const {
  Verdict verdict;
  std::vector<Item> worst_first = items_;
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [](const Item& a, const Item& b) { return a.level > b.level; });
  for (const Item& item : worst_first) {
    verdict.level = std::max(verdict.level, item.level);
    add_once(item.reason, verdict.reasons);
    add_once(item.advice, verdict.advice);
  }
  return verdict;
}

Verdict verdict_on(const Outcome& outcome, const std::vector<std::string>& warnings) {
  Evidence evidence;
  evidence.add(outcome);
  for (const std::string& warning : warnings) evidence.add(TrustLevel::Caution, warning);
  return evidence.verdict();
}

TrustLevel level_above(double value, double caution, double bad) {
  if (value >= bad) return TrustLevel::Bad;
  return value >= caution ? TrustLevel::Caution : TrustLevel::Good;
}

}  // namespace alembert
