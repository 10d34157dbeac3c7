#pragma once

#include <string>
#include <string_view>

/// Text that is safe at its place in a page.
namespace alembert::report {

/// Valid UTF-8 without control characters (tab and line end stay): what is neither becomes U+FFFD.
std::string clean_text(std::string_view text);

/// Clean text with & < > " ' replaced by entities: for element content and attribute values.
std::string html(std::string_view text);

/// html() of a message: where its first word is an ordinary one (a name keeps its letters) it gets
/// a capital letter and a full stop. What stands between backquotes is code.
std::string sentence_html(std::string_view text);

/// A JSON value as it may stand inside a script element: < > & are written as escapes, so that
/// no text can end the element.
std::string script_safe(std::string_view json);

/// Lower-case letters, digits and single hyphens, for ids and file names; "item" if nothing is
/// left.
std::string slug(std::string_view text);

}  // namespace alembert::report
