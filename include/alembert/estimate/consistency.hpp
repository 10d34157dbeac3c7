#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

/// Whether a filter's covariances tell the truth.
namespace alembert::estimate {

/// Normalised squares (NIS or NEES) against the χ² distribution they should follow.
struct SquaresReport {
  double average = 0.0;         ///< of all values
  double expected = 0.0;        ///< mean degrees of freedom
  double lower = 0.0;           ///< bounds of the average that hold with the given probability if
  double upper = 0.0;           ///< the values are independent
  double share_above = 0.0;     ///< of single values above their own χ² quantile
  double expected_above = 0.0;  ///< 1 - probability
  bool consistent = false;      ///< lower <= average <= upper
};

/// Judges normalised squares of `freedom[k]` degrees of freedom:
///   bounds χ²_{(1∓p)/2}(Σ freedom)/N.
///
/// NIS of one run are independent over time if the filter is right. NEES of one run are not: give
/// the NEES of many runs at one time, or averages over runs.
/// @throws InvalidInput unless the sizes agree, are not zero, the squares are >= 0, the freedoms
/// >= 1 and 0 < probability < 1.
[[nodiscard]] SquaresReport judge_squares(std::span<const double> squares,
                                          std::span<const int> freedom, double probability = 0.95);

/// Normalised estimation error squared, eᵀ P⁻¹ e. @throws InvalidInput if sizes disagree or P is
/// not positive definite.
[[nodiscard]] double nees(const Eigen::Ref<const Eigen::VectorXd>& error,
                          const Eigen::Ref<const Eigen::MatrixXd>& covariance);

/// Correlation in time of whitened innovations, which should be none.
struct WhitenessReport {
  std::vector<double> autocorrelation;  ///< at lags 1..L, mean over the outputs
  double bound = 0.0;                   ///< of a single one, ± z_{(1+p)/2}/√(N m)
  double portmanteau = 0.0;             ///< N m Σ ρ_l², χ² with L degrees of freedom if white
  double limit = 0.0;                   ///< its quantile of the given probability
  bool white = false;                   ///< portmanteau <= limit
};

/// Innovations of one sensor over their expected standard deviations.
struct SensorReport {
  double size = 0.0;        ///< root mean square; 1 if the filter is right
  double size_limit = 0.0;  ///< above it with a probability of 1 - p only if it is
  /// Root mean square of sums over `length` neighbours, divided by √length: 1 for white ones of the
  /// right size. Errors of the estimate that last are seen here long before they are seen in
  /// `size`.
  double slow = 0.0;
  double slow_limit = 0.0;
  double previous = 0.0;  ///< correlation with the value before, ρ_1
  double strongest = 0.0;  ///< the ρ_l of the largest size, l = 1..length; ρ_l² is what the value l
                           ///< before tells of the power
  int strongest_lag = 0;
  double correlation_limit = 0.0;  ///< of |strongest|: z_{1-(1-p)/(2 length)}/√N
  /// As `slow`, of the sums of 32 to 63 blocks that make up the whole (fewer of a short record).
  double drift = 0.0;
  double drift_limit = 0.0;
};

/// Innovations of one sensor over their expected standard deviations as they come, in memory and
/// time that do not grow.
class SensorMonitor {
 public:
  /// @throws InvalidInput unless length >= 2.
  explicit SensorMonitor(int length = 20);

  void add(double normalised) noexcept;
  [[nodiscard]] long count() const noexcept { return count_; }
  /// @throws InvalidInput unless there are at least 2 `length` values and 0 < p < 1.
  [[nodiscard]] SensorReport report(double probability = 0.99) const;

 private:
  void add_to_block(double normalised) noexcept;

  std::size_t length_;
  long count_ = 0;
  std::vector<double> last_;      // `length` values, a ring
  std::vector<double> products_;  // Σ ν_k ν_{k-l} at lags 0..length
  double running_ = 0.0, squared_sums_ = 0.0;
  std::vector<double> blocks_;  // sums over block_length_ values each; the last is not complete
  long block_length_, in_block_ = 0;
};

/// @param normalised innovations ν/σ in their order, without gaps.
/// Limits for N independent values: √(χ²_p(ν)/ν) with ν = N; 3 N/(2 length) of `slow`, from the
/// variance of overlapping sums; the number of blocks of `drift`.
/// @throws InvalidInput unless there are at least 2 `length` values, length >= 2, 0 < p < 1.
[[nodiscard]] SensorReport judge_sensor(std::span<const double> normalised, int length = 20,
                                        double probability = 0.99);

/// @param whitened innovations L⁻¹ν, one column for each step, NaN where an output was not used.
/// @throws InvalidInput unless lags >= 1, more than `lags` columns and 0 < probability < 1.
[[nodiscard]] WhitenessReport judge_whiteness(const Eigen::Ref<const Eigen::MatrixXd>& whitened,
                                              int lags = 20, double probability = 0.95);

}  // namespace alembert::estimate
