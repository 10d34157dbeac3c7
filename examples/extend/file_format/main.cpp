// A file format of one's own: a logger that writes a line of text and then blocks of 16-bit counts.
#include <fmt/core.h>

#include <alembert/core/error.hpp>
#include <alembert/io/csv.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

/// "LOGGER1 rate=200 scale=0.001 channels=force,motion", then the samples, channel by channel in
/// each row, little-endian. What breaks a rule is a DataError with the place.
alembert::signal::Record read_logger(const std::filesystem::path& file) {
  using alembert::DataError;
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line)) throw DataError({.file = file.string()}, "cannot be read");
  double rate = 0.0, scale = 0.0;
  std::array<char, 256> names{};
  if (std::sscanf(line.c_str(), "LOGGER1 rate=%lf scale=%lf channels=%255s", &rate, &scale,
                  names.data()) != 3 ||
      !(rate > 0.0)) {
    throw DataError({.file = file.string(), .line = 1}, "is no header of LOGGER1");
  }
  std::vector<alembert::signal::Channel> channels;
  std::istringstream list(names.data());
  for (std::string name; std::getline(list, name, ',');) channels.push_back({name});

  const auto begin = static_cast<std::uintmax_t>(line.size() + 1);
  const auto row = static_cast<std::uintmax_t>(2 * channels.size());
  const std::uintmax_t bytes = std::filesystem::file_size(file) - begin;
  if (bytes % row != 0) {
    throw DataError({.file = file.string(), .byte = static_cast<long long>(begin + bytes)},
                    "ends inside a row");
  }
  Eigen::MatrixXd samples(static_cast<Eigen::Index>(bytes / row),
                          static_cast<Eigen::Index>(channels.size()));
  for (Eigen::Index k = 0; k < samples.rows(); ++k) {
    for (Eigen::Index c = 0; c < samples.cols(); ++c) {
      const int low = stream.get(), high = stream.get();
      samples(k, c) = scale * static_cast<std::int16_t>(low | high << 8);
    }
  }
  return {alembert::signal::TimeAxis::uniform(samples.rows(), 1.0 / rate), channels, samples};
}

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "alembert-logger-example";
  std::filesystem::create_directories(folder);
  {  // what the logger wrote
    std::ofstream stream(folder / "run.log", std::ios::binary);
    stream << "LOGGER1 rate=200 scale=0.001 channels=force,motion\n";
    for (int k = 0; k < 400; ++k) {
      for (const double value : {std::sin(0.1 * k), -0.5 * std::cos(0.1 * k)}) {
        const auto count = static_cast<std::uint16_t>(std::lround(1000.0 * value));
        stream.put(static_cast<char>(count & 0xFF)).put(static_cast<char>(count >> 8));
      }
    }
  }
  const auto record = read_logger(folder / "run.log");
  // From here on it is a record like any other; as CSV, studies and the tool read it too.
  alembert::io::write_csv(folder / "run.csv", record);
  const auto again = alembert::io::read_csv(folder / "run.csv");
  fmt::print("{} samples of {} channels, step {} s; largest force {:.3f}\n", record.size(),
             record.channel_count(), again.time().step(), record.values("force").maxCoeff());

  std::filesystem::resize_file(folder / "run.log", 100);
  std::string message;
  try {
    static_cast<void>(read_logger(folder / "run.log"));
  } catch (const alembert::DataError& error) {
    message = error.reason();
  }
  fmt::print("cut off: {}\n", message);
  std::filesystem::remove_all(folder);
  const bool same = again.samples() == record.samples() && record.size() == 400;
  // A count is 0.001, so each sample is known to half of it.
  const bool close = std::abs(record.values("motion")(10) + 0.5 * std::cos(1.0)) < 0.0005 + 1e-12;
  return same && close && message == "ends inside a row" ? 0 : 1;
}
