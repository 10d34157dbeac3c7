#include "study/result/settings.hpp"

#include <cstdint>
#include <type_traits>
#include <variant>

namespace alembert::study {
namespace {

using document::ResultTree;

struct AsResult {
  ResultTree operator()(const Table& table) const {
    ResultTree group = ResultTree::empty_group();
    for (const Entry& entry : table) group.insert(entry.key, result_of(entry.value));
    return group;
  }
  ResultTree operator()(const Array& array) const {
    ResultTree list = ResultTree::empty_list();
    for (const Value& value : array) list.item(result_of(value));
    return list;
  }
  ResultTree operator()(long long value) const { return ResultTree(std::int64_t{value}); }
  ResultTree operator()(const DateTime& /*no study has one*/) const { return {}; }
  template <typename Scalar>
  ResultTree operator()(const Scalar& value) const {
    return ResultTree(value);
  }
};

}  // namespace

ResultTree result_of(const Value& value) { return std::visit(AsResult{}, value.data); }

}  // namespace alembert::study
