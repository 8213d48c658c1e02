"""Packs the browser extension; see bin/extension, which calls it, and main.py."""

import argparse
import io
import json
import pathlib
import re
import sys
import zipfile

sys.dont_write_bytecode = True

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "extension"
# Keys of the manifest that only one of the browsers knows.
FOREIGN = {
    "chrome": [("browser_specific_settings",), ("background", "scripts")],
    "firefox": [("minimum_chrome_version",), ("background", "service_worker")],
}
# The first time that a zip can store. The same bytes for the same files do not depend on times.
TIME = (1980, 1, 1, 0, 0, 0)


def manifest_for(browser):
    manifest = json.loads((FOLDER / "manifest.json").read_text())
    if browser == "firefox":
        # Firefox knows the permission for sign-ins only as one that is given at the installation.
        manifest["permissions"] += manifest.pop("optional_permissions")
    for *path, name in FOREIGN[browser]:
        part = manifest
        for key in path:
            part = part[key]
        del part[name]
    return json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"


def packed(browser):
    """Returns the zip for a browser."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
            name = path.relative_to(FOLDER).as_posix()
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = manifest_for(browser) if name == "manifest.json" else path.read_bytes()
            archive.writestr(entry, data, compresslevel=9)
    return target.getvalue()


def workspace_version():
    manifest = (FOLDER.parent / "Cargo.toml").read_text().split("[workspace.package]", 1)[1]
    return re.search(r'^version = "([^"]+)"', manifest, re.MULTILINE)[1]


def packages(version):
    """Returns name and bytes of each zip. The extension has the version of the workspace."""
    stated = json.loads((FOLDER / "manifest.json").read_text())["version"]
    if stated != version:
        raise SystemExit(f"extension/manifest.json has version {stated} instead of {version}")
    return [(f"carrel-extension-{version}-{browser}.zip", packed(browser)) for browser in sorted(FOREIGN)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, data in packages(workspace_version()):
        (out / name).write_bytes(data)
        print(f"{len(data):>12} {out / name}")


if __name__ == "__main__":
    main()
