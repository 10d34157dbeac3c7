#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace alembert::model::equations {

/// A place inside a text, from 1; columns count characters, not bytes.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;
};

enum class TokenKind { Number, Name, String, Symbol, EndOfLine, EndOfText };

struct Token {
  TokenKind kind = TokenKind::EndOfText;
  std::string text{};  ///< of names (without primes), strings and symbols
  double number = 0.0;
  int primes = 0;  ///< of names: y'' has two
  Position position;
};

/// Throws EquationError for a place in the text `part`.
[[noreturn]] void fail(std::string_view part, Position position, const std::string& reason);

/// Whether the text is a name: letter or underscore, then letters, digits, underscores; ASCII.
[[nodiscard]] bool is_name(std::string_view text);

/// Whether the language has a function of this name.
[[nodiscard]] bool is_function(std::string_view name);

/// Text from the user for a message: at most 40 characters, with anything but plain ASCII replaced.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The tokens of a text, the last being EndOfText. Lines go on inside parentheses, after an
/// operator, a comma or an equals sign, and where the next line begins with an operator; `and`,
/// `or` and `not` are operators.
/// @throws EquationError
[[nodiscard]] std::vector<Token> tokenize(std::string_view part, std::string_view text);

}  // namespace alembert::model::equations
