// SPDX-FileCopyrightText: Tappet contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tappet/vec.h>

#include <Eigen/Core>

namespace tappet {

// What Vec::eigen() and Mat::eigen() return: views of the same memory. The public header does not need Eigen.
template <class>
Eigen::Map<Eigen::VectorXd> eigen_view(Vec& x) {
  return {x.data(), x.size()};
}
template <class>
Eigen::Map<const Eigen::VectorXd> eigen_view(const Vec& x) {
  return {x.data(), x.size()};
}
template <class>
Eigen::Map<Eigen::MatrixXd> eigen_view(Mat& A) {
  return {A.data(), A.rows(), A.cols()};
}
template <class>
Eigen::Map<const Eigen::MatrixXd> eigen_view(const Mat& A) {
  return {A.data(), A.rows(), A.cols()};
}

}  // namespace tappet
