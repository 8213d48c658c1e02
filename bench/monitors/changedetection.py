"""changedetection.io on the same site, in its batch mode: checks per second if every page changed, and if none changed."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
# The process waits for more work after the last check.
PATIENCE_S = 10


def processor_seconds(process):
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return sum(int(field) for field in fields[11:15]) / TICKS


def peak_mb(process):
    try:
        found = re.search(r"^VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)
    except OSError:
        return None
    return int(found.group(1)) / 1024 if found else None


def counts(port):
    return json.loads(urllib.request.urlopen(f"http://127.0.0.1:{port}/counts").read())


class ChangeDetection:
    def __init__(self, program, folder, port, workers, listen):
        self.program, self.folder, self.port, self.listen = program, folder, port, listen
        self.environment = dict(os.environ, ALLOW_IANA_RESTRICTED_ADDRESSES="true", LISTEN_HOST="127.0.0.1",
                                DEFAULT_SETTINGS_REQUESTS_WORKERS=str(workers), FETCH_WORKERS=str(workers),
                                DISABLE_VERSION_CHECK="true")

    def run(self, kind, arguments, wanted, limit=400):
        """Runs it until that many pages were requested. Returns the checks per second between the first and the last request, the
        processor seconds per thousand checks, the peak memory, and the number of 304 answers."""
        command = [self.program, "-d", self.folder, "-C", "-l", "WARNING", "-p", str(self.listen), "-b", *arguments]
        before, begun = counts(self.port), time.monotonic()
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        first = last = None
        memory = 0
        while process.poll() is None and time.monotonic() - begun < limit:
            time.sleep(0.2)
            now, cpu = time.monotonic(), processor_seconds(process.pid)
            done = counts(self.port)[kind] - before[kind]
            if cpu is None:
                break
            memory = peak_mb(process.pid) or memory
            if done and first is None:
                first = (now, cpu, done)
            if last is None or done > last[2]:
                last = (now, cpu, done)
            if done >= wanted and now - last[0] > PATIENCE_S:
                break
        process.terminate()
        process.wait(60)
        (since, spent, base), (until, total, done) = first, last
        return ((done - base) / (until - since), (total - spent) / (done - base) * 1000, memory,
                counts(self.port)["not_modified"] - before["not_modified"])


def measure(program, port, listen, watches=300, rounds=3, workers=5):
    for kind, words in [("page", "every page changed"), ("static", "unchanged")]:
        with tempfile.TemporaryDirectory(prefix="changedetection.") as folder:
            peer = ChangeDetection(program, folder, port, workers, listen)
            urls = [word for n in range(watches) for word in ("-u", f"http://127.0.0.1:{port}/{kind}/{n}")]
            peer.run(kind, urls, watches)
            rate, cpu, memory, not_modified = peer.run(kind, ["-r", "all", str(rounds)], watches * rounds)
            print(f"changedetection.io, {words}: {rate:7.1f} checks/s  {cpu:6.2f} CPU s per 1,000  {memory:.0f} MB  "
                  f"({not_modified} answers 304)", flush=True)
