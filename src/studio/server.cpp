// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/server.h"

#include <fmt/format.h>

#include "report/page.h"
#include "studio/gallery.h"
#include "studio/keys.h"

namespace tappet::studio {

namespace {

PageReply reply(const Json& json, int status = 200) {
  return {json.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json", status};
}

PageReply refusal(int status, const std::string& why) { return reply({{"error", why}}, status); }

std::string page_id(const Json& request) {
  const auto found = request.find("page");
  if (found == request.end() || !found->is_string()) return {};
  const std::string id = *found;
  return id.size() <= 64 ? id : std::string();
}

Turn turn_of(const Json& request) {
  const auto load = request.find("load"), number = request.find("number");
  if (load == request.end() || !load->is_string() || number == request.end() || !number->is_number_integer()) return {};
  return {load->get<std::string>(), number->get<long>()};
}

}  // namespace

Server::Server(Document& document, const Limits& limits, int port)
    : document_(document),
      pages_(limits),
      http_(port, [this](const PageRequest& request) { return answer(request); }) {}

PageReply Server::answer(const PageRequest& request) {
  if (request.method == "GET") return read(request.path);
  Json json = Json::parse(request.body, nullptr, false);
  if (!json.is_object()) return refusal(400, "expected a JSON object");
  if (request.path == "/api/save") return save(json);
  if (request.path == "/api/progress") return progress(json);
  for (const char* job : {"run", "check", "export"})
    if (request.path == fmt::format("/api/{}", job)) {
      json["job"] = job;
      return compute(std::move(json));
    }
  return refusal(404, "there is nothing here");
}

PageReply Server::read(const std::string& path) const {
  if (path == "/") return {studio_page_template()};
  if (path == "/api/keys") return reply(keys());
  if (path == "/api/models") return reply(gallery());
  if (path == "/api/model") {
    const auto [text, version] = document_.read();
    return reply({{"text", text},
                  {"version", version},
                  {"file", document_.file().string()},
                  {"name", document_.file().filename().string()}});
  }
  return refusal(404, "there is nothing here");
}

PageReply Server::compute(Json request) {
  const std::string id = page_id(request);
  if (id.empty()) return refusal(400, "expected the id of a page, a text of at most 64 bytes");
  request["file"] = document_.source().string();
  Turn turn = turn_of(request);
  return {body_of(pages_.of(id)->ask(std::move(request), std::move(turn))), "application/octet-stream"};
}

PageReply Server::progress(const Json& request) const {
  const auto child = pages_.find(page_id(request));
  const auto seen = request.find("seen");
  const long number = seen != request.end() && seen->is_number_integer() ? seen->get<long>() : 0;
  return {body_of(child ? child->progress(number) : frame_of({{"progress", nullptr}})), "application/octet-stream"};
}

PageReply Server::save(const Json& request) {
  const auto text = request.find("text"), known = request.find("version");
  if (text == request.end() || !text->is_string() || known == request.end() || !known->is_string())
    return refusal(400, "expected the text and the version of the file that it replaces");
  const auto version = document_.save(*text, *known, request.value("overwrite", Json()) == true);
  if (!version) return refusal(409, "the file has changed on disk since it was opened");
  return reply({{"version", *version}});
}

}  // namespace tappet::studio
