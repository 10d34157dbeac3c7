#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alembert::signal {

/// What one column of a record holds.
struct Channel {
  std::string name;
  std::string unit = {};         ///< as written in the file, "" when unknown
  std::string description = {};  ///< free text, "" when there is none

  bool operator==(const Channel&) const = default;
};

/// When the samples of a record were taken: a constant step, or one time for each sample.
class TimeAxis {
 public:
  TimeAxis() = default;
  /// t(k) = start + k step. @throws InvalidInput unless samples >= 0, step > 0, start is finite.
  static TimeAxis uniform(Eigen::Index samples, double step, double start = 0.0);
  /// Given times in s, strictly increasing and finite. Times that are uniform within rounding still
  /// count as given; see common_step(). (The readers of alembert::io make a uniform axis of times
  /// that a file rounds.) An empty list gives the empty axis, which counts as uniform.
  /// @throws InvalidInput naming the first offending sample (1-based).
  static TimeAxis given(Eigen::VectorXd times);

  [[nodiscard]] Eigen::Index size() const noexcept { return samples_; }
  [[nodiscard]] bool is_uniform() const noexcept { return times_.size() == 0; }
  /// The constant step in s. @throws InvalidInput if times are given one by one.
  [[nodiscard]] double step() const;
  [[nodiscard]] double start() const noexcept;
  /// Time of sample k in s.
  [[nodiscard]] double operator[](Eigen::Index k) const;
  [[nodiscard]] Eigen::VectorXd times() const;
  /// Samples first..first+count-1. @throws InvalidInput if they leave the axis.
  [[nodiscard]] TimeAxis slice(Eigen::Index first, Eigen::Index count) const;
  /// The mean step h if it explains all times, |t(k) - t(0) - k h| <= tolerance h; nullopt when
  /// they are uneven or there is only one. Times rounded to u need a tolerance of u/h, half of it
  /// for t(k) and half for the ends: the default covers 6 decimals up to 1 kHz.
  [[nodiscard]] std::optional<double> common_step(double tolerance = 1e-3) const;
  /// Median distance of neighbouring samples (of an even number the lower one, so that it is a
  /// distance that occurs); 0 with fewer than two samples.
  [[nodiscard]] double median_step() const;

 private:
  Eigen::Index samples_ = 0;
  double step_ = 1.0;
  double start_ = 0.0;
  Eigen::VectorXd times_;
};

/// An interval without samples: a distance between neighbours above 1.5 median steps.
struct Gap {
  Eigen::Index after = 0;  ///< index of the last sample before the gap
  double begin = 0.0;      ///< s
  double end = 0.0;        ///< s
};

/// One experiment: named channels sampled on one time axis. NaN marks a missing sample.
class Record {
 public:
  Record() = default;
  /// Takes its arguments over: move large samples in, they are not copied.
  /// @param samples one row per time, one column per channel.
  /// @throws InvalidInput if sizes disagree or channel names are empty or repeated.
  Record(TimeAxis time, std::vector<Channel> channels, Eigen::MatrixXd samples,
         std::string title = {});

  [[nodiscard]] const std::string& title() const noexcept { return title_; }
  [[nodiscard]] const TimeAxis& time() const noexcept { return time_; }
  [[nodiscard]] const std::vector<Channel>& channels() const noexcept { return channels_; }
  /// All samples: row k is time k, column c is channel c; NaN where missing.
  [[nodiscard]] const Eigen::MatrixXd& samples() const noexcept { return samples_; }

  [[nodiscard]] Eigen::Index size() const noexcept { return samples_.rows(); }
  [[nodiscard]] Eigen::Index channel_count() const noexcept { return samples_.cols(); }
  /// Index of a channel, or nullopt.
  [[nodiscard]] std::optional<Eigen::Index> find(std::string_view name) const;
  /// Samples of a channel. @throws InvalidInput naming the nearest known channel.
  [[nodiscard]] Eigen::Ref<const Eigen::VectorXd> values(std::string_view name) const;
  /// The named channels, in this order. @throws InvalidInput as values().
  [[nodiscard]] Record select(const std::vector<std::string>& names) const;
  /// Samples first..first+count-1. @throws InvalidInput if they leave the record.
  [[nodiscard]] Record slice(Eigen::Index first, Eigen::Index count) const;

  /// The samples, moved out without a copy; the record is empty afterwards.
  [[nodiscard]] Eigen::MatrixXd release_samples() &&;

  /// Number of missing samples of a channel. @throws InvalidInput if there is no such column.
  [[nodiscard]] Eigen::Index missing(Eigen::Index channel) const;
  [[nodiscard]] bool has_missing() const;
  /// Intervals without samples; always empty on a uniform axis.
  [[nodiscard]] std::vector<Gap> gaps() const;

 private:
  TimeAxis time_;
  std::vector<Channel> channels_;
  Eigen::MatrixXd samples_;
  std::string title_;
};

/// Several experiments on the same system.
using Records = std::vector<Record>;

}  // namespace alembert::signal
