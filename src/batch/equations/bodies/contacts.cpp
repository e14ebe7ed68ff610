// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "batch/equations/bodies/body_builder.h"
#include "elements/contacts/contact_rows.h"
#include "kernels/recordable.h"

namespace tappet {

void BodyBuilder::add_contacts() {
  for (const ContactEntry& contact : model_.contacts)
    std::visit([&](const auto& element) { add_contact(element, contact); }, contact.element);
  for (const Measured& joint : measured_) add_stops_and_friction(joint);
}

template <class C>
void BodyBuilder::add_contact(const C&, const ContactEntry& entry) {
  if constexpr (kernels::Recordable<C>) {
    typename kernels::Rebound<C, Traced>::Type contact{};
    SlipRowsOf<Traced> law;
    SourceNumbers numbers(source_, in_plane(entry.bodies));
    contact.numbers(numbers);
    law.numbers(numbers);
    const Moving &A = frame(entry.bodies[0]), &B = frame(entry.bodies[1]);
    const auto axes = contact_axes(contact, law, A.pose, B.pose, time());
    const Vec3<Traced> approach =
        velocity_at(A.pose, A.twist, axes.touch.point_A) - velocity_at(B.pose, B.twist, axes.touch.point_B);
    RecordedMotion::Contact rows{row_of(dot(axes.e[0], approach), axes.chi), {}};
    rows.gap.value = axes.touch.gap.node(graph_);
    for (int r = 1; r <= std::min(law.count, 2); ++r)
      rows.friction.push_back(row_of(dot(axes.e[r], approach), Traced(0.0)));
    if (law.count == 3)
      rows.friction.push_back(row_of(dot(axes.drill, A.pose.R * A.twist.w - B.pose.R * B.twist.w), Traced(0.0)));
    motion_.contacts.push_back(std::move(rows));
    BatchEquations::BatchContact own{.name = entry.name, .place = entry.place};
    own.e_N = source_.next().node(graph_), own.e_F = source_.next().node(graph_);
    own.mu = source_.next().node(graph_);
    out_.contacts.push_back(own);
  }
}

}  // namespace tappet
