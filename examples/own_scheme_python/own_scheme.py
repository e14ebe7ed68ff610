# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
"""A time-stepping scheme in Python: Stoermer and Verlet's, with the impacts at the end of the step.

    u_M = u_0 + dt/2 M^-1 h(q_0, u_0)                                      kick
    q_1 = q_0 + dt u_M                                                     drift
    M (u_1 - u_M) = dt/2 h(q_1, u_M) + W P                                 kick and contacts, all at q_1
    -(gamma_1 + e gamma_0) in N_C(P) on contacts whose gap is not positive    gamma = W^T u + chi

It is of order 2 while nothing touches and of order 1 through impacts. Both are measured below. The same scheme in C++ is
examples/own_scheme.
"""
import math

import numpy as np

import tappet as tp


class VerletMoreau:
    name = "verlet-moreau"  # in results

    def __init__(self, evaluate: tp.Evaluator):
        self.evaluate = evaluate

    def step(self, state: tp.State, dt: float):
        q, u, u_0 = state.q, state.u, state.u.copy()
        u += dt / 2 * self.acceleration(state)
        q[:] = self.evaluate.displace(q, dt * u)
        state.t += dt
        u += dt / 2 * self.acceleration(state)
        active = np.flatnonzero(self.evaluate.gaps(state.t, q) <= 0)
        return self.meet_contacts(state, u_0, active)

    def acceleration(self, state: tp.State):
        M = self.evaluate.mass(state.t, state.q)
        return np.linalg.solve(M, self.evaluate.forces(state.t, state.q, state.u))

    def meet_contacts(self, state: tp.State, u_0, active):
        W, chi = self.evaluate.directions(state.t, state.q, active)
        if W.shape[1] == 0:
            return None
        response = np.linalg.solve(self.evaluate.mass(state.t, state.q), W)
        c = W.T @ state.u + chi + self.evaluate.restitution(active) * (W.T @ u_0 + chi)
        solution = self.evaluate.problem(active, W.T @ response, c).solve()
        state.u[:] += response @ solution.P
        return tp.SchemeReport(
            solution.P, active, converged=solution.converged, residual=solution.residual, iterations=solution.iterations
        )


def order(error, runs=6):
    """The slope of log error over log dt, by least squares over dt = 0.01, 0.005, ..."""
    steps = [0.01 / 2**k for k in range(runs)]
    return np.polyfit(np.log(steps), np.log([error(dt) for dt in steps]), 1)[0]


# A swing without contact, x'' = -x: x = cos t.
swing = tp.Model(
    """
coordinates: {x: {position: 1, velocity: 0}}
lagrangian: {kinetic: x'^2/2, potential: x^2/2}
run: {end: 5}
""",
    "swing.yaml",
)

# A ball that falls from height 1 and rebounds with half its velocity, v = sqrt(2 g), at t_1 = sqrt(2/g); t_1 < 0.7 < t_2.
ball = tp.Model(
    """
parameters: {g: 9.81}
coordinates: {y: {position: 1, velocity: 0}}
lagrangian: {kinetic: y'^2/2, potential: g*y}
contacts: {floor: {gap: y, e_N: 0.5}}
run: {end: 0.7}
""",
    "ball.yaml",
)


def last(model, dt):
    return tp.simulate(model, scheme=VerletMoreau, dt=dt, record=False).state.q[0]


def orders():
    g = 9.81
    v, since = 0.5 * math.sqrt(2 * g), 0.7 - math.sqrt(2 / g)
    height = v * since - g * since**2 / 2
    return order(lambda dt: abs(last(swing, dt) - math.cos(5))), order(lambda dt: abs(last(ball, dt) - height))


if __name__ == "__main__":
    smooth, rough = orders()
    print(f"order without contact {smooth:.3f}, through an impact {rough:.2f}")
