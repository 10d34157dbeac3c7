#include "alembert/signal/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/signal/fft.hpp"
#include "signal/record/gap_filling.hpp"
#include "signal/spline/increasing.hpp"

namespace alembert::signal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using ConstVector = Eigen::Ref<const VectorXd>;

// Gaps up to this many median steps are interpolated unless the caller says otherwise.
constexpr double kDefaultLongestGap = 3.0;
// The new step may miss a whole number of samples per period, or the end of the record, by this.
constexpr double kGridTolerance = 1e-6;
// More would be a misprint in the step; 8 GB for each channel.
constexpr double kMostResampled = 1e9;

// One period's Fourier coefficients for another number of samples.
VectorXcd moved_spectrum(const VectorXcd& old, Index from, Index to) {
  VectorXcd spectrum = VectorXcd::Zero(to / 2 + 1);
  const Index shared = std::min(from, to);
  spectrum.head(shared / 2 + 1) = old.head(shared / 2 + 1);
  // The value at an even length's Nyquist frequency stands for both signs of it.
  if (shared % 2 == 0 && from != to) {
    spectrum[shared / 2] *= to > from ? 0.5 : 2.0;
  }
  return spectrum * (static_cast<double>(to) / static_cast<double>(from));
}

double longest_gap(const Record& record, const ResampleOptions& options) {
  if (options.longest_gap) {
    check::non_negative("resample", "longest_gap", *options.longest_gap);
    return *options.longest_gap;
  }
  return kDefaultLongestGap * record.time().median_step();
}

Index checked_count(double samples, double step) {
  if (!(samples <= kMostResampled)) {
    throw InvalidInput({.function = "resample",
                        .argument = "step",
                        .rule = fmt::format("must give at most {:g} samples", kMostResampled),
                        .value = fmt::format("{} for {:g}", step, samples)});
  }
  return static_cast<Index>(samples);
}

Index grid_size(double length, double step) {
  return checked_count(std::floor(length / step + kGridTolerance) + 1.0, step);
}

Index periodic_size(const TimeAxis& even, double step) {
  const double exact = static_cast<double>(even.size()) * even.step() / step;
  const double nearest = std::round(exact);
  if (nearest < 1.0 || std::abs(exact - nearest) > kGridTolerance * exact) {
    throw InvalidInput({.function = "resample",
                        .argument = "step",
                        .rule = fmt::format("must divide the period of {} s",
                                            static_cast<double>(even.size()) * even.step()),
                        .value = fmt::format("{} ({} samples a period)", step, exact)});
  }
  return checked_count(nearest, step);
}

// The even axis that a filter can work on.
TimeAxis even_axis(const TimeAxis& time, const ResampleOptions& options) {
  if (const std::optional<double> common = time.common_step()) {
    return TimeAxis::uniform(time.size(), *common, time.start());
  }
  if (options.method == ResampleMethod::Periodic) {
    throw InvalidInput({.function = "resample",
                        .item = "a periodic record",
                        .rule = "must have a common step",
                        .value = "times that have none"});
  }
  const double step = time.median_step();
  const double length = time[time.size() - 1] - time.start();
  const Index samples = checked_count(std::ceil(length / step - kGridTolerance) + 1.0, step);
  return TimeAxis::uniform(samples, step, time.start());
}

// One channel's samples; of a periodic one also those of the periods before and after, so that
// gaps may reach across its ends.
Stretches stretches(const Record& record, Index channel, double longest,
                    const ResampleOptions& options) {
  const VectorXd times = record.time().times();
  const auto values = record.samples().col(channel);
  if (options.method != ResampleMethod::Periodic) {
    return {times, values, longest, options.method == ResampleMethod::QuinticSpline};
  }
  const Index n = times.size();
  const double period = static_cast<double>(n) * *record.time().common_step();
  VectorXd around(3 * n);
  around << times.array() - period, times, times.array() + period;
  return {around, values.replicate(3, 1), longest};
}

MatrixXd through_splines(const Record& record, const VectorXd& at, double longest,
                         const ResampleOptions& options) {
  MatrixXd samples(at.size(), record.channel_count());
  for (Index c = 0; c < samples.cols(); ++c) {
    samples.col(c) = stretches(record, c, longest, options).inside(at);
  }
  return samples;
}

