// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
//
// tappet-step-reader PART.step OUT.json TOLERANCE [z]: reads a STEP file with OpenCASCADE for `tappet import`. It is a
// program of its own, so that Tappet itself needs no OpenCASCADE, and so that a broken file cannot take Tappet down.
// Lengths are in millimetres, to which OpenCASCADE converts whatever unit the file has. OUT.json has the box about the
// part, the mass properties of its solids for the density 1, and the curves of the section z (section.h) or convex
// pieces (pieces.h).
#include <BRepBndLib.hxx>
#include <BRepGProp.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "pieces.h"
#include "section.h"

namespace {

using Json = nlohmann::json;

TopoDS_Shape read(const char* file) {
  STEPControl_Reader reader;
  if (reader.ReadFile(file) != IFSelect_RetDone) throw std::runtime_error("it is not a STEP file");
  if (reader.TransferRoots() == 0) throw std::runtime_error("it has no shapes");
  const TopoDS_Shape shape = reader.OneShape();
  if (shape.IsNull()) throw std::runtime_error("it has no shapes");
  return shape;
}

Json box_of(const TopoDS_Shape& shape) {
  Bnd_Box box;
  BRepBndLib::AddOptimal(shape, box, Standard_False, Standard_False);
  double low[3], high[3];
  box.Get(low[0], low[1], low[2], high[0], high[1], high[2]);
  return {low, high};
}

Json mass_of(const TopoDS_Shape& solid) {
  GProp_GProps properties;
  BRepGProp::VolumeProperties(solid, properties);
  const gp_Pnt c = properties.CentreOfMass();
  const gp_Mat J = properties.MatrixOfInertia();
  Json inertia = Json::array();
  for (int i = 1; i <= 3; ++i) inertia.push_back({J(i, 1), J(i, 2), J(i, 3)});
  return {{"volume", properties.Mass()}, {"center", {c.X(), c.Y(), c.Z()}}, {"inertia", inertia}};
}

Json contents(int count, char** words) {
  const TopoDS_Shape shape = read(words[1]);
  const double tolerance = std::atof(words[3]);
  Json out = {{"box", box_of(shape)}, {"solids", Json::array()}};
  for (TopExp_Explorer solid(shape, TopAbs_SOLID); solid.More(); solid.Next()) {
    Json one = mass_of(solid.Current());
    if (count == 4) one["pieces"] = pieces_of(solid.Current(), tolerance);
    out["solids"].push_back(one);
  }
  if (count == 5) out["section"] = section_of(shape, std::atof(words[4]), tolerance);
  return out;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) {
    std::fprintf(stderr, "usage: tappet-step-reader PART.step OUT.json TOLERANCE [z]\n");
    return 2;
  }
  Json out;
  try {
    out = contents(count, words);
  } catch (const Standard_Failure& error) {
    out = {{"error", error.GetMessageString()}};
  } catch (const std::exception& error) {
    out = {{"error", error.what()}};
  }
  std::ofstream(words[2]) << out;
  return 0;
}
