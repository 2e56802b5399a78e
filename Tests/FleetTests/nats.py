"""A client of NATS for the test: its text protocol, as far as the test needs it."""

import json
import socket
import uuid


class NATS:
    """A connection. The server must be up."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")
        self.file.readline()
        self.socket.sendall(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nPING\r\n')
        while self.file.readline() != b"PONG\r\n":
            pass

    def close(self):
        self.socket.close()

    def request(self, subject, payload=b""):
        """Sends a request, and returns the answer."""
        inbox = "_INBOX." + uuid.uuid4().hex
        self.socket.sendall(
            f"SUB {inbox} 1\r\nUNSUB 1 1\r\nPUB {subject} {inbox} {len(payload)}\r\n".encode() + payload + b"\r\n")
        while True:
            line = self.file.readline()
            if not line:
                raise ConnectionError("the server has closed the connection")
            if line == b"PING\r\n":
                self.socket.sendall(b"PONG\r\n")
            if line.startswith(b"-ERR"):
                raise ConnectionError(line.decode())
            if line.startswith((b"MSG", b"HMSG")):
                body = self.file.read(int(line.split()[-1]) + 2)[:-2]
                if line.startswith(b"HMSG"):
                    body = body[int(line.split()[-2]):]
                return body

    def ask(self, operation, **fields):
        """Asks JetStream, and returns its answer as JSON."""
        return json.loads(self.request(f"$JS.API.{operation}", json.dumps(fields).encode() if fields else b""))
