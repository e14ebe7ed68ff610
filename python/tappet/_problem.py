# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""Contact problems."""
from __future__ import annotations

from typing import Any

from ._core import ContactProblem, Solution


def solve_contact(
    W: Any,
    q: Any,
    mu: Any,
    *,
    joint_rows: int = 0,
    rows_per_contact: int = 0,
    solver: str = "auto",
    P0: Any = None,
    **options: Any,
) -> Solution:
    """Finds P with xi = W P + q and Coulomb's law for every contact.

    The first ``joint_rows`` rows are those of joints, xi = 0. Each contact has the rows N, F1, F2: 0 <= xi_N, P_N >= 0,
    one of them zero, and friction of at most mu P_N against the sliding. ``mu`` has one number per contact, and the
    number of rows of each contact follows from that. If ``mu`` is one number for several contacts, ``rows_per_contact``
    says how many rows each of them has. ``options`` are tolerance, max_iterations, budget, facets and seed.
    """
    problem = ContactProblem(W, q, mu, joint_rows=joint_rows, rows_per_contact=rows_per_contact)
    return problem.solve(solver, P0=P0, **options)
