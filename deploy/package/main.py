"""Packs an executable for a release; see bin/package, which calls it."""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import archive  # noqa: E402
import debian  # noqa: E402
import elf  # noqa: E402
import extension  # noqa: E402
import image  # noqa: E402
import sbom  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Release:
    """The executable to pack, and facts that all packages need."""

    def __init__(self, executable, fast):
        self.executable = executable
        self.fast = fast
        self.data = pathlib.Path(executable).read_bytes()
        self.machine = os.uname().machine
        self.epoch = int(os.environ["SOURCE_DATE_EPOCH"])
        manifest = self.text("Cargo.toml")
        self.version = self.field(manifest, "version")
        self.license = self.field(manifest, "license")
        self.repository = self.field(manifest, "repository")
        self.libc, self.libc_version = elf.libc_of(self.data)
        self.require_version()
        self.name = f"carrel-{self.version}-{self.machine}-linux-{self.libc}"

    def require_version(self):
        """An executable of another version would be packed under a wrong name."""
        stated = self.output("--version").decode().strip()
        if stated != f"carrel {self.version}":
            raise SystemExit(f"{self.executable} is `{stated}`, but the workspace has version {self.version}")

    @staticmethod
    def field(manifest, name):
        section = manifest.split("[workspace.package]", 1)[1]
        return re.search(rf'^{name} = "([^"]+)"', section, re.MULTILINE)[1]

    @staticmethod
    def text(path):
        return (ROOT / path).read_text()

    def time(self):
        return datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def compressed(self, data):
        return archive.compressed(data, 1 if self.fast else 9)

    def run(self, *arguments, folder=None):
        command = [os.path.abspath(self.executable), *arguments]
        # Settings of the caller do not become part of the packages.
        done = subprocess.run(command, check=True, capture_output=True, cwd=folder, env={"PATH": os.environ["PATH"]})
        return done.stdout

    def output(self, *arguments):
        """Output of a command of the executable: completions and manual page."""
        with tempfile.TemporaryDirectory() as folder:
            return self.run(*arguments, folder=folder)

    def configuration(self, data):
        """The configuration that `carrel init` writes, with data in the folder `data`."""
        with tempfile.TemporaryDirectory() as folder:
            self.run("init", "--yes", "--data", data, "--out", "carrel.env", folder=folder)
            return pathlib.Path(folder, "carrel.env").read_bytes()

    def copyright(self):
        notice, license_text = self.text("NOTICE"), self.text("LICENSE-MIT")
        return f"Carrel is licensed under {self.license}, at your option.\n\n{license_text}\n{notice}"


def tarball(release):
    tree = archive.Tree()
    tree.file(f"{release.name}/carrel", release.data, 0o755)
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "README.md", "CHANGELOG.md", ".env.sample"]:
        tree.file(f"{release.name}/{name}", release.text(name))
    tree.file(f"{release.name}/carrel@.service", release.text("deploy/systemd/carrel@.service"))
    tree.file(f"{release.name}/man/carrel.1", release.output("man"))
    for shell, name in [("bash", "carrel.bash"), ("zsh", "_carrel"), ("fish", "carrel.fish")]:
        tree.file(f"{release.name}/completions/{name}", release.output("completions", shell))
    return release.compressed(tree.tar(release.epoch))


def release_notes(changelog, version):
    """Cuts the section of the version, or the unreleased one, from the changelog."""
    for name in [version, "Unreleased"]:
        match = re.search(rf"^## \[{re.escape(name)}\].*?(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL)
        if match:
            return match[0].rstrip() + "\n"
    raise SystemExit(f"CHANGELOG.md has no section for {version}")


def metadata():
    """Returns what `cargo metadata` says about the build, without a network if the registry is complete."""
    host = re.search(r"^host: (.*)$", subprocess.check_output(["rustc", "-vV"], text=True), re.MULTILINE)[1]
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host]
    for options in [["--offline"], []]:
        done = subprocess.run(command + options, capture_output=True, text=True, cwd=ROOT)
        if done.returncode == 0:
            return json.loads(done.stdout)
    raise SystemExit(f"cargo metadata failed: {done.stderr}")


def strip_copy(executable, folder):
    """Returns the path of a copy without symbols, if `strip` is installed."""
    if not shutil.which("strip"):
        return executable
    copy = os.path.join(folder, "carrel")
    subprocess.run(["strip", "-o", copy, executable], check=True)
    return copy


def pack(release, out):
    """Writes all packages and returns their paths."""
    written = []

    def write(name, data):
        (out / name).write_bytes(data)
        written.append(out / name)

    write(f"{release.name}.tar.gz", tarball(release))
    architecture = debian.ARCHITECTURES.get(release.machine, release.machine)
    if shutil.which("dpkg-deb"):
        target = out / f"carrel_{release.version}_{architecture}.deb"
        debian.build(release, target)
        written.append(target)
    else:
        print("dpkg-deb is not installed: no Debian package", file=sys.stderr)
    target = out / f"{release.name}.oci.tar"
    image.build(release, target)
    written.append(target)
    if shutil.which("cargo") and shutil.which("rustc"):
        bom = sbom.document(metadata(), release.text("Cargo.lock"), release.time())
        write(f"carrel-{release.version}.cdx.json", json.dumps(bom, indent=1).encode() + b"\n")
    else:
        print("cargo is not installed: no SBOM", file=sys.stderr)
    for name, data in extension.packages(release.version):
        write(name, data)
    write("release-notes.md", release_notes(release.text("CHANGELOG.md"), release.version).encode())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(written)]
    write("SHA256SUMS", "".join(sums).encode())
    return written


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--executable", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "package")
    parser.add_argument("--fast", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        executable = strip_copy(arguments.executable, folder) if arguments.fast else arguments.executable
        for path in pack(Release(executable, arguments.fast), arguments.out):
            print(f"{path.stat().st_size:>12} {path}")


main()
