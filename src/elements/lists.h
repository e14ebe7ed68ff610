// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elements/bodies/planar.h"
#include "elements/bodies/point.h"
#include "elements/bodies/rigid.h"
#include "elements/contacts/box_plane.h"
#include "elements/contacts/circle_circle.h"
#include "elements/contacts/edge_edge.h"
#include "elements/contacts/on_terrain.h"
#include "elements/contacts/pin_in_bore.h"
#include "elements/contacts/point_on_curve.h"
#include "elements/contacts/point_plane.h"
#include "elements/contacts/reversed.h"
#include "elements/contacts/sphere_cylinder.h"
#include "elements/contacts/sphere_plane.h"
#include "elements/contacts/sphere_sphere.h"
#include "elements/flexible/beam.h"
#include "elements/flexible/elastic_bar.h"
#include "elements/flexible/shaft.h"
#include "elements/forces/applied_force.h"
#include "elements/forces/applied_torque.h"
#include "elements/forces/damper.h"
#include "elements/forces/gravity.h"
#include "elements/forces/spring.h"
#include "elements/forces/spring_damper.h"
#include "elements/forces/torsional_spring_damper.h"
#include "elements/joints/cylindrical.h"
#include "elements/joints/distance.h"
#include "elements/joints/fixed.h"
#include "elements/joints/joint_coordinate.h"
#include "elements/joints/knife_edge.h"
#include "elements/joints/planar.h"
#include "elements/joints/prismatic.h"
#include "elements/joints/revolute.h"
#include "elements/joints/rolling.h"
#include "elements/joints/spherical.h"
#include "elements/joints/universal.h"
#include "elements/own/own_element.h"
#include "math/lists/type_list.h"

namespace tappet {

// All elements. To add one, write its file and add a line here.
using Bodies = List<PointBody,   //
                    PlanarBody,  //
                    RigidBody>;
using FlexibleBodies = List<ElasticBar,  //
                            Beam,        //
                            Shaft>;
using Joints = List<Spherical,    //
                    Revolute,     //
                    Prismatic,    //
                    Cylindrical,  //
                    Universal,    //
                    PlanarJoint,  //
                    Fixed,        //
                    Distance>;
// Parts of revolute and prismatic joints with limits, friction or a motor. They are no types of the model file.
using JointParts = List<JointCoordinate,  //
                        JointStop,        //
                        JointFriction>;
using VelocityJoints = List<Rolling,  //
                            KnifeEdge>;
using Contacts = List<PointPlane,        //
                      SpherePlane,       //
                      SphereSphere,      //
                      SphereInCylinder,  //
                      SphereOnCylinder,  //
                      CircleOnCircle,    //
                      CircleInCircle,    //
                      PointOnCurve>;
// Found contacts are also made of these. They are no types of the model file.
using FoundContacts = List<PlaneSphere,         //
                           CircleAroundCircle,  //
                           CylinderOnSphere,    //
                           EdgeEdge,            //
                           WheelOnPlane,        //
                           PlaneOnWheel,        //
                           RingOnCylinder,      //
                           CylinderOnRing,      //
                           SphereOnRing>;
// These have no keys; they are made by the search for contacts.
using TerrainContacts = List<SphereOnTerrain, WheelOnTerrain, CapsuleOnTerrain>;
// Several contacts with one name: parts(), each of type Part, which may be a variant.
using ContactGroups = List<BoxPlane,  //
                           PinInBore>;
using Forces = List<Gravity,                //
                    Spring,                 //
                    Damper,                 //
                    SpringDamper,           //
                    TorsionalSpringDamper,  //
                    AppliedForce,           //
                    AppliedTorque>;

using AllBodies = decltype(join(Bodies{}, FlexibleBodies{}));
// With those that a program adds (ElementTypes).
using AllJoints = decltype(join(Joints{}, List<OwnJoint>{}));
using AllContacts = decltype(join(Contacts{}, List<OwnContact>{}));
using AllForces = decltype(join(Forces{}, List<OwnForce>{}));

}  // namespace tappet
