"""The build backend of pip (PEP 517): CMake builds the module, this file packs it.

It needs no network and nothing but the packages of tools/packages.txt, groups build and python.
`--config-settings build=FOLDER` packs the module of a build that exists, as it is there.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"


def _version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(alembert VERSION ([0-9.]+)", text)[1]


def _run(*command):
    # pip hides the system's packages from every Python that it starts, by way of PYTHONPATH; the
    # generator of the bindings needs libclang from there.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True, env=environment)


def _build():
    _run(ROOT / "tools" / "configure", "release", "-DALEMBERT_PYTHON=ON")
    _run("cmake", "--build", "--preset", "release", "--target", "alembert_python")
    return BUILD


def _package(config_settings):
    build = (config_settings or {}).get("build")
    package = (ROOT / build if build else _build()) / "python" / "alembert"
    # The module's name says for which Python it was built; in another one its import would fail.
    module = package / f"_alembert{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not module.is_file():
        raise SystemExit(f"{module}: not there; the module is built for /usr/bin/python3, so use its pip")
    return package


def _tag():
    version = sysconfig.get_config_var("py_version_nodot")
    platform = re.sub(r"[^A-Za-z0-9]", "_", sysconfig.get_platform())
    return f"cp{version}-cp{version}-{platform}"


def _metadata():
    return (f"Metadata-Version: 2.1\nName: alembert\nVersion: {_version()}\n"
            "Summary: Mechanical models you can trust from measured motion\nRequires-Dist: numpy\n")


def _wheel_file():
    return f"Wheel-Version: 1.0\nGenerator: alembert_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _hash(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the module and writes the wheel; returns its name."""
    package = _package(config_settings)
    info = f"alembert-{_version()}.dist-info"
    contents = {f"alembert/{file.relative_to(package).as_posix()}": file.read_bytes()
                for file in sorted(package.rglob("*")) if file.is_file() and "__pycache__" not in file.parts}
    contents[f"{info}/METADATA"] = _metadata().encode()
    contents[f"{info}/WHEEL"] = _wheel_file().encode()
    contents[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = [f"{name},sha256={_hash(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    name = f"alembert-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(path, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Source packages are not made: use a checkout."""
    raise NotImplementedError("alembert is built from a checkout: pip install . in it")
