#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace alembert::identify {

/// One channel of all experiments, joined for the checks of examine().
struct JoinedChannel {
  std::string name;
  bool is_input = false;
  std::vector<Eigen::VectorXd> pieces;  ///< one per experiment, NaN where missing
};

/// Each returns what is odd about the channel, or "".
[[nodiscard]] std::string dead_remark(const JoinedChannel& channel);
[[nodiscard]] std::string constant_remark(const JoinedChannel& channel);
[[nodiscard]] std::string offset_remark(const JoinedChannel& channel);
[[nodiscard]] std::string clipping_remark(const JoinedChannel& channel);
/// Power that does not fall towards the Nyquist frequency 1/(2 step).
[[nodiscard]] std::string aliasing_remark(const JoinedChannel& channel, double step);
/// Fewer than three periods of the strongest frequency.
[[nodiscard]] std::string short_record_remark(const JoinedChannel& channel, double step);
/// The two channels hold the same samples.
[[nodiscard]] bool same_samples(const JoinedChannel& a, const JoinedChannel& b);
/// Growth of the rms from each quarter of the record to the next, smallest of the last two steps
/// and all experiments.
[[nodiscard]] double growth(const JoinedChannel& channel);
/// Spectral lines that hold more than 1e-4 of the largest line's power, all experiments.
[[nodiscard]] Eigen::Index active_lines(const JoinedChannel& channel);
/// Root mean square over all pieces; 0 without samples.
[[nodiscard]] double rms(const JoinedChannel& channel);
/// Standard deviation over all pieces; 0 without samples.
[[nodiscard]] double spread(const JoinedChannel& channel);

}  // namespace alembert::identify
