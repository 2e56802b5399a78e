"""A proxy between a client and a server that does what networks and bad servers do."""

import http.client
import http.server
import threading
import time


class Proxy:
    """Forwards requests to a port. `before` and `after` may change or break them.

    `before(count, method, path)` returns None, or (status, headers, body) to answer without the server, or "drop".
    `after(count, method, path, status, headers, body)` returns (status, headers, body), or "drop" after the work, or
    ("cut", bytes) to break off within the body.
    """

    def __init__(self, port):
        self.target = port
        self.count = 0
        self.before = lambda *_: None
        self.after = lambda count, method, path, status, headers, body: (status, headers, body)
        self.requests = []
        # Seconds that the server took.
        self.spent = 0.0
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Otherwise the body of each answer waits 40 ms for the acknowledgement of its headers.
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def handle_any(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                proxy.count += 1
                count = proxy.count
                proxy.requests.append((self.command, self.path, dict(self.headers)))
                early = proxy.before(count, self.command, self.path)
                if early == "drop":
                    return self.drop()
                if early:
                    return self.answer(*early)
                begin = time.perf_counter()
                connection = http.client.HTTPConnection("127.0.0.1", proxy.target, timeout=600)
                headers = {k: v for k, v in self.headers.items() if k.lower() not in ("connection", "expect")}
                connection.request(self.command, self.path, body, headers)
                got = connection.getresponse()
                content = got.read()
                proxy.spent += time.perf_counter() - begin
                skip = ("content-length", "connection", "transfer-encoding", "date", "server")
                fields = {k: v for k, v in got.getheaders() if k.lower() not in skip}
                connection.close()
                late = proxy.after(count, self.command, self.path, got.status, fields, content)
                if late == "drop":
                    return self.drop()
                if late[0] == "cut":
                    return self.answer(got.status, fields, late[1], said=len(late[1]) + 100)
                self.answer(*late)

            def drop(self):
                self.close_connection = True
                self.connection.close()

            def answer(self, status, headers, body, said=None):
                self.send_response_only(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if status not in (204, 304):
                    self.send_header("Content-Length", str(said or len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)
                if said:
                    self.drop()

            do_GET = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = handle_any
            do_PROPFIND = do_PROPPATCH = do_REPORT = do_MKCALENDAR = do_MKCOL = handle_any

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
