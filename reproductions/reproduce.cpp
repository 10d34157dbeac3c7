#include "reproductions/reproduce.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/core/version.hpp"

namespace alembert::reproductions {
namespace {

// Keys keep the order in which they are set.
using Json = nlohmann::ordered_json;

// JSON cannot say that a number is not finite.
Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json claim_json(const Claim& claim) {
  Json json;
  json["name"] = claim.name;
  json["measured"] = json_number(claim.measured);
  json["unit"] = claim.unit;
  json["published"] = claim.published ? json_number(*claim.published) : Json(nullptr);
  json["reference"] = claim.reference ? json_number(*claim.reference) : Json(nullptr);
  json["target"] = claim.target;
  json["source"] = claim.source;
  json["state"] = document::to_string(claim.state);
  json["reason"] = claim.reason;
  json["ok"] = claim.ok;
  return json;
}

Json states_json(const std::vector<Claim>& claims) {
  Json json;
  for (const document::ClaimState state :
       {document::ClaimState::Reproduced, document::ClaimState::Differs,
        document::ClaimState::Beyond}) {
    json[document::to_string(state)] = document::count_state(claims, state);
  }
  return json;
}

Json values_json(const Eigen::MatrixXd& values) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    Json row = Json::array();
    for (const double value : values.row(i)) row.push_back(json_number(value));
    list.push_back(std::move(row));
  }
  return list;
}

Json table_json(const Table& table) {
  Json json;
  json["id"] = table.id;
  json["title"] = table.title;
  json["row_title"] = table.header.front();
  json["columns"] = std::vector<std::string>(table.header.begin() + 1, table.header.end());
  json["rows"] = Json::array();
  for (const std::vector<std::string>& row : table.rows) json["rows"].push_back(row.front());
  json["values"] = values_json(table.values);
  json["caption"] = table.caption;
  return json;
}

void write_json(const Json& json, const std::filesystem::path& file) {
  std::ofstream stream(file, std::ios::binary);
  stream << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  stream.close();
  if (!stream) {
    throw DataError({.file = file.string()},
                    "cannot be written: " + std::generic_category().message(errno));
  }
}

}  // namespace

void write_reproduction(const Reproduction& reproduction, const std::filesystem::path& folder) {
  Json json;  // begins as the result files of studies do
  json["format"] = "alembert-result-2";
  json["version"] = std::string(version());
  json["task"] = "reproduce";
  json["title"] = reproduction.title;
  json["name"] = reproduction.name;
  json["source"] = reproduction.source;
  json["full"] = reproduction.full;
  json["status"] = std::string(to_string(reproduction.status));
  json["message"] = reproduction.message;
  json["claims"] = Json::array();
  for (const Claim& claim : reproduction.claims) json["claims"].push_back(claim_json(claim));
  json["states"] = states_json(reproduction.claims);
  json["tables"] = Json::array();
  for (const Table& table : reproduction.tables) json["tables"].push_back(table_json(table));
  write_json(json, folder / "result.json");
}

}  // namespace alembert::reproductions
