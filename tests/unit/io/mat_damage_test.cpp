// Damaged MATLAB files of version 5: nothing of them may be taken for numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "alembert/io/mat.hpp"
#include "support/data.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace mat_damage_test {

using test::data_error_of;
using test::same_record;
using testing::HasSubstr;

constexpr std::size_t kSamples = 60;

// Elements put together byte by byte, by the published layout of MAT-files.
std::string word(std::uint32_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return bytes;
}

std::string part(std::uint32_t type, const std::string& data) {
  return word(type) + word(static_cast<std::uint32_t>(data.size())) + data +
         std::string((8 - data.size() % 8) % 8, '\0');
}

std::string head(std::uint32_t kind, std::uint32_t rows, std::uint32_t columns) {
  return part(6, word(kind) + word(0)) + part(5, word(rows) + word(columns)) + part(1, "u");
}

std::string doubles(const std::vector<double>& values) {
  std::string bytes(8 * values.size(), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return part(9, bytes);
}

std::string element(const std::string& body) { return part(14, body); }

std::string file_of(const std::string& elements) {
  std::string header("MATLAB 5.0 MAT-file");
  header.resize(124, ' ');
  return header + std::string("\x00\x01IM", 4) + elements;
}

std::string deflated(const std::string& content) {
  uLongf size = compressBound(content.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(content.data()), content.size(), 9);
  packed.resize(size);
  return word(15) + word(static_cast<std::uint32_t>(size)) + packed;
}

std::string message(const std::string& content, const ReadOptions& options = {}) {
  return data_error_of([&] { (void)parse_mat(content, "f.mat", options); });
}

std::string sound_file(const std::function<std::string(const std::string&)>& stored = deflated) {
  std::vector<double> times;
  std::vector<double> values;
  for (std::size_t k = 0; k < kSamples; ++k) {
    times.push_back(0.25 * static_cast<double>(k));
    values.push_back(std::sin(static_cast<double>(k)));
  }
  std::string time = head(6, kSamples, 1);
  time[time.size() - 8] = 't';
  return file_of(stored(element(time + doubles(times))) +
                 stored(element(head(6, kSamples, 1) + doubles(values))));
}

TEST(MatDamage, TheSoundFileIsRead) {
  const signal::Record record = parse_mat(sound_file(), "f.mat").at(0);
  ASSERT_EQ(record.size(), static_cast<Eigen::Index>(kSamples));
  EXPECT_EQ(record.time().step(), 0.25);
  EXPECT_EQ(record.samples()(2, 0), std::sin(2.0));
}

// Adler-32 finds every change of one bit; tags and the header are checked by their form.
TEST(MatDamage, NoFlippedBitOfCompressedDataGivesOtherNumbers) {
  const std::string sound = sound_file();
  const signal::Record expected = parse_mat(sound, "f.mat").at(0);
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string damaged = sound;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    try {
      EXPECT_TRUE(same_record(parse_mat(damaged, "f.mat").at(0), expected)) << "bit " << bit;
    } catch (const DataError&) {
      ++refused;
    }
  }
  // All but the 124 bytes of free text in the header, of which the first ones name the version.
  EXPECT_GE(refused, 8 * (sound.size() - 128));
}

// Without checksums a bit of a number cannot be missed by anybody; all else has its form.
TEST(MatDamage, NoFlippedBitAroundPlainNumbersGivesOtherNumbers) {
  const std::string sound = sound_file([](const std::string& plain) { return plain; });
  const ReadOptions options{.time = "t", .channels = {"u"}};
  const signal::Record expected = parse_mat(sound, "f.mat", options).at(0);
  const std::size_t numbers = 8 * kSamples;
  const std::size_t one = (sound.size() - 128) / 2;  // an element, which ends with its numbers
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    const std::size_t byte = bit / 8;
    if (byte >= 128 && (byte - 128) % one >= one - numbers) continue;
    std::string damaged = sound;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit % 8));
    try {
      const signal::Record record = parse_mat(damaged, "f.mat", options).at(0);
      EXPECT_EQ(record.samples(), expected.samples()) << "byte " << byte;
      EXPECT_EQ(record.time().times(), expected.time().times()) << "byte " << byte;
    } catch (const DataError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 8 * 40);  // tags, sizes, types and names
}

TEST(MatDamage, CutAnywhereIsRefused) {
  const std::string sound = sound_file();
  const std::size_t second = sound.size() - 1;
  for (std::size_t length = 129; length <= second; ++length) {
    EXPECT_THAT(message(sound.substr(0, length)), HasSubstr("f.mat")) << length;
  }
}

// A variable that nobody asks for is damaged: the file is not to be believed.
TEST(MatDamage, VariablesThatAreNotReadAreCheckedToo) {
  const std::string values = element(head(6, 2, 1) + doubles({1.0, 2.0}));
  std::string other = head(6, 2, 1);
  other[other.size() - 8] = 'w';
  std::string damaged = deflated(element(other + doubles({3.0, 4.0})));
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  const ReadOptions options{.step = 1.0, .channels = {"u"}};
  EXPECT_THAT(message(file_of(values + damaged), options), HasSubstr("incorrect data check"));
}

