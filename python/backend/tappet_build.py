# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the Python package for pip (PEP 517): calls CMake and writes the wheel. It needs nothing but the standard
library, so `pip install .` works without a network.

Options: pip install . --config-settings=cmake-args="-DTAPPET_X=1" and the variable CMAKE_BUILD_PARALLEL_LEVEL.
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"project\(tappet VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _tag():
    interpreter = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{interpreter}-{interpreter}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: tappet\nVersion: {_version()}\n"
        "Summary: Simulates mechanisms whose parts touch\nLicense: Apache-2.0\nRequires-Python: >=3.9\n"
        "Requires-Dist: numpy\nProvides-Extra: all\n"
        + "".join(f'Requires-Dist: {name}; extra == "all"\n' for name in ("matplotlib", "pandas", "xarray"))
        + f"Description-Content-Type: text/markdown\n\n{text}"
    )


def _wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: tappet_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _compile(config_settings):
    """The folder of the package, built for the interpreter that runs this."""
    if not shutil.which("cmake"):
        raise SystemExit("tappet: CMake was not found; expected the packages that `make python` installs (README.md)")
    build = ROOT / "build" / f"pip-{_tag()}"
    more = shlex.split((config_settings or {}).get("cmake-args", ""))
    generator = ["-G", "Ninja"] if shutil.which("ninja") and not (build / "CMakeCache.txt").exists() else []
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 2)
    subprocess.run(
        [
            "cmake",
            "-S",
            ROOT,
            "-B",
            build,
            *generator,
            "-DCMAKE_BUILD_TYPE=Release",
            "-DTAPPET_TESTS=OFF",
            "-DTAPPET_PYTHON=ON",
            f"-DPython3_EXECUTABLE={sys.executable}",
            *more,
        ],
        check=True,
    )
    subprocess.run(["cmake", "--build", build, "--parallel", jobs, "--target", "python"], check=True)
    return build / "python" / "tappet"


def _contents(package):
    """Pairs of the name in the wheel and the file."""
    for file in sorted(package.iterdir()):
        if file.is_file():
            yield f"tappet/{file.name}", file
    for folder in ("models", "reproductions"):
        for file in sorted((ROOT / folder).rglob("*.yaml")):
            yield f"tappet/share/{folder}/{file.relative_to(ROOT / folder).as_posix()}", file


def _write_wheel(folder, contents):
    name = f"tappet-{_version()}"
    info = f"{name}.dist-info"
    wheel = pathlib.Path(folder) / f"{name}-{_tag()}.whl"
    entries = [
        (path, file.read_bytes() if isinstance(file, pathlib.Path) else file.encode()) for path, file in contents
    ]
    entries += [
        (f"{info}/METADATA", _metadata().encode()),
        (f"{info}/WHEEL", _wheel_file().encode()),
        (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()),
    ]
    record = ""
    for path, data in entries:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    entries.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in entries:
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel.name


# The functions that pip calls.


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = pathlib.Path(metadata_directory) / f"tappet-{_version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata(), encoding="utf-8")
    (info / "WHEEL").write_text(_wheel_file())
    return info.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, list(_contents(_compile(config_settings))))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The package stays in the build folder; a .pth file leads there. `make python` renews it."""
    package = _compile(config_settings)
    return _write_wheel(wheel_directory, [("tappet.pth", f"{package.parent}\n")])


def build_sdist(sdist_directory, config_settings=None):
    name = f"tappet-{_version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in filter(None, listed.split("\0")):
            archive.add(ROOT / file, f"{name}/{file}")
        info = pathlib.Path(sdist_directory) / "PKG-INFO"
        info.write_text(_metadata(), encoding="utf-8")
        archive.add(info, f"{name}/PKG-INFO")
        info.unlink()
    return f"{name}.tar.gz"
