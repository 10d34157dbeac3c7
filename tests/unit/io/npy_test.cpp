#include "alembert/io/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/data.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace npy_test {

using test::data_error_of;
using test::TemporaryFolder;
using testing::HasSubstr;

// An array of version 1, its bytes put together after the description of the format.
std::string npy(const std::string& dictionary, const std::string& bytes) {
  const std::string text = dictionary + "\n";
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(text.size());
  result += '\0';
  return result + text + bytes;
}

const std::string kThreeBytes = "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }";

TEST(Npy, VectorIsAChannel) {
  const signal::Records records =
      parse_npy(npy(kThreeBytes, "\x01\xFF\x7F"), "a.npy", {.step = 0.5});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].samples(), (Eigen::MatrixXd(3, 1) << 1, -1, 127).finished());
  EXPECT_EQ(records[0].channels()[0].name, "c1");
}

TEST(Npy, TimeIsAskedFor) {
  EXPECT_THROW((void)parse_npy(npy(kThreeBytes, "abc"), "a.npy"), NoTimeAxis);
}

TEST(Npy, BrokenHeadersAreNamed) {
  const auto error = [](const std::string& content) {
    return data_error_of([&] { (void)parse_npy(content, "a.npy", {.step = 1.0}); });
  };
  EXPECT_THAT(error("PNG"), HasSubstr("is no array of NumPy"));
  EXPECT_THAT(error(npy(kThreeBytes, "ab")), HasSubstr("2 bytes where its shape needs 3"));
  EXPECT_THAT(error(npy(kThreeBytes, "abcd")), HasSubstr("4 bytes where its shape needs 3"));
  EXPECT_THAT(error(npy("{'descr': '|O8', 'fortran_order': False, 'shape': (1,)}", "12345678")),
              HasSubstr("never loaded"));
  EXPECT_THAT(error(npy("{'descr': '<f8', 'shape': (1,)}", "12345678")), HasSubstr("missing"));
  EXPECT_THAT(error(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2, 2)}",
                        std::string(64, '\0'))),
              HasSubstr("3 dimensions"));
  EXPECT_THAT(error(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, "
                        "4294967296, 4294967296)}",
                        "")),
              HasSubstr("not believable"));
}

// The fields of the first type would be looked for a megabyte behind the eight bytes of numbers.
TEST(Npy, AnEntryThatStandsTwiceIsRefused) {
  const std::string twice =
      npy("{'descr': [('a', '<f8'), ('b', '|V1000000'), ('u', '<f8')], 'descr': '<f8', "
          "'fortran_order': False, "
          "'shape': (1,)}",
          "12345678");
  EXPECT_THAT(data_error_of([&] { (void)parse_npy(twice, "a.npy", {.step = 1.0}); }),
              HasSubstr("entry 'descr' stands twice"));
}

// No byte stands for 2^60 columns of no rows; going through them would take years.
TEST(Npy, AnArrayOfNothingIsRefusedAtOnce) {
  for (const char* shape : {"(0, 1152921504606846976)", "(288230376151711744, 0)", "(0,)"}) {
    const std::string none =
        npy(std::string("{'descr': '<f8', 'fortran_order': False, 'shape': ") + shape + "}", "");
    EXPECT_THAT(data_error_of([&] { (void)parse_npy(none, "a.npy", {.step = 1.0}); }),
                HasSubstr("holds no numbers"));
  }
}

// An archive whose directory has a second entry for the bytes of the first.
TEST(Npy, MembersOverEachOtherAreRefused) {
  const TemporaryFolder folder;
  const signal::Record record(signal::TimeAxis::uniform(2, 1.0), {{"F"}},
                              (Eigen::MatrixXd(2, 1) << 1, 2).finished());
  write_npz(folder.path() / "r.npz", record);
  std::string content = test::read_text(folder.path() / "r.npz");
  const std::size_t second = content.find("PK\x01\x02", content.find("PK\x01\x02") + 4);
  content.replace(second + 42, 4, std::string(4, '\0'));  // where its local header stands
  EXPECT_THAT(data_error_of([&] { (void)parse_npy(content, "r.npz"); }),
              HasSubstr("lie over each other"));
}

// Each member is within the limit, all of them are not.
TEST(Npy, MembersTogetherKeepTheLimitOfMemory) {
  const TemporaryFolder folder;
  const signal::Record record(signal::TimeAxis::uniform(1000, 1.0), {{"F"}, {"x"}, {"y"}},
                              Eigen::MatrixXd::Random(1000, 3));
  write_npz(folder.path() / "r.npz", record);
  const std::string content = test::read_text(folder.path() / "r.npz");
  EXPECT_EQ(parse_npy(content, "r.npz", {.limits = {.memory = 40000}}).size(), 1U);
  EXPECT_THAT(
      data_error_of([&] { (void)parse_npy(content, "r.npz", {.limits = {.memory = 20000}}); }),
      HasSubstr("all members"));
}

TEST(Npy, MatrixComesBack) {
  const TemporaryFolder folder;
  const Eigen::MatrixXd matrix = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 0.1, -5, 1e-9).finished();
  write_npy_matrix(folder.path() / "k.npy", matrix);
  EXPECT_EQ(read_npy_matrix(folder.path() / "k.npy"), matrix);
  EXPECT_EQ(list_npy(folder.path() / "k.npy").at(0).size, (std::vector<long long>{2, 3}));
}

TEST(Npy, RecordComesBackFromItsArchive) {
  const TemporaryFolder folder;
  const signal::Record record(signal::TimeAxis::uniform(3, 0.25, 1.0), {{"F", "N"}, {"x", "m"}},
                              (Eigen::MatrixXd(3, 2) << 1, 2, 3, 4, 5, 6).finished());
  write_npz(folder.path() / "r.npz", record);
  const signal::Record back = read_npy(folder.path() / "r.npz").at(0);
  EXPECT_EQ(back.samples(), record.samples());
  EXPECT_EQ(back.channels(), record.channels());
  EXPECT_EQ(back.time().step(), 0.25);
  EXPECT_EQ(list_npy(folder.path() / "r.npz").size(), 5U);
}

TEST(Npy, DamagedArchiveFailsItsChecksum) {
  const TemporaryFolder folder;
  const signal::Record record(signal::TimeAxis::uniform(2, 1.0), {{"F"}},
                              (Eigen::MatrixXd(2, 1) << 1, 2).finished());
  write_npz(folder.path() / "r.npz", record);
  std::string content = test::read_text(folder.path() / "r.npz");
  const std::size_t place = content.find("F.npy") + 140;  // in the numbers of F
  content[place] = static_cast<char>(content[place] ^ 4);
  EXPECT_THAT(data_error_of([&] { (void)parse_npy(content, "r.npz"); }),
              HasSubstr("the checksum of member 'F' is wrong"));
}

TEST(Npy, MeasuredMastHasItsDocumentedSize) {
  ALEMBERT_REQUIRE_DATA(file, "pyoma_mast/measurement_1.npy");
  const signal::Record record = read_npy(file, {.step = 1.0 / 256.0}).at(0);
  EXPECT_EQ(record.size(), 61440);
  EXPECT_EQ(record.channel_count(), 6);
}

}  // namespace npy_test
}  // namespace alembert::io
