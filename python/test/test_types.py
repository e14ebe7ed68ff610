# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Type hints: mypy accepts the package, and every name of the compiled part has its stub."""
import inspect
import subprocess
import sys

import pytest

import tappet as tp
from conftest import ROOT
from tappet import _core


def test_mypy_accepts_the_package(tmp_path):
    pytest.importorskip("mypy")
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--cache-dir",
            str(tmp_path),
            str(ROOT / "python" / "tappet"),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_stub_has_every_name_of_the_compiled_part():
    import ast

    tree = ast.parse((ROOT / "python" / "tappet" / "_core.pyi").read_text())
    stubs = {
        node.name: {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        | {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, member in vars(_core).items():
        if name.startswith("_"):
            continue
        if inspect.isclass(member):
            own = {key for key in vars(member) if not key.startswith("_")}
            assert own == {key for key in stubs[name] if not key.startswith("_")}, name
        else:
            assert name in functions, name


def test_every_public_name_has_a_docstring():
    for name in tp.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(tp, name)), name
