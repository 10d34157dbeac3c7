#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/signal/record.hpp"

namespace alembert::study {

/// Columns on their way into a record, one after the other.
class RecordColumns {
 public:
  /// @param values as many as the columns before.
  void add(const std::string& name, const std::string& unit, Eigen::VectorXd values);

  /// The record of all columns. @param time as many instants as a column has values.
  [[nodiscard]] signal::Record record(const signal::TimeAxis& time, const std::string& title) const;

 private:
  std::vector<signal::Channel> channels_;
  std::vector<Eigen::VectorXd> values_;
};

}  // namespace alembert::study
