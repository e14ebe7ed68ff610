// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "elements/bodies/planar.h"
#include "elements/bodies/point.h"
#include "elements/bodies/rigid.h"
#include "elements/contacts/point_plane.h"
#include "elements/contacts/sphere_plane.h"
#include "elements/flexible/elastic_bar.h"
#include "elements/forces/gravity.h"
#include "elements/forces/spring_damper.h"
#include "elements/joints/revolute.h"
#include "elements/joints/spherical.h"

namespace tappet {

template <class... T>
struct List {};

// Every element there is. A new one is its file and a line here.
using Bodies = List<PointBody,   //
                    PlanarBody,  //
                    RigidBody>;
using FlexibleBodies = List<ElasticBar>;
using Joints = List<Spherical,  //
                    Revolute>;
using VelocityJoints = List<>;
using Contacts = List<PointPlane,  //
                      SpherePlane>;
using Forces = List<Gravity,  //
                    SpringDamper>;

template <class L>
struct OfList;
template <class... T>
struct OfList<List<T...>> {
  using Variant = std::variant<T...>;
  template <class F>
  static void each(F&& f) {
    (f.template operator()<T>(), ...);
  }
};
template <class L>
using VariantOf = typename OfList<L>::Variant;

template <class... A, class... B>
List<A..., B...> join(List<A...>, List<B...>);
using AllBodies = decltype(join(Bodies{}, FlexibleBodies{}));

// for_each<Joints>([]<class J>() { … })
template <class L, class F>
void for_each(F&& f) {
  OfList<L>::each(f);
}

}  // namespace tappet
