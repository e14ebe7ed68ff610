#!/usr/bin/env python3
# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the meshes of pawl_mesh.yaml beside itself: the pawl in three convex pieces, the floor of the hole, and the tip
# of the beam, as STL files in millimetres. The planar faces of the pawl have 50 coplanar triangles in all, and so has the
# floor, as a CAD system would export curved parts ("about 50 coplanar triangles", Potra 2006, §10.4).
import pathlib


def fan(polygon, parts):
    """A polygon whose edges are cut into parts, as triangles about its middle."""
    points = []
    for i, (x, y) in enumerate(polygon):
        u, v = polygon[(i + 1) % len(polygon)]
        points += [(x + (u - x) * k / parts[i], y + (v - y) * k / parts[i]) for k in range(parts[i])]
    n = len(points)
    middle = (sum(p[0] for p in points) / n, sum(p[1] for p in points) / n)
    return points + [middle], [(k, (k + 1) % n, n) for k in range(n)]


def grid(low, high, cells):
    """A rectangle of cells, each of two triangles."""
    nx, ny = cells
    at = lambda i, j: i * (ny + 1) + j
    points = [(low[0] + (high[0] - low[0]) * i / nx, low[1] + (high[1] - low[1]) * j / ny)
              for i in range(nx + 1) for j in range(ny + 1)]
    triangles = []
    for i in range(nx):
        for j in range(ny):
            triangles += [(at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1))]
    return points, triangles


def extruded(face, z):
    """The triangles in space of a flat part between two heights."""
    points, triangles = face
    on = lambda k, height: (*points[k], height)
    edges = {(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)}
    solid = [tuple(on(k, z[1]) for k in t) for t in triangles] + [tuple(on(k, z[0]) for k in reversed(t)) for t in triangles]
    for i, j in sorted(e for e in edges if (e[1], e[0]) not in edges):
        solid += [(on(i, z[0]), on(j, z[0]), on(j, z[1])), (on(i, z[0]), on(j, z[1]), on(i, z[1]))]
    return solid


def write(name, solid):
    lines = [f"solid {name}"]
    for triangle in solid:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(f"{c:.9g}" for c in corner) for corner in triangle]
        lines += ["endloop", "endfacet"]
    lines.append(f"endsolid {name}")
    (pathlib.Path(__file__).parent / f"{name}.stl").write_text("\n".join(lines) + "\n")


# Corners run counter-clockwise, in the frame of the pawl: the origin is at its nose, x points into the hole.
nose = [(0, 0.3), (-1.2, 0.3), (-1.2, -0.15), (-1.1, -0.3), (-0.5, -0.3), (0, -0.1)]
middle = [(-1.2, 0.3), (-1.5, 0.3), (-1.5, -0.15), (-1.2, -0.15)]
tail = [(-1.5, 0.3), (-2.3, 0.3), (-2.3, -0.3), (-1.6, -0.3), (-1.5, -0.15)]
write("nose", extruded(fan(nose, [7, 3, 2, 5, 4, 3]), (-0.1, 0.1)))   # 24 triangles
write("middle", extruded(fan(middle, [2, 3, 2, 3]), (-0.1, 0.1)))     # 10
write("tail", extruded(fan(tail, [5, 3, 5, 1, 2]), (-0.1, 0.1)))      # 16
write("floor", extruded(grid((-3.4, -0.8), (0.4, 0.8), (5, 5)), (-0.3, -0.1)))   # 50
# The tip of the beam, in its own frame: the beam ends at the origin.
write("tip", extruded(fan([(0.12, -0.015), (0.12, 0.17), (0.03, 0.26), (-0.03, 0.26), (-0.12, 0.17), (-0.12, -0.015)], [1] * 6), (-0.09, 0.09)))
