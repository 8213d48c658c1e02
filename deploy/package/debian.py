"""Debian package: a tree of files that dpkg-deb packs. Its scripts are in deploy/debian."""

import email.utils
import os
import pathlib
import subprocess
import tempfile

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "Carrel <carrel@example.org>"
APACHE = "/usr/share/common-licenses/Apache-2.0"


def unit(text, role):
    """Returns the unit of deploy/systemd for the paths and the user of the package. `role` is None for the template of
    all roles."""
    settings = "[Unit]" + text.split("\n[Unit]", 1)[1]
    for old, new in [
        ("/usr/local/bin/carrel", "/usr/bin/carrel"),
        ("EnvironmentFile=-/etc/carrel.env", "EnvironmentFile=-/etc/carrel/carrel.env"),
        ("DynamicUser=yes", "User=carrel\nGroup=carrel"),
    ]:
        if old not in settings:
            raise SystemExit(f"deploy/systemd/carrel@.service has no `{old}`")
        settings = settings.replace(old, new)
    if role:
        settings = settings.replace("%i", role)
    return settings


def control(release, size):
    libc = f"libc6 (>= {release.libc_version}), libgcc-s1, " if release.libc_version else ""
    return f"""Package: carrel
Version: {release.version}
Architecture: {ARCHITECTURES.get(release.machine, release.machine)}
Maintainer: {MAINTAINER}
Installed-Size: {size}
Depends: {libc}adduser
Recommends: ca-certificates
Suggests: postgresql-client, redis-server
Section: web
Priority: optional
Homepage: {release.repository}
Description: reader of the web for people and programs
 Feeds, monitors of pages, a private library, and a public reader in one
 service, with an embedded database or PostgreSQL.
"""


def changelog(release):
    """The entry of this version in Debian's format. The changes themselves are in CHANGELOG.md."""
    time = email.utils.formatdate(release.epoch).replace("-0000", "+0000")
    return f"""carrel ({release.version}) unstable; urgency=medium

  * Release {release.version}: see CHANGELOG.md.gz.

 -- {MAINTAINER}  {time}
"""


def copyright_text(release):
    return release.copyright() + f"\nOn Debian systems, the Apache License, Version 2.0, is in {APACHE}.\n"


def write_tree(folder, release):
    """Writes the files of the package below `folder`."""
    documents = "usr/share/doc/carrel"
    files = {
        "usr/bin/carrel": (release.data, 0o755),
        "etc/carrel/carrel.env": (release.configuration("/var/lib/carrel"), 0o640),
        "usr/lib/systemd/system/carrel.service": (unit(release.text("deploy/systemd/carrel@.service"), "serve"), 0o644),
        "usr/lib/systemd/system/carrel@.service": (unit(release.text("deploy/systemd/carrel@.service"), None), 0o644),
        "usr/share/man/man1/carrel.1.gz": (release.compressed(release.output("man")), 0o644),
        "usr/share/bash-completion/completions/carrel": (release.output("completions", "bash"), 0o644),
        "usr/share/zsh/vendor-completions/_carrel": (release.output("completions", "zsh"), 0o644),
        "usr/share/fish/vendor_completions.d/carrel.fish": (release.output("completions", "fish"), 0o644),
        f"{documents}/README.md": (release.text("README.md").encode(), 0o644),
        f"{documents}/CHANGELOG.md.gz": (release.compressed(release.text("CHANGELOG.md").encode()), 0o644),
        f"{documents}/changelog.gz": (release.compressed(changelog(release).encode()), 0o644),
        f"{documents}/copyright": (copyright_text(release).encode(), 0o644),
        "usr/share/lintian/overrides/carrel": (release.text("deploy/debian/lintian-overrides").encode(), 0o644),
    }
    size = sum(len(data) for data, _ in files.values()) // 1024 + 1
    files["DEBIAN/control"] = (control(release, size), 0o644)
    files["DEBIAN/conffiles"] = ("/etc/carrel/carrel.env\n", 0o644)
    for script in ["postinst", "prerm", "postrm"]:
        files[f"DEBIAN/{script}"] = (release.text(f"deploy/debian/{script}"), 0o755)
    for path, (data, mode) in files.items():
        target = pathlib.Path(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)
        target.chmod(mode)
    for current, _, names in os.walk(folder, topdown=False):
        for name in names:
            os.utime(os.path.join(current, name), (release.epoch, release.epoch))
        os.chmod(current, 0o755)
        os.utime(current, (release.epoch, release.epoch))


def build(release, target):
    compression = ["-Zgzip", "-z1"] if release.fast else ["-Zxz", "-z6"]
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        os.mkdir(tree)
        write_tree(tree, release)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", *compression, "--build", tree, target],
            check=True,
            stdout=subprocess.DEVNULL,
        )
