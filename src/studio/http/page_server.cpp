// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include "studio/http/page_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <tappet/error.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "studio/http/guard.h"
#include "studio/limits.h"

namespace tappet::studio {

namespace {

constexpr int threads = 64;  // a connection holds a thread, and slow clients must not hold the last one
constexpr int patience_s = 5;

// The library compresses texts that it is given as a whole, which takes a second for a page and saves nothing on the
// way within one computer. It does not compress what it asks for piece by piece.
void send(httplib::Response& response, PageReply reply) {
  response.status = reply.status;
  response.set_header("Content-Security-Policy", reply.in_frames ? "frame-ancestors 'self'" : "frame-ancestors 'none'");
  if (reply.body.empty()) return response.set_content(reply.body, reply.type);
  const size_t size = reply.body.size();
  response.set_content_provider(
      size, reply.type,
      [body = std::make_shared<const std::string>(std::move(reply.body))](
          size_t at, size_t length, httplib::DataSink& sink) { return sink.write(body->data() + at, length); });
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  const nlohmann::json json = {{"error", why}};
  send(response, {json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "application/json", status});
}

Visitor visitor_of(const httplib::Request& request) {
  return {request.method,
          request.path,
          request.get_header_value("Host"),
          request.get_header_value("Origin"),
          request.get_header_value("Sec-Fetch-Site"),
          request.get_header_value("Content-Type")};
}

}  // namespace

struct PageServer::Inside {
  httplib::Server http;
  std::unique_ptr<Guard> guard;
};

PageServer::PageServer(int port, Answer answer) : inside_(std::make_unique<Inside>()) {
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
                            {"Cross-Origin-Resource-Policy", "same-origin"}});
  const auto handle = [inside = inside_.get(), answer = std::move(answer)](const httplib::Request& request,
                                                                           httplib::Response& response) {
    send(response, answer({request.method, inside->guard->admit(visitor_of(request)), request.body}));
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

PageServer::~PageServer() = default;
std::string PageServer::address() const { return inside_->guard->address(); }
void PageServer::serve() { inside_->http.listen_after_bind(); }
void PageServer::stop() { inside_->http.stop(); }

}  // namespace tappet::studio
