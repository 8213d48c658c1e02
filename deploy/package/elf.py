"""C library of an executable: static, or glibc of a minimum version, with the shared libraries that it needs."""

import re
import struct
import subprocess

PT_LOAD, PT_DYNAMIC, PT_INTERP = 1, 2, 3
DT_STRTAB, DT_STRSZ = 5, 10


def dynamic_strings(data):
    """Returns the interpreter and the strings of the dynamic section. (None, []) for a static executable."""
    if data[:5] != b"\x7fELF\x02" or data[5] != 1:
        return None, []
    offset, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    interpreter, dynamic, loads = None, None, []
    for number in range(count):
        kind, _, start, address, _, length = struct.unpack_from("<IIQQQQ", data, offset + number * size)
        if kind == PT_INTERP:
            interpreter = data[start : start + length].rstrip(b"\0").decode()
        elif kind == PT_DYNAMIC:
            dynamic = (start, length)
        elif kind == PT_LOAD:
            loads.append((address, start, length))
    if dynamic is None:
        return interpreter, []
    entries = dict(struct.iter_unpack("<qQ", data[dynamic[0] : dynamic[0] + dynamic[1]]))
    table = entries.get(DT_STRTAB, 0)
    for address, start, length in loads:
        if address <= table < address + length:
            table = table - address + start
            break
    strings = data[table : table + entries.get(DT_STRSZ, 0)]
    return interpreter, [text.decode("latin-1") for text in strings.split(b"\0")]


def libc_of(data):
    """Returns the name of the C library for names of packages, and its minimum version. The version is None for a
    static executable."""
    interpreter, strings = dynamic_strings(data)
    if interpreter is None:
        return "musl", None
    versions = [re.fullmatch(r"GLIBC_(\d+)\.(\d+)(\.\d+)?", text) for text in strings]
    versions = [(int(match[1]), int(match[2])) for match in versions if match]
    version = "{}.{}".format(*max(versions, default=(2, 17)))
    return f"glibc{version}", version


def shared_libraries(path, data):
    """Returns the paths of the interpreter and of all shared libraries of an executable on this machine."""
    interpreter, _ = dynamic_strings(data)
    if interpreter is None:
        return []
    output = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return sorted({interpreter, *re.findall(r"=> (/\S+)", output)})
