#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"

/// The commands: one file each. Arguments are plain, so that only command_line.cpp knows the
/// parser. Each returns the exit code.
namespace alembert::app {

/// Bytes of an argument in MB.
[[nodiscard]] inline std::uintmax_t bytes_of(double megabytes) {
  return static_cast<std::uintmax_t>(megabytes * 1e6);
}

/// Which commands read data files, and how.
struct DataArguments {
  std::filesystem::path file;
  std::string time;
  std::optional<double> step;
  std::string dataset;
  std::vector<std::string> channels;  ///< empty: all
  double memory = 0.0;                ///< MB that its numbers may take; 0: half of the machine's
};

struct RunArguments {
  std::filesystem::path study;
  std::filesystem::path out;  ///< "": the study's name with .out instead of .toml
  std::vector<std::string> changes;
  std::string results;  ///< "mat", "h5" or both: study::result_files; "": none
  int threads = 0;
  std::optional<long long> seed;
  double memory = 0.0;  ///< as in DataArguments
};
int run_command(const RunArguments& arguments, Session& session);
/// Where a run writes: `--out`, or STUDY.out beside the study.
[[nodiscard]] std::filesystem::path out_folder(const RunArguments& arguments);

struct ObserveArguments {
  std::filesystem::path study;
  std::vector<std::string> changes;
  bool skip_bad = false;
};
int observe_command(const ObserveArguments& arguments, Session& session);

struct TuneArguments {
  std::filesystem::path study;
  std::filesystem::path out;  ///< "": no result.json
  std::vector<std::string> changes;
  bool sigmas = false;
};
int tune_command(const TuneArguments& arguments, Session& session);

struct ExportArguments {
  std::filesystem::path study;
  std::filesystem::path out;  ///< "": beside the study, by its name and the format
  std::string format;         ///< as study::ExportFormat
  std::string name;           ///< of the program; "": that of the study
  std::string precision = "double";
  std::optional<double> step;  ///< s
  std::vector<std::string> changes;
  bool force = false;  ///< replaces a file that exists
};
int export_command(const ExportArguments& arguments, Session& session);

struct CheckArguments {
  std::vector<std::filesystem::path> studies;
  std::vector<std::string> changes;
  double memory = 0.0;  ///< as in DataArguments
};
int check_command(const CheckArguments& arguments, Session& session);

struct NewArguments {
  std::string kind;
  DataArguments data;         ///< file "": none
  std::filesystem::path out;  ///< "": standard output
};
int new_command(const NewArguments& arguments, Session& session);

struct ConvertArguments {
  DataArguments from;
  std::filesystem::path to;
  bool force = false;  ///< replaces a file that exists
};
int convert_command(const ConvertArguments& arguments, Session& session);

int info_command(const DataArguments& arguments, Session& session);

int doctor_command(Session& session);

struct OpenArguments {
  std::filesystem::path result;  ///< a result folder, a report, or a study beside its result
  bool print = false;            ///< prints the path only
};
int open_command(const OpenArguments& arguments, Session& session);

struct CompareArguments {
  std::filesystem::path first, second;
  std::filesystem::path html;  ///< "": no page
};
int compare_command(const CompareArguments& arguments, Session& session);

struct ReproduceArguments {
  std::string name;  ///< "": list the names
  bool full = false;
  std::filesystem::path out;   ///< "": NAME.out
  std::filesystem::path data;  ///< "": $ALEMBERT_DATA
  int threads = 0;
};
int reproduce_command(const ReproduceArguments& arguments, Session& session);

struct KeysArguments {
  std::string table;  ///< "": all
  bool markdown = false;
};
int keys_command(const KeysArguments& arguments, Session& session);

}  // namespace alembert::app
