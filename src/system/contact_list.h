// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/archive.h>

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "system/sleepers.h"
#include "system/system.h"

namespace tappet {

// The present contacts: those of the file, then those that were found between colliders, in the order of their touch
// points. Apart from the state, this is all that changes about a system during a run. Each run has its own list, which
// Evaluator and steppers read. Contacts and rows are numbered through the present list.
class ContactList {
 public:
  // There are no found contacts before the first find(). Both arguments must outlive the object.
  explicit ContactList(const System& system, const Execution& execution = Execution::serial);
  ContactList(const ContactList&) = delete;
  ContactList& operator=(const ContactList&) = delete;

  const System& system() const { return system_; }
  const Execution& execution() const { return execution_; }

  int size() const { return static_cast<int>(list_.size()); }
  const Contact& operator[](int k) const { return list_[k]; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  int named() const { return named_; }  // the number of contacts of the file, which come first
  int found() const { return static_cast<int>(touches_.size()); }  // the number of the others
  std::string name(int k) const;                                   // "ball.3-ball.17" for a found contact

  const ContactSet& all() const { return all_; }  // 0, 1, … size() − 1

  // The contacts of a set, each with its first row among the rows [joints | contacts of the set]:
  //   for (const auto& [k, contact, row] : contacts.each(set)) …
  // and with its position in the set before them: for (const auto& [i, k, contact, row] : contacts.numbered(set)) …
  struct InSet {
    int k;
    const Contact& contact;
    int row;
  };
  struct NumberedInSet {
    int position, k;
    const Contact& contact;
    int row;
  };
  template <class Item>
  class Walk;
  Walk<InSet> each(const ContactSet& set) const;
  Walk<NumberedInSet> numbered(const ContactSet& set) const;

  int rows() const { return rows_; }      // of all joints and contacts
  int rows(const ContactSet& set) const;  // of [joints | contacts of the set], and what belongs to them:
  void laws(const ContactSet& set, Laws& laws) const;
  void restitution(const ContactSet& set, Vec& e) const;

  // Finds the contacts between colliders for a step of dt from a state. If the system has colliders, it must be called
  // before each step, as simulate() does. Steppers then see another list. Everything within the reach of the fastest
  // body is found, so no contact is missed during the step. Bodies that fall asleep (let_sleep) get velocity zero.
  void find(State& state, double dt);
  void search(const State& state, double dt);  // the same, but no body falls asleep or wakes
  // Finds the contacts between colliders whose gap is at most `distance`. Until a collider has moved by more than half
  // of that, no contact is missed.
  void search_within(const State& state, double distance);
  // Adds contacts for the end of a step. While bodies turn, other vertices, edges and faces of them may come to touch
  // than those that were nearest at the start. If two colliders penetrate each other by more than `depth` at the
  // positions q, the touch points that they have there join the list. Contacts that were in the list stay in it, and
  // `before` tells where. Only a contact of the same features that has moved to another face or edge is replaced.
  struct Growth {
    double depth = 0.0;    // the largest penetration of two colliders at q
    bool changed = false;  // whether the list is another one
  };
  Growth grow(const Vec& q, double depth);
  // The largest distance that a point of a collider has moved since the last search, or a bound of it.
  double travel(const State& state) const;

  // From now on bodies that come to rest fall asleep. After each step settle() restores the state of sleeping bodies,
  // which a scheme may have changed by round-off.
  void let_sleep(const SleepingRule& rule);
  void settle(State& state) const;
  int asleep() const { return sleepers_ ? sleepers_->count() : 0; }  // the number of sleeping bodies
  const Sleepers* sleepers() const { return sleepers_.get(); }       // null if no body ever sleeps

  // The list after the last search, and everything that the next search depends on.
  void archive(Archive& a);

  // Generalised forces of the caller, one per velocity. They are added to the forces of the model until they are set
  // again. An empty vector means that there are none. Throws UsageError if the size is wrong or a number is not finite.
  void apply(const Vec& forces);
  const Vec& applied() const { return applied_; }

  long searches() const { return searches_; }  // the number of searches for contacts
  // Counts the changes of the rows and velocities of the list. As long as it is the same, only points and normals of
  // found contacts may have changed.
  long layout() const { return layout_; }
  long version() const { return version_; }                         // counts all changes of the list
  std::span<const TouchPoint> touches() const { return touches_; }  // indexed by Contact::index of the found contacts
  // A touch point at other poses of its bodies, on the pieces of the outlines onto which it has slid (profile/walk.h).
  TouchPoint walked(const TouchPoint& touch, const Pose<double>& A, const Pose<double>& B) const;
  // The found contact with the smallest gap at the state of the last search; −1 if there is none.
  struct Nearest {
    double gap = 0.0;
    int contact = -1;
  };
  Nearest nearest() const { return nearest_; }

 private:
  void make_world();
  void begin_search();
  void remember_found();
  void remember_slid();
  CollisionWorld::PoseOf poses_at(const Vec& q) const;
  bool take_near(double depth);
  void merge_added();
  void reach(const State& state, double dt);
  void search_again(const State& state);
  void list_found();
  void follow_slid_contacts(const Vec& q);
  void follow_slid_contacts(int first, int last, const Vec& q);

  const System& system_;
  const Execution& execution_;
  const int named_;
  std::vector<Contact> list_;
  ContactSet all_;
  int rows_;
  std::unique_ptr<CollisionWorld> world_;  // null before the first search
  std::unique_ptr<Sleepers> sleepers_;
  std::vector<TouchPoint> touches_;       // ascending
  std::vector<TouchPoint> near_, added_;  // of grow(), ascending
  struct Before {
    TouchId id;
    int row;
    bool is_kept;  // whether it is in the present list as well
  };
  std::vector<Before> found_before_;
  // Of the previous list: contacts that may slide from one feature of their shapes to the next (follow_contacts.cpp).
  struct Slid {
    TouchPoint touch;
    int place;             // in found_before_, or in touches_
    Vec3d point, normal;   // where it would be now, in the world
    bool is_free = false;  // whether its partner is not known yet
  };
  std::vector<Slid> slid_before_, slid_now_;
  std::vector<double> margins_, near_margins_;  // by collider [m]
  Vec applied_;
  long searches_ = 0, layout_ = 0, version_ = 0;
  Nearest nearest_;
};

template <class Item>
class ContactList::Walk {
 public:
  struct End {};
  class Iterator {
   public:
    Iterator(const ContactList& contacts, const ContactSet& set)
        : contacts_(contacts), set_(set), row_(contacts.system().joint_rows()) {}
    Item operator*() const {
      const int k = set_[position_];
      if constexpr (std::is_same_v<Item, InSet>)
        return {k, contacts_[k], row_};
      else
        return {static_cast<int>(position_), k, contacts_[k], row_};
    }
    void operator++() { row_ += contacts_[set_[position_++]].rows; }
    bool operator!=(End) const { return position_ < set_.size(); }

   private:
    const ContactList& contacts_;
    const ContactSet& set_;
    size_t position_ = 0;
    int row_;
  };

  Walk(const ContactList& contacts, const ContactSet& set) : contacts_(contacts), set_(set) {}
  Iterator begin() const { return {contacts_, set_}; }
  End end() const { return {}; }

 private:
  const ContactList& contacts_;
  const ContactSet& set_;
};

inline ContactList::Walk<ContactList::InSet> ContactList::each(const ContactSet& set) const { return {*this, set}; }
inline ContactList::Walk<ContactList::NumberedInSet> ContactList::numbered(const ContactSet& set) const {
  return {*this, set};
}

}  // namespace tappet