// All channels on the even axis, without holes.
MatrixXd filled_samples(const Record& record, const TimeAxis& even, double longest,
                        const ResampleOptions& options) {
  const VectorXd at = even.times();
  MatrixXd samples(at.size(), record.channel_count());
  for (Index c = 0; c < samples.cols(); ++c) {
    samples.col(c) = stretches(record, c, longest, options).everywhere(at);
  }
  return samples;
}

// NaN wherever the record had no samples for too long.
void mark_missing(const Record& record, const VectorXd& at, double longest,
                  const ResampleOptions& options, MatrixXd& samples) {
  for (Index c = 0; c < samples.cols(); ++c) {
    const VectorXd known = stretches(record, c, longest, options).inside(at);
    samples.col(c) = known.array().isNaN().select(known, samples.col(c));
  }
}

MatrixXd resampled_evenly(const Eigen::Ref<const MatrixXd>& even_samples, const TimeAxis& even,
                          double step, const ResampleOptions& options) {
  return options.method == ResampleMethod::Periodic
             ? resample_periodic(even_samples, periodic_size(even, step))
             : resample_band_limited(even_samples, even.step(), step, options.band);
}

void check_values(std::string_view function, const Eigen::Ref<const MatrixXd>& values) {
  for (Index c = 0; c < values.cols(); ++c) {
    for (Index k = 0; k < values.rows(); ++k) {
      if (std::isinf(values(k, c))) {
        throw InvalidInput(
            {.function = std::string(function),
             .argument = "values",
             .rule = "must be finite or NaN",
             .value = fmt::format("{} at sample {}{}", values(k, c), k + 1,
                                  values.cols() > 1 ? fmt::format(" of channel {}", c + 1) : "")});
      }
    }
  }
}

}  // namespace

MatrixXd resample_periodic(const Eigen::Ref<const MatrixXd>& values, Index samples) {
  check::at_least("resample_periodic", "number of values", values.rows(), 1);
  check::at_least("resample_periodic", "samples", samples, 1);
  check::all_finite("resample_periodic", "values", values);
  FftPlan forward(values.rows());
  FftPlan backward(samples);
  MatrixXd result(samples, values.cols());
  for (Index c = 0; c < values.cols(); ++c) {
    const VectorXcd old = forward.forward_real(values.col(c));
    result.col(c) = backward.inverse_real(moved_spectrum(old, values.rows(), samples));
  }
  return result;
}

VectorXd fill_missing(const ConstVector& times, const ConstVector& values, double longest) {
  check::size("fill_missing", "number of values", values.size(), times.size());
  check_increasing("fill_missing", "times", times);
  check::non_negative("fill_missing", "longest", longest);
  check_values("fill_missing", values);
  const VectorXd filled = Stretches(times, values, longest).inside(times);
  return values.array().isNaN().select(filled, values);
}

Record resample(const Record& record, double step, const ResampleOptions& options) {
  check::positive("resample", "step", step);
  check::at_least("resample", "number of samples", record.size(), 2);
  check_values("resample", record.samples());
  const TimeAxis& time = record.time();
  const double longest = longest_gap(record, options);
  const auto finished = [&](MatrixXd samples) {
    const TimeAxis axis = TimeAxis::uniform(samples.rows(), step, time.start());
    return Record(axis, record.channels(), std::move(samples), record.title());
  };
  if (options.method == ResampleMethod::CubicSpline ||
      options.method == ResampleMethod::QuinticSpline) {
    const Index samples = grid_size(time[time.size() - 1] - time.start(), step);
    const VectorXd at = TimeAxis::uniform(samples, step, time.start()).times();
    return finished(through_splines(record, at, longest, options));
  }
  const TimeAxis even = even_axis(time, options);
  if (time.common_step() && !record.has_missing()) {
    return finished(resampled_evenly(record.samples(), even, step, options));
  }
  MatrixXd samples =
      resampled_evenly(filled_samples(record, even, longest, options), even, step, options);
  const VectorXd at = TimeAxis::uniform(samples.rows(), step, time.start()).times();
  mark_missing(record, at, longest, options, samples);
  return finished(std::move(samples));
}

}  // namespace alembert::signal
