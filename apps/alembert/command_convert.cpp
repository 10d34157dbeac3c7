#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/table.hpp"
#include "alembert/io/uff.hpp"
#include "commands.hpp"
#include "terminal/terminal.hpp"

namespace alembert::app {
namespace {

namespace fs = std::filesystem;

bool ends_with_one_of(const fs::path& file, std::initializer_list<const char*> endings) {
  const std::string own = file.extension().string();
  for (const char* ending : endings) {
    if (own == ending) return true;
  }
  return false;
}

// HDF5 and universal files hold several records, the other formats one.
void write(const fs::path& to, const fs::path& from, const signal::Records& records) {
  if (ends_with_one_of(to, {".h5", ".hdf5"})) {
    io::write_hdf5(to, records);
  } else if (ends_with_one_of(to, {".uff", ".unv"})) {
    io::write_uff(to, records);
  } else if (records.size() == 1) {
    io::write_record(to, records.front());
  } else {
    throw DataError(
        {.file = from.string()},
        fmt::format("holds {} records, which .h5 and .uff can take together; choose one "
                    "with --dataset or --channel",
                    records.size()));
  }
}

// Opening a pipe would wait for its reader.
void refuse_to_write(const fs::path& to, bool force) {
  std::error_code code;
  const fs::file_status status = fs::status(to, code);
  if (status.type() == fs::file_type::none) {
    throw DataError({.file = to.string()}, "cannot be written: " + code.message());
  }
  if (!fs::exists(status)) return;
  if (!force) throw DataError({.file = to.string()}, "exists already; --force replaces it");
  if (fs::is_regular_file(status)) return;
  throw DataError({.file = to.string()}, "is no file that --force could replace");
}

}  // namespace

int convert_command(const ConvertArguments& arguments, Session& session) {
  if (!session.machines.is_first()) {
    return kDone;
  }
  refuse_to_write(arguments.to, arguments.force);
  const signal::Records records = io::read_records(
      arguments.from.file, {.time = arguments.from.time,
                            .step = arguments.from.step,
                            .channels = arguments.from.channels,
                            .dataset = arguments.from.dataset,
                            .limits = {.memory = bytes_of(arguments.from.memory)}});
  write(arguments.to, arguments.from.file, records);
  if (session.speaks()) {
    for (const signal::Record& record : records) {
      say("{}   {} channels, {} samples\n", printable(arguments.to.string()),
          record.channel_count(), record.size());
    }
  }
  return kDone;
}

}  // namespace alembert::app
