"""Callers of Carrel during the faults, and the site that they read."""

import collections
import concurrent.futures
import http.client
import http.server
import threading
import time
import urllib.parse

HOSTS = 40


class SlowSite(http.server.ThreadingHTTPServer):
    """Articles that take 0.3 s, at 127.0.0.1 to 127.0.0.40."""

    daemon_threads = True
    request_queue_size = 512

    class RequestHandlerClass(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path == "/robots.txt":
                self.send_error(404)
                return
            time.sleep(0.3)
            words = "A desk in a quiet corner, a lamp, and a book that nobody had opened for years. " * 4
            body = f"<title>{self.path}</title><article><h1>{self.path}</h1>{f'<p>{words}</p>' * 10}</article>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def __init__(self, port):
        super().__init__(("0.0.0.0", port), self.RequestHandlerClass)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass


def page(site_port, name, number):
    return f"http://127.0.0.{1 + number % HOSTS}:{site_port}/{name}-{number}"


class Poster(threading.Thread):
    """Posts jobs at a constant rate. A request that is not answered with 202 is sent again."""

    def __init__(self, deployment, site_port, name, pace):
        super().__init__(daemon=True)
        self.deployment, self.site_port, self.name_, self.pace = deployment, site_port, name, pace
        self.accepted, self.refused, self.over = [], collections.Counter(), threading.Event()

    def run(self):
        number = 0
        while not self.over.is_set():
            self.post(number)
            number += 1
            self.over.wait(1 / self.pace)

    def post(self, number):
        key = {"Idempotency-Key": f"{self.name_}-{number}"}
        body = {"url": page(self.site_port, self.name_, number)}
        while True:
            try:
                status, answer = self.deployment.call("POST", "/api/v1/read/jobs", body, headers=key)
            except (OSError, ValueError, http.client.HTTPException) as error:
                status, answer = type(error).__name__, {}
            if status == 202:
                self.accepted.append(answer["job_id"])
                return
            self.refused[f"{status} {answer.get('code', '')}".strip()] += 1
            time.sleep(0.2)

    def stop(self):
        self.over.set()
        self.join()


class Readers(threading.Thread):
    """Sends synchronous reads of new pages at a constant rate, regardless of earlier reads. If the connection breaks because
    its process was killed, the read is sent again. A problem response counts as an answer."""

    def __init__(self, deployment, site_port, name, pace):
        super().__init__(daemon=True)
        self.deployment, self.site_port, self.name_, self.pace = deployment, site_port, name, pace
        self.problems, self.again, self.over = collections.Counter(), 0, threading.Event()
        # Start, duration, and status of each read.
        self.reads = []

    def run(self):
        begun, number = time.monotonic(), 0
        with concurrent.futures.ThreadPoolExecutor(64) as callers:
            while not self.over.wait(max(0, begun + number / self.pace - time.monotonic())):
                callers.submit(self.read, number)
                number += 1

    def read(self, number):
        query = urllib.parse.urlencode({"url": page(self.site_port, self.name_, number), "format": "json"})
        begun = time.monotonic()
        while True:
            try:
                status, answer = self.deployment.call("GET", f"/api/v1/read?{query}", timeout=90)
                break
            except (OSError, ValueError, http.client.HTTPException):
                self.again += 1
                time.sleep(0.05)
        self.reads.append((begun, time.monotonic() - begun, status))
        if status != 200:
            self.problems[f"{status} {answer.get('code', '')}"] += 1

    def stop(self):
        self.over.set()
        self.join()

    def seconds(self, outages=()):
        """Returns the duration of each read, without the time for which the database was unavailable."""
        def away(begun, took):
            return sum(max(0, min(begun + took, end) - max(begun, start)) for start, end in outages)
        return sorted(took - away(begun, took) for begun, took, _ in self.reads)

    def told(self):
        seconds = self.seconds()
        return (f"{len(seconds)} reads, p50 {quantile(seconds, 0.5):.2f} s, p99 {quantile(seconds, 0.99):.2f} s, "
                f"max {seconds[-1]:.2f} s; asked again {self.again} times; problems {dict(self.problems)}")


def quantile(ranked, part):
    return ranked[min(len(ranked) - 1, int(len(ranked) * part))]
