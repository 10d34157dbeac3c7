#pragma once

#include <string>

namespace alembert::study {

/// The secret with which this user's journals are sealed, so that one that came with a stranger's
/// study is told from one that was written here.
///
/// 32 random bytes in `$XDG_STATE_HOME/alembert/journal.key`, else below `~/.local/state`; made
/// when it is first asked for, readable by the user alone. "" where there is no such place: nothing
/// can be sealed then.
[[nodiscard]] std::string journal_key();

}  // namespace alembert::study
