#pragma once

#include <limits>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/study/result/result_summary.hpp"

/// Results compared, number by number.
namespace alembert::study {

enum class Agreement {
  Agree,   ///< the difference is within the joint 95 % interval
  Differ,  ///< it is beyond it
  Unknown  ///< no interval is known
};
constexpr auto enum_names(Agreement) {
  return std::to_array<EnumName<Agreement>>({{Agreement::Agree, "agree"},
                                             {Agreement::Differ, "differ"},
                                             {Agreement::Unknown, "no interval"}});
}

/// A number of two results.
struct QuantityPair {
  ResultQuantity first, second;
  double difference = 0.0;  ///< second - first
  /// √(m₁² + m₂²), the 95 % limit of the difference of independent estimates with the margins m₁
  /// and m₂; NaN where one is not known.
  double limit = std::numeric_limits<double>::quiet_NaN();
  Agreement agreement = Agreement::Unknown;
};

/// An output that both results explain.
struct FitPair {
  ResultFit first, second;
};

/// An option with its two values; "" where a result has not got it.
struct SettingPair {
  std::string key, first, second;
};

/// Two results side by side.
struct ResultComparison {
  ResultSummary first, second;
  std::vector<QuantityPair> quantities = {};  ///< in the order of the first, then paired modes
  std::vector<std::string> only_first = {};   ///< names of quantities of the first alone
  std::vector<std::string> only_second = {};
  std::vector<FitPair> fits = {};
  std::vector<SettingPair> settings = {};  ///< that differ
  bool same_data = false;  ///< both name the same data files: their errors are not independent
};

/// In one sentence: how many numbers agree, and the names of those that differ.
[[nodiscard]] std::string agreement_words(const ResultComparison& comparison);

/// Compares two results: quantities and outputs by their names, modes by their frequencies.
///
/// Two modes are a pair if each is the nearest to the other, and their frequencies differ by less
/// than 10 % of the lower one.
[[nodiscard]] ResultComparison compare_results(ResultSummary first, ResultSummary second);

}  // namespace alembert::study
