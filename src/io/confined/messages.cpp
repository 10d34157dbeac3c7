#include "io/confined/messages.hpp"

#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"

namespace alembert::io {

namespace {

enum class ErrorKind : std::uint64_t { Data, NoTime, Input, Memory, Other };

std::uint64_t wire(Eigen::Index value) { return static_cast<std::uint64_t>(value); }

void send_doubles(PipeWriter& pipe, const double* values, Eigen::Index count) {
  pipe.bytes(values, static_cast<std::size_t>(count) * sizeof(double));
}

void send_kind(PipeWriter& pipe, ErrorKind kind) { pipe.put(static_cast<std::uint64_t>(kind)); }

void send_placed(PipeWriter& pipe, ErrorKind kind, const PlacedError& error) {
  send_kind(pipe, kind);
  pipe.put(error.place().file);
  pipe.put(std::uint64_t{error.place().line});
  pipe.put(std::uint64_t{error.place().column});
  pipe.put(static_cast<std::uint64_t>(error.place().byte));
  pipe.put(error.reason());
}

void send_axis(PipeWriter& pipe, const signal::TimeAxis& axis) {
  pipe.put(wire(axis.size()));
  pipe.put(std::uint64_t{axis.is_uniform()});
  if (axis.is_uniform()) {
    pipe.put(axis.step());
    pipe.put(axis.start());
  } else {
    const Eigen::VectorXd times = axis.times();
    send_doubles(pipe, times.data(), times.size());
  }
}

signal::TimeAxis receive_axis(PipeReader& pipe) {
  const std::uint64_t size = pipe.number();
  if (size > static_cast<std::uint64_t>(std::numeric_limits<Eigen::Index>::max())) {
    throw BrokenPipe{};
  }
  const auto samples = static_cast<Eigen::Index>(size);
  if (pipe.number() != 0) {
    const double step = pipe.real();
    const double start = pipe.real();
    return signal::TimeAxis::uniform(samples, step, start);
  }
  pipe.require(size, sizeof(double));
  Eigen::VectorXd times(samples);
  pipe.bytes(times.data(), static_cast<std::size_t>(samples) * sizeof(double));
  return signal::TimeAxis::given(std::move(times));
}

signal::Record receive_record(PipeReader& pipe) {
  std::string title = pipe.text();
  signal::TimeAxis axis = receive_axis(pipe);
  std::vector<signal::Channel> channels(pipe.count(3 * sizeof(std::uint64_t)));
  for (signal::Channel& channel : channels) {
    channel.name = pipe.text();
    channel.unit = pipe.text();
    channel.description = pipe.text();
  }
  Eigen::MatrixXd samples;
  receive(pipe, samples);
  return {std::move(axis), std::move(channels), std::move(samples), std::move(title)};
}

}  // namespace

void send(PipeWriter& pipe, const Eigen::MatrixXd& matrix) {
  pipe.put(wire(matrix.rows()));
  pipe.put(wire(matrix.cols()));
  send_doubles(pipe, matrix.data(), matrix.size());
}

void receive(PipeReader& pipe, Eigen::MatrixXd& matrix) {
  const std::uint64_t rows = pipe.number();
  const std::uint64_t columns = pipe.number();
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  if (rows > 0 && columns > 0) {
    pipe.require(rows, sizeof(double));
    pipe.require(columns, rows * sizeof(double));
  } else if (std::max(rows, columns) > kMost) {
    throw BrokenPipe{};
  }
  matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  pipe.bytes(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(double));
}

void send(PipeWriter& pipe, const Eigen::SparseMatrix<double>& matrix) {
  pipe.put(wire(matrix.rows()));
  pipe.put(wire(matrix.cols()));
  pipe.put(wire(matrix.nonZeros()));
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      pipe.put(wire(entry.row()));
      pipe.put(wire(entry.col()));
      pipe.put(entry.value());
    }
  }
}

