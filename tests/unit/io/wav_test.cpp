#include "alembert/io/wav.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/records.hpp"

namespace alembert::io {
namespace wav_test {

using test::data_error_of;
using testing::HasSubstr;

std::string whole(unsigned value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(value >> (8 * i) & 0xFFU);
  }
  return text;
}

// 24-bit samples of two channels at 1000 Hz, an odd chunk before them.
std::string sound(unsigned kind, const std::string& samples, unsigned said) {
  return "RIFF" + whole(0, 4) + "WAVE" + "note" + whole(3, 4) + std::string("abc\0", 4) + "fmt " +
         whole(16, 4) + whole(kind, 2) + whole(2, 2) + whole(1000, 4) + whole(6000, 4) +
         whole(6, 2) + whole(24, 2) + "data" + whole(said, 4) + samples;
}

const std::string kSamples("\x00\x00\x40\x00\x00\x80\x01\x00\x00\xFF\xFF\xFF", 12);

// Full scale is 2²³: 0x400000 is a half, 0x800000 is -1, 1 and -1 are the smallest steps.
TEST(Wav, SamplesOf24BitsAreScaledToFullScale) {
  const signal::Record record = parse_wav(sound(1, kSamples, 12), "a.wav");
  const double smallest = 1.0 / 8388608.0;
  EXPECT_EQ(record.samples(), (Eigen::MatrixXd(2, 2) << 0.5, -1.0, smallest, -smallest).finished());
  EXPECT_EQ(record.time().step(), 0.001);
}

TEST(Wav, RecorderThatWasCutOffLeavesWhatThereIs) {
  EXPECT_EQ(parse_wav(sound(1, kSamples, 0), "a.wav").size(), 2);
  EXPECT_EQ(parse_wav(sound(1, kSamples, 0xFFFFFFFFU), "a.wav").size(), 2);
}

TEST(Wav, BrokenFilesAreNamed) {
  const auto error = [](const std::string& content) {
    return data_error_of([&] { (void)parse_wav(content, "a.wav"); });
  };
  EXPECT_THAT(error("RIFF"), HasSubstr("is no sound file"));
  EXPECT_THAT(error(sound(85, kSamples, 12)), HasSubstr("sound of kind 85"));
  EXPECT_THAT(error(sound(1, kSamples, 13)), HasSubstr("says 13 bytes of samples, there are 12"));
  EXPECT_THAT(error("RIFF" + whole(0, 4) + "WAVE" + "data" + whole(2, 4) + "ab"),
              HasSubstr("before the chunk"));
  EXPECT_THAT(error("RIFF" + whole(0, 4) + "WAVE" + "fmt " + whole(99, 4)),
              HasSubstr("longer than the file"));
}

// The rate stands in the file twice, the number of samples follows from what is behind them.
TEST(Wav, DamagedRatesAndSizesAreRefused) {
  std::string content = sound(1, kSamples, 12);
  const std::size_t rate = content.find("fmt ") + 12;
  content[rate] = static_cast<char>(content[rate] ^ 1);
  EXPECT_THAT(data_error_of([&] { (void)parse_wav(content, "a.wav"); }),
              HasSubstr("1001 Hz in blocks of 6 bytes are not 6000 bytes a second"));
  EXPECT_THAT(data_error_of([] { (void)parse_wav(sound(1, kSamples, 6), "a.wav"); }),
              HasSubstr("belong to no chunk"));
  const std::string label = "LIST" + whole(4, 4) + "name";
  EXPECT_EQ(parse_wav(sound(1, kSamples + label, 12), "a.wav").size(), 2);
}

// 0.5 and -0.25 as floats of 32 bits. One bit makes "floats" into "whole numbers"; both are legal.
TEST(Wav, FloatsThatAreCalledWholeNumbersAreRefused) {
  const std::string floats("\x00\x00\x00\x3F\x00\x00\x80\xBE", 8);
  const auto file = [](unsigned kind, const std::string& samples) {
    return "RIFF" + whole(static_cast<unsigned>(28 + samples.size()), 4) + "WAVEfmt " +
           whole(16, 4) + whole(kind, 2) + whole(1, 2) + whole(100, 4) + whole(400, 4) +
           whole(4, 2) + whole(32, 2) + "data" + whole(static_cast<unsigned>(samples.size()), 4) +
           samples;
  };
  EXPECT_EQ(parse_wav(file(3, floats), "a.wav").samples()(1, 0), -0.25);
  EXPECT_THAT(data_error_of([&] { (void)parse_wav(file(1, floats), "a.wav"); }),
              HasSubstr("but holds floats"));
  const std::string numbers = whole(0x20000000U, 4) + whole(0xE0000000U, 4);
  EXPECT_EQ(parse_wav(file(1, numbers), "a.wav").samples()(1, 0), -0.25);
}

}  // namespace wav_test
}  // namespace alembert::io
