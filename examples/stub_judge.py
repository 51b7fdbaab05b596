"""A judge for trying things out: it answers on this machine, knows one rule, and costs nothing.

    python examples/stub_judge.py 8642

speaks as much of the Responses API as judge graders need: it says PASS unless the text that it judges holds "sorry".
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StubJudge(BaseHTTPRequestHandler):
    """Answers every POST."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Judge one text."""
        prompt = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        verdict = "FAIL" if "sorry" in prompt.lower() else "PASS"
        content = [{"type": "output_text", "text": verdict}]
        body = json.dumps({"output": [{"type": "message", "content": content}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), StubJudge).serve_forever()
