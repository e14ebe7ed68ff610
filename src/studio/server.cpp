// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <tappet/error.h>

#include <nlohmann/json.hpp>

#include "report/page.h"
#include "studio/gallery.h"
#include "studio/guard.h"
#include "studio/keys.h"
#include "studio/pages.h"

namespace tappet::studio {

namespace {

using Json = nlohmann::ordered_json;

constexpr int threads = 64;  // a connection holds a thread, and slow clients must not hold the last one
constexpr int patience_s = 5;

void send(httplib::Response& response, const Json& json, int status = 200) {
  response.status = status;
  response.set_content(json.dump(-1, ' ', false, Json::error_handler_t::replace), "application/json");
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  send(response, {{"error", why}}, status);
}

Visitor visitor_of(const httplib::Request& request) {
  return {request.method,
          request.path,
          request.get_header_value("Host"),
          request.get_header_value("Origin"),
          request.get_header_value("Sec-Fetch-Site"),
          request.get_header_value("Content-Type")};
}

std::string page_id(const Json& request) {
  const auto found = request.find("page");
  if (found == request.end() || !found->is_string()) return {};
  const std::string id = *found;
  return id.size() <= 64 ? id : std::string();
}

}  // namespace

struct Server::Inside {
  Inside(Document& document, const Limits& limits) : document(document), pages(limits) {}

  void answer(const httplib::Request& request, httplib::Response& response);
  void compute(Json request, httplib::Response& response);
  void save(const Json& request, httplib::Response& response);
  void progress(const Json& request, httplib::Response& response);

  Document& document;
  Pages pages;
  httplib::Server http;
  std::unique_ptr<Guard> guard;
};

Server::Server(Document& document, const Limits& limits, int port)
    : inside_(std::make_unique<Inside>(document, limits)) {
  httplib::Server& http = inside_->http;
  http.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  http.set_payload_max_length(Limits::body);
  http.set_read_timeout(patience_s);
  http.set_write_timeout(patience_s);
  http.set_keep_alive_timeout(patience_s);
  http.set_keep_alive_max_count(100'000);
  http.set_tcp_nodelay(true);
  http.set_default_headers({{"Cache-Control", "no-store"},
                            {"X-Content-Type-Options", "nosniff"},
                            {"Referrer-Policy", "no-referrer"},
                            {"Cross-Origin-Resource-Policy", "same-origin"},
                            {"Content-Security-Policy", "frame-ancestors 'none'"}});
  const auto handle = [inside = inside_.get()](const httplib::Request& request, httplib::Response& response) {
    inside->answer(request, response);
  };
  http.Get(".*", handle);
  http.Post(".*", handle);
  // Strangers are refused before their body is read.
  http.set_pre_routing_handler([inside = inside_.get()](const httplib::Request& request, httplib::Response& response) {
    if (!inside->guard->admit(visitor_of(request)).empty()) return httplib::Server::HandlerResponse::Unhandled;
    response.set_header("Connection", "close");
    refuse(response, 403, "this address belongs to somebody else");
    return httplib::Server::HandlerResponse::Handled;
  });
  http.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      refuse(response, 500, e.what());
    }
  });
  const int bound = port == 0 ? http.bind_to_any_port("127.0.0.1") : http.bind_to_port("127.0.0.1", port) ? port : -1;
  if (bound < 0) throw UsageError(fmt::format("--port {}: another program uses it; expected a free port", port));
  inside_->guard = std::make_unique<Guard>(bound);
}

Server::~Server() = default;
std::string Server::address() const { return inside_->guard->address(); }
void Server::serve() { inside_->http.listen_after_bind(); }
void Server::stop() { inside_->http.stop(); }

void Server::Inside::answer(const httplib::Request& request, httplib::Response& response) {
  const std::string path = guard->admit(visitor_of(request));
  if (request.method == "GET") {
    if (path == "/") return response.set_content(studio_page_template(), "text/html; charset=utf-8");
    if (path == "/api/keys") return send(response, keys());
    if (path == "/api/models") return send(response, gallery());
    if (path == "/api/model") {
      const auto [text, version] = document.read();
      return send(response, {{"text", text},
                             {"version", version},
                             {"file", document.file().string()},
                             {"name", document.file().filename().string()}});
    }
    return refuse(response, 404, "there is nothing here");
  }
  Json json = Json::parse(request.body, nullptr, false);
  if (!json.is_object()) return refuse(response, 400, "expected a JSON object");
  if (path == "/api/save") return save(json, response);
  if (path == "/api/progress") return progress(json, response);
  for (const char* job : {"run", "check", "export"})
    if (path == fmt::format("/api/{}", job)) {
      json["job"] = job;
      return compute(std::move(json), response);
    }
  refuse(response, 404, "there is nothing here");
}

void Server::Inside::compute(Json request, httplib::Response& response) {
  const std::string id = page_id(request);
  if (id.empty()) return refuse(response, 400, "expected the id of a page, a text of at most 64 bytes");
  request["file"] = document.source().string();
  response.set_content(body_of(pages.of(id)->ask(std::move(request))), "application/octet-stream");
}

void Server::Inside::progress(const Json& request, httplib::Response& response) {
  const auto child = pages.find(page_id(request));
  send(response, {{"progress", child ? child->progress() : Json()}});
}

void Server::Inside::save(const Json& request, httplib::Response& response) {
  const auto text = request.find("text"), known = request.find("version");
  if (text == request.end() || !text->is_string() || known == request.end() || !known->is_string())
    return refuse(response, 400, "expected the text and the version of the file that it replaces");
  const auto version = document.save(*text, *known, request.value("overwrite", Json()) == true);
  if (!version) return refuse(response, 409, "the file has changed on disk since it was opened");
  send(response, {{"version", *version}});
}

}  // namespace tappet::studio
