#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/io/archive.hpp"
#include "alembert/io/npy.hpp"
#include "io/file/file_content.hpp"
#include "io/npy/zip.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {
namespace npy {
namespace {

// The header of version 1 is filled with blanks to a multiple of 64 bytes.
std::string array_header(const std::string& type, const std::string& shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': {}, }}", type, shape);
  constexpr std::size_t kFront = 10;
  text.append(63 - (kFront + text.size()) % 64, ' ');
  text += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(text.size() & 0xFFU);
  result += static_cast<char>(text.size() >> 8U);
  return result + text;
}

const char* number_type() { return std::endian::native == std::endian::little ? "<f8" : ">f8"; }

std::string array_of(const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::string text = array_header(number_type(), fmt::format("({},)", values.size()));
  const std::size_t front = text.size();
  text.resize(front + static_cast<std::size_t>(values.size()) * sizeof(double));
  if (values.size() > 0) {
    std::memcpy(text.data() + front, values.data(), text.size() - front);
  }
  return text;
}

// Texts as bytes of UTF-8, all of the length of the longest: numpy gives them as bytes (S).
std::string array_of(const std::vector<std::string>& texts) {
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    longest = std::max(longest, text.size());
  }
  std::string result =
      array_header(fmt::format("|S{}", longest), fmt::format("({},)", texts.size()));
  for (std::string text : texts) {
    text.resize(longest, '\0');
    result += text;
  }
  return result;
}

std::string array_of_matrix(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  std::string text =
      array_header(number_type(), fmt::format("({}, {})", matrix.rows(), matrix.cols()));
  for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
    const Eigen::VectorXd values = matrix.col(column);
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    text.append(bytes, static_cast<std::size_t>(values.size()) * sizeof(double));
  }
  return text;
}

}  // namespace
}  // namespace npy

void write_npz(const std::filesystem::path& file, const signal::Record& record) {
  const Place place{.file = file.string()};
  if (record.channel_count() == 0) {
    throw InvalidInput(
        {.function = "write_npz", .argument = "record", .rule = "must have a channel"});
  }
  std::vector<std::string> names{"t"};
  std::vector<std::string> given;
  std::vector<std::string> units;
  for (const signal::Channel& channel : record.channels()) {
    names.push_back(channel.name);
    given.push_back(channel.name);
    units.push_back(channel.unit);
  }
  names.insert(names.begin() + 1, {"names", "units"});
  make_unique(names);
  std::vector<std::pair<std::string, std::string>> members;
  members.emplace_back("t.npy", npy::array_of(record.time().times()));
  for (Eigen::Index c = 0; c < record.channel_count(); ++c) {
    members.emplace_back(names[static_cast<std::size_t>(c) + 3] + ".npy",
                         npy::array_of(Eigen::VectorXd(record.samples().col(c))));
  }
  members.emplace_back("names.npy", npy::array_of(given));
  members.emplace_back("units.npy", npy::array_of(units));
  write_content(file, npy::packed_archive(members, place));
}

void write_archive(const std::filesystem::path& file, const std::vector<ArchiveMember>& members) {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(members.size());
  for (const ArchiveMember& member : members) pairs.emplace_back(member.name, member.content);
  write_content(file, npy::packed_archive(pairs, {.file = file.string()}));
}

void write_npz_matrices(const std::filesystem::path& file,
                        const std::vector<NamedMatrix>& matrices) {
  std::vector<ArchiveMember> members;
  members.reserve(matrices.size());
  for (const NamedMatrix& matrix : matrices) {
    members.push_back({matrix.name + ".npy", npy::array_of_matrix(matrix.values)});
  }
  write_archive(file, members);
}

void write_npy_matrix(const std::filesystem::path& file,
                      const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  write_content(file, npy::array_of_matrix(matrix));
}

}  // namespace alembert::io
