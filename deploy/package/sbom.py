"""SBOM in CycloneDX 1.6: the crates that are compiled into the executable, from `cargo metadata` and Cargo.lock."""

import re
import uuid

ROOT = "carrel"


def checksums(lock):
    """Returns SHA-256 of each crate by name and version, from Cargo.lock."""
    pattern = r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"'
    return {(name, version): digest for name, version, digest in re.findall(pattern, lock)}


def linked(metadata):
    """Returns the ids of the crates on which the executable depends, each with the ids of its own dependencies. Crates
    of tests and benchmarks are not included."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(package["id"] for package in metadata["packages"] if package["name"] == ROOT)
    graph, waiting = {}, [root]
    while waiting:
        current = waiting.pop()
        if current in graph:
            continue
        graph[current] = sorted(
            dependency["pkg"]
            for dependency in nodes[current]["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        )
        waiting.extend(graph[current])
    return root, graph


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, digests, kind="library"):
    entry = {"type": kind, "bom-ref": purl(package), "name": package["name"], "version": package["version"]}
    entry["purl"] = purl(package)
    if package.get("license"):
        # Older crates separate alternatives by a slash, which is not part of SPDX expressions.
        entry["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]
    digest = digests.get((package["name"], package["version"]))
    if digest:
        entry["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return entry


def document(metadata, lock, time):
    packages = {package["id"]: package for package in metadata["packages"]}
    digests = checksums(lock)
    root, graph = linked(metadata)
    others = sorted((purl(packages[key]), key) for key in graph if key != root)
    dependencies = sorted((purl(packages[key]), sorted({purl(packages[other]) for other in graph[key]})) for key in graph)
    names = "\n".join(name for name, _ in others)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, purl(packages[root]) + names)}",
        "version": 1,
        "metadata": {"timestamp": time, "component": component(packages[root], digests, "application")},
        "components": [component(packages[key], digests) for _, key in others],
        "dependencies": [{"ref": name, "dependsOn": names} for name, names in dependencies],
    }
