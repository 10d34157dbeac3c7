#include "core/sha256.hpp"

#include <gtest/gtest.h>

namespace alembert {
namespace sha256_test {

// Values of the standard's examples: the empty text, "abc", and one of two blocks.
TEST(Sha256, AgreesWithTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

// Test cases 1 and 2 of RFC 4231.
TEST(Sha256, WithAKeyAgreesWithTheStandard) {
  EXPECT_EQ(hexadecimal(hmac_sha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hexadecimal(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

}  // namespace sha256_test
}  // namespace alembert
