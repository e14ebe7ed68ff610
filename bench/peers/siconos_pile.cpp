// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0

// The thousand spheres with the kernel of Siconos: rigid bodies, contacts that come and go, its splitting method in
// block storage to 1e-4 with warm starts, one linear step without Newton iterations. The pile is given at rest, and its
// last steps count. Tappet finds the contacts outside the measured time.
#include <SolverOptions.h>

#include <SiconosKernel.hpp>
#include <cstring>
#include <unordered_map>

#include "measures.h"
#include "settled.h"
#include "siconos_run.h"

namespace peers {
namespace {

using std::make_shared;
constexpr double dt = 1e-3;

SP::SiconosVector vector(double x, double y, double z) {
  auto a = make_shared<SiconosVector>(3);
  (*a)(0) = x, (*a)(1) = y, (*a)(2) = z;
  return a;
}
// a − origin, in the frame of a body with this orientation.
SP::SiconosVector in_body(const SiconosVector& q, const std::array<double, 3>& a, bool point) {
  const double o = point ? 1.0 : 0.0;
  const double x = a[0] - o * q(0), y = a[1] - o * q(1), z = a[2] - o * q(2);
  const double w = q(3), i = -q(4), j = -q(5), k = -q(6);  // the inverse rotation
  const double tx = 2 * (j * z - k * y), ty = 2 * (k * x - i * z), tz = 2 * (i * y - j * x);
  return vector(x + w * tx + j * tz - k * ty, y + w * ty + k * tx - i * tz, z + w * tz + i * ty - j * tx);
}

// The gap is the distance of the two points, as in the contacts of bodies in Siconos.
class Contact : public NewtonEuler3DR {
 public:
  void computeh(double time, const BlockVector& q, SiconosVector& y) override {
    NewtonEuler3DR::computeh(time, q, y);
    y.setValue(0, distance());
  }
};

class Touching : public InteractionManager {
 public:
  Touching(Settled& settled, std::vector<SP::NewtonEulerDS> balls) : settled_(settled), balls_(std::move(balls)) {}

  void updateInteractions(SP::Simulation simulation) override {
    const double from = processor_seconds();
    std::vector<std::array<double, 3>> centers;
    for (const auto& ball : balls_) centers.push_back({(*ball->q())(0), (*ball->q())(1), (*ball->q())(2)});
    const auto points = settled_.find(centers, 1e-4);
    off_clock += processor_seconds() - from;
    std::unordered_map<std::uint64_t, SP::Interaction> now;
    for (const auto& p : points) {
      const auto before = touching_.find(p.id);
      const bool is_new = before == touching_.end();
      auto relation = is_new ? make_shared<Contact>() : std::static_pointer_cast<Contact>(before->second->relation());
      relation->setRelPc1(in_body(*balls_[p.A]->q(), p.on_A, true));
      if (p.B >= 0) {
        relation->setRelPc2(in_body(*balls_[p.B]->q(), p.on_B, true));
        relation->setRelNc(in_body(*balls_[p.B]->q(), p.normal, false));
      } else {
        relation->setRelPc2(vector(p.on_B[0], p.on_B[1], p.on_B[2]));
        relation->setRelNc(vector(p.normal[0], p.normal[1], p.normal[2]));
      }
      now[p.id] = is_new ? make_shared<Interaction>(law_, relation) : before->second;
      if (!is_new) continue;
      if (p.B >= 0)
        simulation->link(now[p.id], balls_[p.A], balls_[p.B]);
      else
        simulation->link(now[p.id], balls_[p.A]);
    }
    for (const auto& [id, interaction] : touching_)
      if (!now.count(id)) simulation->unlink(interaction);
    touching_ = std::move(now);
  }

  double off_clock = 0.0;  // s
  size_t count() const { return touching_.size(); }

 private:
  Settled& settled_;
  std::vector<SP::NewtonEulerDS> balls_;
  std::unordered_map<std::uint64_t, SP::Interaction> touching_;
  SP::NonSmoothLaw law_ = make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, settled_.mu, 3);
};

}  // namespace
}  // namespace peers

int main(int argc, char** argv) {
  using namespace peers;
  if (argc > 1 && std::strcmp(argv[1], "spheres_in_box") != 0) return 0;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 2000, late = 10;
  Settled settled(steps - late);
  auto system = make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  std::vector<SP::NewtonEulerDS> balls;
  for (const auto& b : settled.balls) {
    auto q = make_shared<SiconosVector>(7), v = make_shared<SiconosVector>(6);
    for (int i = 0; i < 3; ++i) (*q)(i) = b.p[i], (*v)(i) = b.v[i], (*v)(3 + i) = b.w[i];
    (*q)(3) = 1.0;
    auto inertia = make_shared<SimpleMatrix>(3, 3);
    inertia->eye();
    *inertia *= settled.inertia;
    balls.push_back(make_shared<NewtonEulerDS>(q, v, settled.mass, inertia));
    balls.back()->setFExtPtr(vector(0.0, 0.0, -9.81 * settled.mass));
    system->insertDynamicalSystem(balls.back());
  }
  auto problem = make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
  problem->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 20000;
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-4;
  problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->setMaxSize(30000);
  problem->setKeepLambdaAndYState(true);
  auto simulation = make_shared<TimeStepping>(system, make_shared<TimeDiscretisation>(0.0, dt),
                                              make_shared<MoreauJeanOSI>(0.5), problem);
  simulation->setNewtonOptions(SICONOS_TS_LINEAR);
  auto touching = make_shared<Touching>(settled, balls);
  simulation->insertInteractionManager(touching);
  double seconds = 0.0;
  for (int k = 0; k < late + 2; ++k) {
    if (k == 2) touching->off_clock = seconds = 0.0;  // all contacts were linked in the first two steps
    const double from = processor_seconds();
    simulation->advanceToEvent();
    simulation->processEvents();
    seconds += processor_seconds() - from;
  }
  print({"spheres_in_box", siconos_name, "kernel, NSGS", late, 1e6 * (seconds - touching->off_clock) / late,
         settled.deepest, text("%zu contacts, tolerance 1e-4, the last %d steps", touching->count(), late)});
}
