#pragma once

#include <string>
#include <string_view>

/// Text from foreign files, made fit for messages and for result files.
namespace alembert::io {

/// Whether the bytes are well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The text itself if it is UTF-8, else the text read as Latin-1 (which many loggers write for
/// ° and µ) and turned into UTF-8.
[[nodiscard]] std::string to_utf8(std::string_view text);

/// The text for a message: in quotes, at most 40 bytes, control bytes as \xNN.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace alembert::io
