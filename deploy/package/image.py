"""OCI image in the layout of the specification, as one tar: one layer, no shell, and a user without privileges."""

import hashlib
import json
import pathlib

import archive
import elf

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
USER = 10001
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
SECOND = 1_000_000_000


def layer(release):
    """Files of the image. A dynamic executable brings the shared libraries of this machine along."""
    tree = archive.Tree()
    tree.file("usr/bin/carrel", release.data, 0o755)
    for path in elf.shared_libraries(release.executable, release.data):
        tree.file(path.lstrip("/"), pathlib.Path(path).read_bytes(), 0o755)
    if pathlib.Path(CERTIFICATES).exists():
        tree.file(CERTIFICATES.lstrip("/"), pathlib.Path(CERTIFICATES).read_bytes())
    tree.file("etc/passwd", f"root:x:0:0:root:/:/nologin\ncarrel:x:{USER}:{USER}:Carrel:/var/lib/carrel:/nologin\n")
    tree.file("etc/group", f"root:x:0:\ncarrel:x:{USER}:\n")
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"]:
        tree.file(f"usr/share/doc/carrel/{name}", release.text(name))
    tree.folder("tmp", 0o1777)
    tree.folder("var")
    tree.folder("var/lib")
    tree.folder("var/lib/carrel", 0o700, USER)
    return tree.tar(release.epoch)


def configuration(release, layer_digest):
    return {
        "created": release.time(),
        "architecture": ARCHITECTURES.get(release.machine, release.machine),
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"8080/tcp": {}},
            "Env": ["PATH=/usr/bin", "CARREL_LISTEN=0.0.0.0:8080"],
            "Entrypoint": ["/usr/bin/carrel"],
            "Volumes": {"/var/lib/carrel": {}},
            "WorkingDir": "/var/lib/carrel",
            "StopSignal": "SIGTERM",
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/carrel", "check", "--ready"],
                "Interval": 10 * SECOND,
                "Timeout": 5 * SECOND,
                "StartPeriod": 30 * SECOND,
            },
            "Labels": {
                "org.opencontainers.image.title": "Carrel",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": release.license,
                "org.opencontainers.image.source": release.repository,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [layer_digest]},
        "history": [{"created": release.time(), "created_by": "bin/package"}],
    }


def build(release, target):
    blobs = archive.Tree()

    def blob(media_type, data):
        digest = hashlib.sha256(data).hexdigest()
        blobs.file(f"blobs/sha256/{digest}", data)
        return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": f"sha256:{digest}", "size": len(data)}

    files = layer(release)
    packed = blob("layer.v1.tar+gzip", release.compressed(files))
    settings = configuration(release, f"sha256:{hashlib.sha256(files).hexdigest()}")
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob("config.v1+json", to_json(settings)),
        "layers": [packed],
    }
    named = blob("manifest.v1+json", to_json(manifest))
    named["annotations"] = {
        "org.opencontainers.image.ref.name": release.version,
        "io.containerd.image.name": f"docker.io/library/carrel:{release.version}",
    }
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [named]}
    blobs.file("index.json", to_json(index))
    blobs.file("oci-layout", to_json({"imageLayoutVersion": "1.0.0"}))
    target.write_bytes(blobs.tar(release.epoch))


def to_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
