#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/signal/record.hpp"

/// Random records and their comparison, for tests of readers and writers.
namespace alembert::test {

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

/// Two records are the same bit for bit: title, channels, time axis, samples. Any NaN equals any
/// other.
inline testing::AssertionResult same_record(const signal::Record& actual,
                                            const signal::Record& expected) {
  const auto differ = [] { return testing::AssertionFailure(); };
  if (actual.title() != expected.title()) {
    return differ() << "title '" << actual.title() << "', expected '" << expected.title() << "'";
  }
  if (actual.size() != expected.size() || actual.channel_count() != expected.channel_count()) {
    return differ() << actual.size() << " x " << actual.channel_count() << ", expected "
                    << expected.size() << " x " << expected.channel_count();
  }
  for (std::size_t c = 0; c < expected.channels().size(); ++c) {
    const signal::Channel& is = actual.channels()[c];
    const signal::Channel& wanted = expected.channels()[c];
    if (!(is == wanted)) {
      return differ() << "channel " << c << ": '" << is.name << "' [" << is.unit << "] '"
                      << is.description << "', expected '" << wanted.name << "' [" << wanted.unit
                      << "] '" << wanted.description << "'";
    }
  }
  if (actual.time().is_uniform() != expected.time().is_uniform()) {
    return differ() << "uniform: " << actual.time().is_uniform();
  }
  if (expected.time().is_uniform() &&
      (!same_bits(actual.time().step(), expected.time().step()) ||
       !same_bits(actual.time().start(), expected.time().start()))) {
    return differ() << "step " << actual.time().step() << ", start " << actual.time().start();
  }
  for (Eigen::Index k = 0; k < expected.size(); ++k) {
    if (!same_bits(actual.time()[k], expected.time()[k])) {
      return differ() << "time " << k << ": " << actual.time()[k];
    }
    for (Eigen::Index c = 0; c < expected.channel_count(); ++c) {
      if (!same_bits(actual.samples()(k, c), expected.samples()(k, c))) {
        return differ() << "sample " << k << " of channel " << c << ": " << actual.samples()(k, c)
                        << ", expected " << expected.samples()(k, c);
      }
    }
  }
  return testing::AssertionSuccess();
}

/// A number of any size: mostly ordinary, sometimes huge, tiny, integer, signed zero or NaN.
inline double odd_number(std::mt19937_64& engine) {
  const double unit = std::uniform_real_distribution<double>(-1.0, 1.0)(engine);
  switch (engine() % 12) {
    case 0:
      return std::nan("");
    case 1:
      return unit * 1e300;
    case 2:
      return unit * 1e-310;
    case 3:
      return std::round(unit * 1000.0);
    case 4:
      return -0.0;
    case 5:
      return unit * 1e-5;
    default:
      return unit;
  }
}

/// What to vary in a random record.
struct RecordShape {
  Eigen::Index samples = 100;
  std::size_t channels = 3;
  bool uniform = true;
  bool odd_names = false;  ///< line breaks, blanks at the ends, names that mean something elsewhere
};

inline std::string random_name(std::mt19937_64& engine, bool odd) {
  static const std::vector<std::string> plain = {"acc", "F1", "u_2", "Weg", "dx"};
  static const std::vector<std::string> strange = {
      "acc x [1]",   "Größe µ",   "tab\there",  "quo\"te",  "comma, semi;",
      " leading",    "trailing ", "two\nlines", "-1",       "    -1",
      "NONE",        "t",         "time",       "1st",      "a/b.c",
      "back\\slash", "name.re",   "fs",         "\xB5m",    "%",
      "#comment",    "alembert",  "for",        "return\r", std::string(100, 'x'),
      "\\s",         "日本",      "\U0001D6FC"};
  const auto& names = odd ? strange : plain;
  return names[engine() % names.size()];
}

/// A record with every part set at random.
inline signal::Record random_record(std::mt19937_64& engine, const RecordShape& shape) {
  std::vector<signal::Channel> channels;
  for (std::size_t c = 0; c < shape.channels; ++c) {
    std::string name = random_name(engine, shape.odd_names);
    for (const signal::Channel& other : channels) {
      if (other.name == name) {
        name += std::to_string(c);
      }
    }
    channels.push_back({name, engine() % 3 == 0 ? "m/s^2" : random_name(engine, shape.odd_names),
                        engine() % 2 == 0 ? "" : random_name(engine, shape.odd_names)});
  }
  Eigen::MatrixXd samples(shape.samples, static_cast<Eigen::Index>(shape.channels));
  for (double& value : samples.reshaped()) {
    value = odd_number(engine);
  }
  std::uniform_real_distribution<double> positive(1e-4, 1.0);
  const double start = engine() % 2 == 0 ? 0.0 : positive(engine) - 0.5;
  Eigen::VectorXd times(shape.samples);
  double time = start;
  for (double& value : times) {
    value = time;
    time += positive(engine);
  }
  signal::TimeAxis axis = shape.uniform
                              ? signal::TimeAxis::uniform(shape.samples, positive(engine), start)
                              : signal::TimeAxis::given(std::move(times));
  return {std::move(axis), std::move(channels), std::move(samples),
          engine() % 3 == 0 ? "" : random_name(engine, shape.odd_names)};
}

/// The message of the DataError that a call throws, or "no DataError". Others fly on.
template <typename Call>
std::string data_error_of(const Call& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no DataError";
}

}  // namespace alembert::test
