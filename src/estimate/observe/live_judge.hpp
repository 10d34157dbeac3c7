#pragma once

#include <span>
#include <vector>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {

/// What the innovations of a stream say of its estimates, in memory that does not grow.
class LiveJudge {
 public:
  LiveJudge(const model::planar::Mechanism& mechanism, const Observer& observer);

  /// Looks at the last step of an observer. @param readings of every sensor, NaN: none.
  void take(const Observer& observer, const ObserverStep& step, std::span<const double> readings);
  /// By the rules of observe().
  void judge(const model::planar::Mechanism& mechanism, const Observer& observer,
             Evidence& evidence) const;

 private:
  void keep_place(const Observer& observer);

  std::vector<SensorMonitor> monitors_;  // of the outputs
  std::vector<SensorScore> counts_;      // readings and rejected ones of the sensors
  double squares_ = 0.0, freedom_ = 0.0;
  long rows_ = 0, judged_ = 0, failed_ = 0;
  Eigen::MatrixXd path_;  // where it has been: places x coordinates, the first places_ of them
  Eigen::Index places_ = 0;
  long place_stride_ = 1;  // rows from one to the next
};

}  // namespace alembert::estimate
