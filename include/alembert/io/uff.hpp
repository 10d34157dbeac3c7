#pragma once

#include <Eigen/Core>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Universal files (.uff, .unv): dataset 58, functions at nodal degrees of freedom, as text (58) or
/// binary (58b); field numbers and formats as published by the Structural Dynamics Research
/// Laboratory of the University of Cincinnati [SDRL-UFF].
namespace alembert::io {

/// One axis of a function: records 8 to 11 of dataset 58.
struct UffAxis {
  int data_type = 0;  ///< specific data type: 8 displacement, 12 acceleration, 17 time, ...
  int length_exponent = 0;
  int force_exponent = 0;
  int temperature_exponent = 0;
  std::string label = {};  ///< quantity, "NONE" or "" when unknown
  std::string unit = {};   ///< unit, "NONE" or "" when unknown

  bool operator==(const UffAxis&) const = default;
};

/// The units in force: dataset 164. Values in SI = values in the file / factor.
struct UffUnits {
  int code = 0;  ///< 1 SI, 2 foot and pound, ..., 9 user-defined; 0: the file has no dataset 164
  std::string description = {};
  double length = 1.0;
  double force = 1.0;
  double temperature = 1.0;
  double temperature_offset = 0.0;

  bool operator==(const UffUnits&) const = default;
};

/// One function of dataset 58 with all its header fields.
struct UffFunction {
  std::array<std::string, 5> id = {};  ///< records 1 to 5, without trailing blanks
  int type =
      0;  ///< 0 unknown, 1 time response, 2 auto spectrum, 4 frequency response, 6 coherence, ...
  long long number = 0;  ///< function identification number
  int version = 0;       ///< version or sequence number
  long long load_case = 0;
  std::string response_name = "NONE";
  long long response_node = 0;
  int response_direction =
      0;  ///< 0 scalar; 1, 2, 3: +X, +Y, +Z; 4, 5, 6: about them; negative: opposite
  std::string reference_name = "NONE";
  long long reference_node = 0;
  int reference_direction = 0;
  bool single_precision = false;  ///< how the values are stored; here they are double
  double z_value = 0.0;
  UffAxis abscissa = {};
  UffAxis ordinate = {};
  UffAxis denominator = {};
  UffAxis z_axis = {};
  UffUnits units = {};

  double start = 0.0;              ///< first abscissa of an even axis
  double step = 0.0;               ///< distance on an even axis
  Eigen::VectorXd x = {};          ///< abscissae of an uneven axis; empty: even
  Eigen::VectorXd real = {};       ///< values, or their real parts
  Eigen::VectorXd imaginary = {};  ///< imaginary parts; empty: the function is real
  Place place = {};                ///< where the function begins in its file

  [[nodiscard]] bool is_even() const { return x.size() == 0; }
  [[nodiscard]] bool is_complex() const { return imaginary.size() > 0; }
  /// The abscissae of all points.
  [[nodiscard]] Eigen::VectorXd abscissae() const;
  /// The values as complex numbers.
  [[nodiscard]] Eigen::VectorXcd complex_values() const;
};

/// What a universal file holds.
struct UffContent {
  std::vector<UffFunction> functions;
  std::vector<int>
      datasets;  ///< number of each dataset in file order; all but 58 and 164 are skipped
};

/// How to write a universal file.
struct UffOptions {
  /// Dataset 58b, which keeps every bit. As text a value has 20 columns (12 to 17 digits), the
  /// abscissa of an uneven axis 13 columns (6 to 11 digits).
  bool binary = true;
  bool big_endian = false;  ///< byte order of 58b
};

/// Reads dataset 58 of a universal file: text and binary, real and complex, single and double
/// precision, even and uneven abscissa, either byte order. Of 58b, IEEE numbers only.
///
/// The abscissae of a binary double-precision uneven function may be single (as the format's text
/// form suggests) or double (as programs write): the one that the closing line confirms is taken.
/// @throws DataError with the line, or behind binary data with the byte.
[[nodiscard]] std::vector<UffFunction> read_uff_functions(const std::filesystem::path& file);

/// The same from bytes in memory, with the list of datasets; `file` is the name used in messages.
/// @throws DataError
[[nodiscard]] UffContent parse_uff(std::string_view content, const std::string& file);

/// Reads the time responses of a universal file (function type 1, or type 0 over time). Functions
/// on the same abscissae form one record; one that names a response already in it begins another.
///
/// Channels: name from ID line 1 where these lines differ within a record, else from the response
/// degree of freedom ("12:+X", "wing 12:-RZ"); unit from the ordinate's unit label, or from its
/// data type where a dataset 164 says SI; complex values become NAME.re and NAME.im. Title: ID line
/// 2 where all agree. Values are never scaled; a time axis in ms or us is converted to s.
/// `options.dataset` selects records by title; `options.time` counts in the unit of its channel.
///
/// The file is held while it is parsed, and given back dataset by dataset; so are the functions
/// while records are made of them. The peak of memory is the larger of the file and of the numbers
/// in it (repeated abscissae of uneven axes included), and one function. Measured, in numbers of
/// the records: 1.1 for binary files of 10 x 2e6 and 2000 x 1e4 samples, 2.2 with uneven abscissae,
/// 2.6 for text.
/// @throws DataError as read_uff_functions, and where the file holds no time response.
[[nodiscard]] signal::Records read_uff(const std::filesystem::path& file,
                                       const ReadOptions& options = {});

/// The same from bytes in memory; `file` is the name used in messages. @throws DataError
[[nodiscard]] signal::Records parse_uff_records(std::string_view content, const std::string& file,
                                                const ReadOptions& options = {});

/// Writes functions, one dataset each. @throws InvalidInput if the numbers of abscissae, real and
/// imaginary parts disagree, or if rounding to the columns of the text form would make two
/// abscissae equal; DataError if the file cannot be written.
void write_uff_functions(const std::filesystem::path& file,
                         const std::vector<UffFunction>& functions, const UffOptions& options = {});

/// Writes records: one time response per channel, double precision. ID line 1 is the channel's
/// name, 2 the title, 4 the description; 5 says which record it belongs to and repeats start
/// and step with all digits, for which record 7 has no room. Read back in binary form, the
/// records are the same bit for bit. @throws InvalidInput, DataError as write_uff_functions.
void write_uff(const std::filesystem::path& file, const signal::Records& records,
               const UffOptions& options = {});

}  // namespace alembert::io
