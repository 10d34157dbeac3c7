#pragma once

#include <Eigen/Core>
#include <optional>

#include "alembert/signal/record.hpp"

/// Signals on another time grid.
namespace alembert::signal {

/// The low-pass filter of band-limited resampling: a sinc with a Kaiser window [Kaiser1974].
///
/// Let f₀ be the lower of the Nyquist frequencies before and after, and δ =
/// 10^(-attenuation_db/20). Waves up to pass · f₀ come through with an error below 2δ of their
/// amplitude; those above f₀, which would alias going down, are weakened to δ. The half width of
/// the filter in samples of the slower grid is (attenuation_db - 1.95) / (14.36 (1 - pass)): 68 for
/// the defaults.
struct BandLimitedOptions {
  double pass = 0.9;              ///< 0.6 .. 0.99; more keeps more and widens the filter
  double attenuation_db = 100.0;  ///< 30 .. 150
};

/// All columns of values at step `step` on the grid t(j) = j new_step, up to the last old sample.
///
/// Beyond its ends the record is continued by point reflection, 2x(0) - x(-k), so that straight
/// lines pass exactly; waves are less accurate within the filter's half width of the ends.
/// Steps that agree within rounding, or so closely that the last instant moves by 1e-10 of a step,
/// change nothing.
/// @param values N x m, N >= 2, finite. @param step, new_step in s, > 0; the half width of the
///   filter must not be above 4 N and above 1e6 samples.
/// @throws InvalidInput if a rule above is broken.
[[nodiscard]] Eigen::MatrixXd resample_band_limited(const Eigen::Ref<const Eigen::MatrixXd>& values,
                                                    double step, double new_step,
                                                    const BandLimitedOptions& options = {});

/// All columns of one period of periodic signals, N samples, on `samples` samples of that period.
///
/// Exact for signals without content at or above the lower Nyquist frequency: the Fourier series is
/// evaluated on the new grid; going down, what is above is cut off.
/// @throws InvalidInput if values are empty or not finite, or samples < 1.
[[nodiscard]] Eigen::MatrixXd resample_periodic(const Eigen::Ref<const Eigen::MatrixXd>& values,
                                                Eigen::Index samples);

/// Values with the short gaps filled in by cubic spline. A gap is filled if its neighbours are at
/// most `longest` s apart; longer ones, and missing samples at the ends, stay NaN. The splines do
/// not reach across long gaps.
/// @throws InvalidInput if sizes disagree, times do not increase, a value is infinite, longest < 0.
[[nodiscard]] Eigen::VectorXd fill_missing(const Eigen::Ref<const Eigen::VectorXd>& times,
                                           const Eigen::Ref<const Eigen::VectorXd>& values,
                                           double longest);

enum class ResampleMethod {
  BandLimited,   ///< resample_band_limited(): for even records, and where waves must not alias
  Periodic,      ///< resample_periodic(): the record is one period, N steps long
  CubicSpline,   ///< through the samples, no filter: for smooth signals and uneven times
  QuinticSpline  ///< the same, smoother
};

struct ResampleOptions {
  ResampleMethod method = ResampleMethod::BandLimited;
  BandLimitedOptions band = {};  ///< for BandLimited
  /// Distance in s of neighbouring samples up to which a channel is interpolated; none: 3 median
  /// steps. Where a channel has no samples for longer, the result is NaN, as before its first and
  /// after its last sample.
  std::optional<double> longest_gap = {};
};

/// A record on the even grid t(j) = start + j step, as long as the old one.
///
/// BandLimited works on even samples: an uneven axis (no common step within 1e-3) is first brought
/// to its median step by cubic spline, per channel. Periodic needs a common step. Missing samples
/// are filled for the filter, long gaps by a straight line, so that a value within the filter's
/// half width of a long gap leans on that line.
/// @param step in s, > 0. With Periodic it must divide the period N h.
/// @throws InvalidInput if the record has fewer than 2 samples, the result would have more than
/// 1e9,
///   or a rule above is broken.
[[nodiscard]] Record resample(const Record& record, double step,
                              const ResampleOptions& options = {});

}  // namespace alembert::signal
