#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <type_traits>
#include <vector>

#include "alembert/io/stored_array.hpp"
#include "alembert/signal/record.hpp"
#include "io/confined/pipe.hpp"

/// Results of readers on their way through a pipe, bit for bit.
namespace alembert::io {

void send(PipeWriter& pipe, const Eigen::MatrixXd& matrix);
void send(PipeWriter& pipe, const Eigen::SparseMatrix<double>& matrix);
void send(PipeWriter& pipe, const std::vector<StoredArray>& list);
void send(PipeWriter& pipe, const signal::Records& records);

/// @throws BrokenPipe, or InvalidInput of a record that cannot be.
void receive(PipeReader& pipe, Eigen::MatrixXd& matrix);
void receive(PipeReader& pipe, Eigen::SparseMatrix<double>& matrix);
void receive(PipeReader& pipe, std::vector<StoredArray>& list);
void receive(PipeReader& pipe, signal::Records& records);

/// Sends the exception that is being handled; receive_error() throws it again on the other side.
void send_error(PipeWriter& pipe);
[[noreturn]] void receive_error(PipeReader& pipe);

}  // namespace alembert::io
