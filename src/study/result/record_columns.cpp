#include "study/result/record_columns.hpp"

#include <utility>

namespace alembert::study {

void RecordColumns::add(const std::string& name, const std::string& unit, Eigen::VectorXd values) {
  channels_.push_back({.name = name, .unit = unit});
  values_.push_back(std::move(values));
}

signal::Record RecordColumns::record(const signal::TimeAxis& time, const std::string& title) const {
  Eigen::MatrixXd samples(time.size(), static_cast<Eigen::Index>(values_.size()));
  for (std::size_t c = 0; c < values_.size(); ++c) {
    samples.col(static_cast<Eigen::Index>(c)) = values_[c];
  }
  return {time, channels_, std::move(samples), title};
}

}  // namespace alembert::study
