"""Servers that Carrel depends on, each on a free port: PostgreSQL with a standby behind a movable address, and Redis."""

import asyncio
import glob
import multiprocessing
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, patience=60):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"nothing answers at port {port}")


class MovingAddress:
    """Port that forwards to the current primary, like a virtual IP or a DNS name. Runs in its own process."""

    def __init__(self, target):
        self.port, self.target = free_port(), multiprocessing.Value("i", target)
        self.child = multiprocessing.Process(target=lambda: asyncio.run(self.serve()), daemon=True)
        self.child.start()
        wait_for(self.port)

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", self.port, backlog=512)
        await server.serve_forever()

    async def accept(self, reader, writer):
        try:
            onward, out = await asyncio.open_connection("127.0.0.1", self.target.value)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self.carry(reader, out), self.carry(onward, writer))

    @staticmethod
    async def carry(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()


class Server:
    """PostgreSQL server."""

    def __init__(self, owner, data):
        self.owner, self.data, self.port = owner, data, free_port()
        os.mkdir(data, 0o700)
        if os.getuid() == 0:
            shutil.chown(data, "postgres")

    def start(self):
        options = (f"-p {self.port} -k '' -c listen_addresses=127.0.0.1 -c max_connections=200 "
                   f"-c wal_retrieve_retry_interval=100ms {self.owner.options}")
        arguments = ["-D", self.data, "-s", "-w", "-l", f"{self.data}/log", "-o", options, "start"]
        if self.owner.call("pg_ctl", *arguments, check=False) != 0:
            sys.exit(f"PostgreSQL does not start: {pathlib.Path(self.data, 'log').read_text()[-2000:]}")

    def kill(self):
        """Kills all of its processes with SIGKILL."""
        lock = pathlib.Path(self.data, "postmaster.pid")
        postmaster = int(lock.read_text().split()[0])
        killed = [postmaster, *children_of(postmaster)]
        for process in killed:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        while any(is_alive(process) for process in killed):
            time.sleep(0.01)
        # A dead process that was not reaped yet appears to be alive when the server starts.
        lock.unlink()

    def ask(self, sql):
        words = [f"{self.owner.bin}/psql", self.owner.at(self.port), "-Atc", sql]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def state_and_parent(process):
    try:
        # The name may contain spaces. The fields after its parenthesis do not.
        state, parent = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
        return state, int(parent)
    except (OSError, ValueError):
        return "X", 0


def is_alive(process):
    return state_and_parent(process)[0] not in "XZ"


def children_of(parent):
    processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    return [process for process in processes if state_and_parent(process)[1] == parent]


class Postgres:
    """Creates a server with one role and one database."""

    # Further settings of its servers.
    options = ""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        initdb = shutil.which("initdb") or (found and found[-1])
        if not initdb:
            sys.exit("PostgreSQL is needed: apt-get install postgresql")
        self.bin, self.folder, self.made = str(pathlib.Path(initdb).resolve().parent), folder, 0
        self.before = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self.primary = self.server()
        self.call("initdb", "-D", self.primary.data, "-U", "carrel", "-A", "trust", "-E", "UTF8", "--no-locale")
        self.primary.start()
        self.url = self.at(self.primary.port)

    @staticmethod
    def at(port):
        return f"postgres://carrel@127.0.0.1:{port}/postgres"

    def server(self):
        self.made += 1
        return Server(self, f"{self.folder}/postgres-{self.made}")

    def call(self, program, *arguments, check=True):
        words = [*self.before, f"{self.bin}/{program}", *arguments]
        return subprocess.run(words, cwd="/", check=check, stdout=subprocess.DEVNULL).returncode

    def ask(self, sql):
        return self.primary.ask(sql)

    def stop(self):
        self.stop_one(self.primary)

    def stop_one(self, server):
        self.call("pg_ctl", "-D", server.data, "-s", "-m", "immediate", "stop", check=False)


class ReplicatedPostgres(Postgres):
    """Primary behind a movable address, and a standby that receives each commit before it is acknowledged. Only processes are
    killed, not machines, so nothing is synced to disk, which keeps restarts short."""

    options = "-c fsync=off"

    def __init__(self, folder):
        super().__init__(folder)
        # Periods in which no writes were possible.
        self.outages = []
        self.address = MovingAddress(self.primary.port)
        self.url = self.at(self.address.port)
        self.add_standby()

    def add_standby(self):
        self.standby = self.server()
        self.call("pg_basebackup", "-h", "127.0.0.1", "-p", str(self.primary.port), "-U", "carrel", "-R",
                  "-X", "stream", "-c", "fast", "-D", self.standby.data)
        self.standby.start()
        while self.primary.ask("select count(*) from pg_stat_replication where state = 'streaming'") != "1":
            time.sleep(0.1)
        # Set only now, because a promoted server must not wait for a standby.
        self.primary.ask("alter system set synchronous_standby_names = '*'")
        self.primary.ask("select pg_reload_conf()")

    def restart(self, away):
        begun = time.monotonic()
        self.primary.kill()
        time.sleep(away)
        self.primary.start()
        # A commit is acknowledged when the standby is available again.
        self.primary.ask("select txid_current()")
        self.outages.append((begun, time.monotonic()))

    def fail_over(self):
        """Loses the primary permanently, promotes the standby, and creates a new standby."""
        begun = time.monotonic()
        self.primary.kill()
        self.call("pg_ctl", "-D", self.standby.data, "-s", "-w", "promote")
        self.primary = self.standby
        self.address.target.value = self.primary.port
        self.outages.append((begun, time.monotonic()))
        self.add_standby()

    def stop(self):
        self.stop_one(self.standby)
        super().stop()


class Redis:
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.child = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
             "--dir", self.folder], stdout=subprocess.DEVNULL)
        wait_for(self.port)

    def kill(self):
        self.child.kill()
        self.child.wait()

    def restart(self, away):
        self.kill()
        time.sleep(away)
        self.start()

    def ask(self, command):
        """Returns the raw response. Counts as two commands in the statistics of the server."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(f"{command}\r\nQUIT\r\n".encode())
            with connection.makefile() as answer:
                return answer.read()

    def flush(self):
        self.ask("FLUSHALL")
