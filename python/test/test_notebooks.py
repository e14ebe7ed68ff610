# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/notebooks run from the first cell to the last, all of them together within a minute."""
import os
import time

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_all_notebooks_run_within_a_minute(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    assert len(NOTEBOOKS) == 5
    start = time.process_time(), time.monotonic(), os.times()
    for file in NOTEBOOKS:
        notebook = nbformat.read(file, as_version=4)
        assert not any(cell.get("outputs") for cell in notebook.cells), f"{file.name} is stored with outputs"
        nbclient.NotebookClient(
            notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
        shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        assert not any(output.output_type == "error" for output in shown)
        if file.name.startswith("1_"):
            assert any(
                "<iframe" in output.get("data", {}).get("text/html", "") for output in shown
            )  # the page of the run
    now = os.times()
    used = sum(now[:4]) - sum(start[2][:4])
    print(f"{time.monotonic() - start[1]:.1f} s, {used:.1f} s of processor time")
    assert used < 60  # seconds of processor time, which other programs on the machine do not change