TEST(MatDamage, SizesAreComparedWithWhatIsThere) {
  EXPECT_THAT(message(file_of(element(head(6, 1U << 30U, 1) + doubles({1.0})))),
              HasSubstr("1 numbers where its size says 1073741824"));
  EXPECT_THAT(message(file_of(element(head(6, 2, 1) + word(9) + word(4000))), {.step = 1.0}),
              HasSubstr("a part of 4000 bytes where 0 are left"));
  EXPECT_THAT(message(file_of(deflated(word(14) + word(1U << 30U) + head(6, 1, 1)))),
              HasSubstr("is not believable, compressed to"));
  EXPECT_THAT(message(file_of(word(14) + word(800) + head(6, 1, 1))), HasSubstr("truncated file"));
  EXPECT_THAT(message(file_of(element(head(6, 2, 1) + doubles({1.0, 2.0}) + doubles({2.0}))),
                      {.step = 1.0}),
              HasSubstr("more than it needs"));
  EXPECT_THAT(message(file_of(deflated(element(head(6, 2, 1) + doubles({1.0, 2.0})) + "12345678")),
                      {.step = 1.0}),
              HasSubstr("more bytes than the variable has"));
}

// An array without rows takes no bytes, so that no size of the file bounds its columns.
TEST(MatDamage, ArraysWithoutRowsAreNoChannelsByTheMillion) {
  const std::string wide = element(head(6, 0, 16777215) + part(9, ""));
  EXPECT_THAT(message(file_of(wide), {.step = 1.0}),
              HasSubstr("16777215 channels; at most 100000"));
}

TEST(MatDamage, StructuresAreBounded) {
  const std::string fields = part(5, word(1)) + part(1, "a");
  EXPECT_THAT(message(file_of(element(head(2, 1U << 15U, 1U << 15U) + fields))),
              HasSubstr("structures of 1 fields in 0 bytes"));
  std::string inner = head(6, 1, 1) + doubles({1.0});
  for (int level = 0; level < 70; ++level) inner = head(2, 1, 1) + fields + element(inner);
  EXPECT_THAT(message(file_of(element(inner))), HasSubstr("structures inside 64 others"));
  // As many as one likes of structures without fields hold nothing.
  const std::string none = part(5, word(1)) + part(1, "");
  EXPECT_THAT(message(file_of(element(head(2, 1U << 30U, 1U << 30U) + none))), HasSubstr("f.mat"));
}

// 1 MB of zeros in some thousand bytes: right, but more than is allowed here.
TEST(MatDamage, TheLimitOfMemoryIsKept) {
  const std::string content =
      file_of(deflated(element(head(6, 125000, 1) + doubles(std::vector<double>(125000)))));
  EXPECT_LT(content.size(), 5000U);
  EXPECT_EQ(parse_mat(content, "f.mat", {.step = 1.0}).at(0).size(), 125000);
  EXPECT_THAT(message(content, {.step = 1.0, .limits = {.memory = 500'000}}),
              HasSubstr("needs 1 MB of memory, the limit is 0.5 MB"));
}

// The other byte order, and numbers inside their tags.
TEST(MatDamage, BigEndianAndShortPartsAreRead) {
  test::TemporaryFolder folder;
  const auto turned = [](const std::string& bytes, std::size_t width) {
    std::string result;
    for (std::size_t at = 0; at < bytes.size(); at += width) {
      result.append(bytes.rbegin() + static_cast<std::ptrdiff_t>(bytes.size() - at - width),
                    bytes.rbegin() + static_cast<std::ptrdiff_t>(bytes.size() - at));
    }
    return result;
  };
  std::string number(8, '\0');
  const double value = 0.375;
  std::memcpy(number.data(), &value, 8);
  const std::string body = turned(word(6) + word(8) + word(6) + word(0) + word(5) + word(8) +
                                      word(1) + word(1) + word(0x00010001U),
                                  4) +
                           std::string("u\0\0\0", 4) + turned(word(9) + word(8), 4) +
                           turned(number, 8);
  std::string content =
      file_of(turned(word(14) + word(static_cast<std::uint32_t>(body.size())), 4) + body);
  content.replace(124, 4, std::string("\x01\x00MI", 4));
  const std::filesystem::path path = folder.write("big.mat", content);
  EXPECT_EQ(read_mat_matrix(path, "u")(0, 0), 0.375);
}

// The times stand there too, but the file says that they have a step.
TEST(MatDamage, AStepWithoutAStartIsNamed) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "r.mat";
  for (const MatVersion version : {MatVersion::V5, MatVersion::V73}) {
    write_mat(file,
              {signal::TimeAxis::uniform(4, 0.5), {{"a"}}, Eigen::Vector4d(1, 2, 3, 4), "run"},
              version);
    std::string content = test::read_text(file);
    // The name of the field: in version 5 in a table, in version 7.3 of its link.
    const std::size_t at = content.rfind(std::string("start\0", 6));
    ASSERT_NE(at, std::string::npos);
    content[at + 4] = 's';
    folder.write("r.mat", content);
    EXPECT_THAT(data_error_of([&] { (void)read_mat(file); }),
                HasSubstr(version == MatVersion::V5 ? "has a step without a start"
                                                    : "'alembert_record': cannot be read"));
  }
}

}  // namespace mat_damage_test
}  // namespace alembert::io
