#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alembert/identify/acceleration_equation.hpp"
#include "alembert/model/detail/lexer.hpp"

namespace alembert::identify {

/// An equation of motion taken apart into words.
struct EquationText {
  using Token = model::equations::Token;
  using Tokens = std::vector<Token>;

  std::vector<Tokens> definitions;  ///< whole statements
  Tokens left, right;               ///< of the equation of motion
  std::string coordinate;
  Token second;                    ///< the first x'' in it
  bool is_explicit = false;        ///< left is x'', and right has none
  std::vector<std::string> names;  ///< that are known from nowhere, in the order of the text
};

/// @throws model::EquationError
[[nodiscard]] EquationText take_apart(std::string_view text, const EquationOfMotionSetup& setup);

/// Words put together again, with the places that they had in the users' text.
struct WrittenText {
  std::string text;
  /// Places in `text` and where those words stood, in rising order.
  std::vector<std::pair<model::equations::Position, model::equations::Position>> places;

  void add(const EquationText::Tokens& tokens, const std::string& instead_of_second = {});
  void add(const std::string& words);
  void end_line();
  /// Where the word at or before this place of the written text stood.
  [[nodiscard]] model::equations::Position origin(model::equations::Position place) const;

 private:
  std::size_t line_ = 1;
  std::size_t line_begin_ = 0;
};

/// The definitions and `x'' = ...` with `instead_of_second` for each x'' among the terms.
[[nodiscard]] WrittenText write_explicit(const EquationText& motion,
                                         const std::string& instead_of_second, double leading);

}  // namespace alembert::identify
