// SPDX-License-Identifier: MIT
// Double operations rounded towards minus infinity without touching the rounding mode, for interval.cpp and
// interval_functions.cpp only. The real result is never below the returned double. Rounding up is minus rounding down of
// the negated operation. Operands may be infinite ends of an interval ("no bound known"), never NaN.
#pragma once

namespace foldproof::numeric::directed {

double add_down(double a, double b);
double multiply_down(double a, double b);
double divide_down(double a, double b);  ///< requires b != 0
double sqrt_down(double a);              ///< requires a >= 0
double sqrt_up(double a);                ///< requires a >= 0

}  // namespace foldproof::numeric::directed
