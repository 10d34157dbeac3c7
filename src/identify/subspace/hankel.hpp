#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/experiment.hpp"

/// Compression of the block Hankel matrix of inputs and outputs to a triangle, at a cost linear in
/// the number of samples and with memory that does not depend on it.
namespace alembert::identify::realisation {

/// Every stride-th sample of an experiment from `first` on: with a stride r an experiment is r
/// such sequences, whose Hankel columns together begin at every sample.
struct Sequence {
  const Experiment* experiment = nullptr;
  Eigen::Index first = 0, stride = 1, length = 0;
};
[[nodiscard]] std::vector<Sequence> sequences(const Experiments& data, Eigen::Index stride);

/// Root mean square of each channel over all experiments; 1 for a channel of zeros. All that
/// follows works on channels divided by these, so that units change nothing.
struct ChannelScales {
  Eigen::VectorXd input, output;
};
[[nodiscard]] ChannelScales channel_scales(const Experiments& data);

/// Number of columns 2 s samples long in all sequences.
[[nodiscard]] Eigen::Index hankel_columns(const std::vector<Sequence>& data, Eigen::Index horizon);

/// Samples begin..begin+count-1 of a sequence, scaled: column k is w = (u; y), m + p numbers;
/// columns beyond the end are zero.
void fill_samples(const Sequence& sequence, const ChannelScales& scales, Eigen::Index begin,
                  Eigen::Ref<Eigen::MatrixXd> samples);

/// The same with one row per sample; all must exist.
void fill_rows(const Sequence& sequence, const ChannelScales& scales, Eigen::Index begin,
               Eigen::Ref<Eigen::MatrixXd> inputs, Eigen::Ref<Eigen::MatrixXd> outputs);

/// Records at least this long are worth a thread start.
constexpr Eigen::Index kLongRecord = 10000;

/// Place of channel c of block row i (0..2s-1) in the order (U_f; U_p; Y_p; Y_f).
[[nodiscard]] Eigen::Index hankel_row(Eigen::Index block, Eigen::Index channel, Eigen::Index inputs,
                                      Eigen::Index outputs, Eigen::Index horizon);

/// The lower triangle L of
///
///   | U_f |       | L11          |
///   | W_p |  =    | L21 L22      | Q,    W_p = (U_p; Y_p),  Q Qᵀ = I
///   | Y_f |       | L31 L32 L33  |
///
/// with the past p of s block rows and the future f of s block rows.
struct Compression {
  Eigen::MatrixXd L;
  Eigen::Index inputs = 0, outputs = 0, horizon = 0;
  Eigen::Index columns = 0;  ///< of the Hankel matrix
  bool by_gram = false;      ///< else by orthogonal transformations

  [[nodiscard]] Eigen::Index future_inputs() const { return horizon * inputs; }
  [[nodiscard]] Eigen::Index past() const { return horizon * (inputs + outputs); }
  [[nodiscard]] Eigen::Index future_outputs() const { return horizon * outputs; }
};

/// How the triangle is computed.
enum class CompressionWay {
  Automatic,  ///< Gram where it is as good, else Orthogonal
  Gram,       ///< Cholesky factor of the Gram matrix, regularised where it must be
  Orthogonal  ///< QR factorisations of blocks of columns
};

/// @param exact_inverse the user will invert L22 (N4SID): the Gram way is then taken only for a
///   well-conditioned triangle.
/// @param threads for long records; 0 takes all cores. The digits do not depend on it.
[[nodiscard]] Compression compress(const std::vector<Sequence>& data, const ChannelScales& scales,
                                   Eigen::Index horizon, bool exact_inverse,
                                   CompressionWay way = CompressionWay::Automatic, int threads = 0);

/// Gram matrix of the Hankel matrix in the order of hankel_row().
///
///   G(i,j) = Σ_k w(k+i) w(k+j)ᵀ = S(i-j) - edges,   S(d) = Σ_k w(k+d) w(k)ᵀ
///
/// A Hankel matrix padded with zeros at both ends has a block Toeplitz Gram matrix, so only the 2s
/// lagged products S are summed over the record; the 2s - 1 padded columns at each end are then
/// taken off.
struct HankelGram {
  Eigen::MatrixXd G;        ///< symmetric, lower triangle
  double edge_share = 0.0;  ///< smallest G_ii / S(0)_ii: small means cancellation
};
[[nodiscard]] HankelGram hankel_gram(const std::vector<Sequence>& data, const ChannelScales& scales,
                                     Eigen::Index horizon, int threads = 0);

/// L by QR factorisation of the columns in blocks, each with the triangle of those before.
[[nodiscard]] Eigen::MatrixXd hankel_triangle(const std::vector<Sequence>& data,
                                              const ChannelScales& scales, Eigen::Index horizon);

}  // namespace alembert::identify::realisation
