# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The wheel that pip installs, and the lines of the documentation."""
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import tappet as tp
from conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as the backend writes it, from the package that is tested here."""
    sys.path.insert(0, str(ROOT / "python" / "backend"))
    import tappet_build

    folder = tmp_path_factory.mktemp("wheel")
    package = pathlib.Path(tp.__file__).parent
    return folder / tappet_build._write_wheel(folder, list(tappet_build._contents(package)))


def test_the_wheel_is_complete(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert re.fullmatch(r"tappet-[0-9.]+-cp3\d+-cp3\d+-linux_\w+\.whl", wheel.name)
    assert any(name.startswith("tappet/_core.") and name.endswith(".so") for name in names)
    for name in ("tappet/__init__.py", "tappet/py.typed", "tappet/_core.pyi", "tappet/share/models/first_model.yaml"):
        assert name in names
    assert any(name.endswith(".dist-info/RECORD") for name in names)


def test_pip_installs_it_and_it_finds_its_own_examples(wheel, tmp_path):
    pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True)
    if pip.returncode != 0:
        pytest.skip("pip is not installed")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", str(tmp_path), str(wheel)],
        check=True,
        capture_output=True,
    )
    script = "import tappet as tp; print(tp.__file__); print(tp.simulate(tp.example('first_model')).status)"
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    file, status = found.stdout.split()
    assert file.startswith(str(tmp_path)) and status == "done"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_lines_of_the_documentation_work_as_printed(page, monkeypatch):
    pytest.importorskip("matplotlib")
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(ROOT)
    assert "import tappet as tp" in blocks[0]
    exec(compile(blocks[0], page, "exec"), {})