void receive(PipeReader& pipe, Eigen::SparseMatrix<double>& matrix) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  const std::uint64_t rows = pipe.number();
  const std::uint64_t columns = pipe.number();
  if (rows > kMost || columns > kMost) throw BrokenPipe{};
  std::vector<Eigen::Triplet<double>> entries(pipe.count(3 * sizeof(double)));
  for (Eigen::Triplet<double>& entry : entries) {
    const std::uint64_t i = pipe.number();
    const std::uint64_t j = pipe.number();
    if (i >= rows || j >= columns) throw BrokenPipe{};
    entry = {static_cast<int>(i), static_cast<int>(j), pipe.real()};
  }
  matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  matrix.setFromTriplets(entries.begin(), entries.end());
}

void send(PipeWriter& pipe, const std::vector<StoredArray>& list) {
  pipe.put(std::uint64_t{list.size()});
  for (const StoredArray& array : list) {
    pipe.put(array.name);
    pipe.put(array.type);
    pipe.put(std::uint64_t{array.size.size()});
    for (const long long side : array.size) pipe.put(static_cast<std::uint64_t>(side));
  }
}

void receive(PipeReader& pipe, std::vector<StoredArray>& list) {
  list.resize(pipe.count(3 * sizeof(std::uint64_t)));
  for (StoredArray& array : list) {
    array.name = pipe.text();
    array.type = pipe.text();
    array.size.resize(pipe.count(sizeof(std::uint64_t)));
    for (long long& side : array.size) side = static_cast<long long>(pipe.number());
  }
}

void send(PipeWriter& pipe, const signal::Records& records) {
  pipe.put(std::uint64_t{records.size()});
  for (const signal::Record& record : records) {
    pipe.put(record.title());
    send_axis(pipe, record.time());
    pipe.put(std::uint64_t{record.channels().size()});
    for (const signal::Channel& channel : record.channels()) {
      pipe.put(channel.name);
      pipe.put(channel.unit);
      pipe.put(channel.description);
    }
    send(pipe, record.samples());
  }
}

void receive(PipeReader& pipe, signal::Records& records) {
  const std::size_t count = pipe.count(6 * sizeof(std::uint64_t));
  records.clear();
  for (std::size_t k = 0; k < count; ++k) records.push_back(receive_record(pipe));
}

void send_error(PipeWriter& pipe) {
  try {
    throw;
  } catch (const NoTimeAxis& error) {
    send_placed(pipe, ErrorKind::NoTime, error);
  } catch (const PlacedError& error) {
    send_placed(pipe, ErrorKind::Data, error);
  } catch (const InvalidInput& error) {
    const InvalidInput::Parts& parts = error.parts();
    send_kind(pipe, ErrorKind::Input);
    for (const std::string& part :
         {parts.function, parts.item, parts.argument, parts.rule, parts.value}) {
      pipe.put(part);
    }
  } catch (const std::bad_alloc&) {
    send_kind(pipe, ErrorKind::Memory);
  } catch (const std::exception& error) {
    send_kind(pipe, ErrorKind::Other);
    pipe.put(std::string(error.what()));
  }
}

void receive_error(PipeReader& pipe) {
  const auto kind = static_cast<ErrorKind>(pipe.number());
  if (kind == ErrorKind::Memory) throw std::bad_alloc();
  if (kind == ErrorKind::Input) {
    InvalidInput::Parts parts;
    for (std::string* part :
         {&parts.function, &parts.item, &parts.argument, &parts.rule, &parts.value}) {
      *part = pipe.text();
    }
    throw InvalidInput(parts);
  }
  if (kind == ErrorKind::Other) throw std::runtime_error(pipe.text());
  Place place;
  place.file = pipe.text();
  place.line = static_cast<std::size_t>(pipe.number());
  place.column = static_cast<std::size_t>(pipe.number());
  place.byte = static_cast<long long>(pipe.number());
  const std::string reason = pipe.text();
  if (kind == ErrorKind::NoTime) throw NoTimeAxis(place, reason);
  throw DataError(place, reason);
}

}  // namespace alembert::io
