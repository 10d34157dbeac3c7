#include "study/parts/mechanism/mechanism_study.hpp"

#include <algorithm>

namespace alembert::study {

bool simulates_and_observes(const Value& root) {
  const Entry* simulate = root.find("simulate");
  return root.find("mechanism") != nullptr && root.find("observe") != nullptr &&
         simulate != nullptr && simulate->value.find("motion") != nullptr;
}

bool has_record(const Value& root) {
  const Entry* data = root.find("data");
  if (data == nullptr) return false;
  if (data->value.find("file") != nullptr) return true;
  const Entry* sensors = data->value.find("sensors");
  const Table* each = sensors == nullptr ? nullptr : sensors->value.table();
  return each != nullptr && std::any_of(each->begin(), each->end(), [](const Entry& sensor) {
           return sensor.value.find("file") != nullptr;
         });
}

}  // namespace alembert::study
