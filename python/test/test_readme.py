# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The lines of the README and of docs/python.md, as they are printed there."""
import re

import numpy
import pytest
from conftest import ROOT


def blocks(file):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / file).read_text(), re.MULTILINE | re.DOTALL)


def test_the_lines_of_the_readme_work_as_printed(monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(ROOT)
    (lines,) = blocks("README.md")
    names = {}
    exec(compile(lines, "README.md", "exec"), names)
    assert names["run"].t[-1] == 3.0 and len(names["run"].q["y"]) == len(names["run"].t)


def test_the_lines_about_studies_work_as_printed():
    import tappet as tp

    (lines,) = [block for block in blocks("docs/python.md") if "tp.study(" in block]
    names = {"tp": tp, "numpy": numpy, "model": tp.example("slider_crank")}
    exec(compile(lines.replace("31", "3"), "docs/python.md", "exec"), names)  # fewer runs
    assert len(names["study"]) == 6 and list(names["study"].status) == ["done"] * 6
