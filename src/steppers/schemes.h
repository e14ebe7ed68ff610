// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "math/lists/type_list.h"
#include "steppers/event_driven/event_driven.h"
#include "steppers/generalized_alpha/generalized_alpha.h"
#include "steppers/ggl/ggl_decoupled.h"
#include "steppers/ggl/ggl_unified.h"
#include "steppers/half_explicit/explicit_velocity.h"
#include "steppers/half_explicit/half_explicit_acceleration.h"
#include "steppers/half_explicit/half_explicit_adaptive.h"
#include "steppers/half_explicit/half_explicit_velocity.h"
#include "steppers/lcp/lcp_euler.h"
#include "steppers/lcp/lcp_trapezoidal.h"
#include "steppers/moreau/moreau_explicit.h"
#include "steppers/moreau/moreau_jean.h"
#include "steppers/moreau/moreau_midpoint.h"
#include "steppers/position/position_trapezoidal.h"
#include "steppers/position/schatzman_paoli.h"
#include "steppers/projection/combined_projection.h"
#include "steppers/projection/direct_projection.h"

namespace tappet {

// All schemes, in the order in which `tappet schemes` lists them. To add one, write its files and add a line here. Its
// class derives from Stepper, is constructed from (contacts, solver) or (contacts, solver, Options), and describes
// itself in `facts` (scheme_facts.h).
using Schemes = List<MoreauExplicit,            //
                     MoreauMidpoint,            //
                     MoreauJean,                //
                     SchatzmanPaoli,            //
                     PositionTrapezoidal,       //
                     DirectProjection,          //
                     CombinedProjection,        //
                     GglDecoupled,              //
                     GglUnified,                //
                     LcpEuler,                  //
                     LcpTrapezoidal,            //
                     HalfExplicitAcceleration,  //
                     ExplicitVelocity,          //
                     HalfExplicitVelocity,      //
                     HalfExplicitAdaptive,      //
                     GeneralizedAlpha,          //
                     EventDriven>;

}  // namespace tappet
