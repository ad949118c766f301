// SPDX-License-Identifier: MIT
#include "cost/measure.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <stdexcept>
#include <vector>

#include "cost/data_parts.hpp"
#include "expr/operators.hpp"
#include "numeric/random.hpp"

namespace foldproof::cost {

namespace {

using infer::Term;
using infer::TermKind;
using infer::TermNode;
using Matrix = Eigen::MatrixXf;

constexpr std::int64_t largest_measured = 100'000'000;

struct NoProgram : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A matrix, or the transpose of a stored one, which products read in place.
struct Value {
  const Matrix* matrix = nullptr;
  bool transposed = false;
};

template <class Op>
bool is(const TermNode& t) {
  return t.op == expr::operator_id<Op>();
}

/// Evaluates terms of at most two axes; anything else is NoProgram.
class Program {
 public:
  Program(std::map<std::string, Matrix> variables, const std::set<std::string>& data) : variables_(std::move(variables)), has_data_(data) {}

  /// Runs once, which also computes the parts without data; later runs compute the others only.
  Matrix run(const Term& side) {
    results_.clear();
    return whole(value(side));
  }

 private:
  static Matrix whole(const Value& v) { return v.transposed ? Matrix(v.matrix->transpose()) : *v.matrix; }

  Value value(const Term& t) {
    if (t->kind == TermKind::variable) return {&variables_.at(t->name), false};
    if (t->kind == TermKind::apply && is<expr::ops::Transpose>(*t) && t->shape.size() == 2) {
      const Value inner = value(t->args[0]);
      return {inner.matrix, !inner.transposed};
    }
    auto& store = has_data_(t) ? results_ : folded_;
    auto found = store.find(t.get());
    if (found == store.end()) found = store.emplace(t.get(), compute(*t)).first;
    return {&found->second, false};
  }

  Matrix compute(const TermNode& t) {
    if (t.kind == TermKind::number) return Matrix::Constant(1, 1, static_cast<float>(t.value.num()) / static_cast<float>(t.value.den()));
    if (t.kind != TermKind::apply || t.shape.size() > 2)
      throw NoProgram(t.kind == TermKind::stack  ? "a comprehension"
                      : t.kind == TermKind::size ? "a size used as a number"
                                                 : "a tensor with more than two axes");
    if (t.args.size() == 2) return binary(t, value(t.args[0]), value(t.args[1]));
    if (t.args.size() == 1) return unary(t, whole(value(t.args[0])));
    throw NoProgram(std::string("`") + expr::operator_info(t.op).name + "`");
  }

  static Matrix binary(const TermNode& t, const Value& a, const Value& b) {
    if (is<expr::ops::Matmul>(t) && t.shape.size() == 2) return product(a, b);
    Matrix x = whole(a);
    Matrix y = whole(b);
    const Eigen::Index rows = std::max(x.rows(), y.rows());
    const Eigen::Index columns = std::max(x.cols(), y.cols());
    for (Matrix* m : {&x, &y}) {
      if (m->rows() < rows || m->cols() < columns) *m = m->replicate(rows / m->rows(), columns / m->cols()).eval();
    }
    if (is<expr::ops::Add>(t)) return x + y;
    if (is<expr::ops::Subtract>(t)) return x - y;
    if (is<expr::ops::Multiply>(t)) return x.cwiseProduct(y);
    if (is<expr::ops::Divide>(t)) return x.cwiseQuotient(y);
    throw NoProgram(std::string("`") + expr::operator_info(t.op).name + "`");
  }

  static Matrix product(const Value& a, const Value& b) {
    if (a.transposed && b.transposed) return a.matrix->transpose() * b.matrix->transpose();
    if (a.transposed) return a.matrix->transpose() * *b.matrix;
    if (b.transposed) return *a.matrix * b.matrix->transpose();
    return *a.matrix * *b.matrix;
  }

  static Matrix unary(const TermNode& t, const Matrix& x) {
    if (is<expr::ops::Negate>(t)) return -x;
    if (is<expr::ops::Relu>(t)) return x.cwiseMax(0.0F);
    if (is<expr::ops::Exp>(t)) return x.array().exp().matrix();
    if (is<expr::ops::Softmax>(t) && t.call.axis == 1) {
      Matrix out = (x.colwise() - x.rowwise().maxCoeff()).array().exp().matrix();
      const Eigen::VectorXf sums = out.rowwise().sum();
      out.array().colwise() /= sums.array();
      return out;
    }
    throw NoProgram(std::string("`") + expr::operator_info(t.op).name + "`");
  }

  std::map<std::string, Matrix> variables_;
  std::map<const TermNode*, Matrix> folded_;
  std::map<const TermNode*, Matrix> results_;
  DataParts has_data_;
};

std::map<std::string, Matrix> weights(const infer::Problem& problem, const expr::DimValues& sizes, std::uint64_t seed) {
  std::map<std::string, Matrix> out;
  std::int64_t total = 0;
  for (const infer::Variable& v : problem.variables) {
    if (v.shape.size() > 2) throw NoProgram("`" + v.name + "`, a tensor with more than two axes");
    std::vector<std::int64_t> shape;
    for (const expr::Dim& d : v.shape) shape.push_back(expr::evaluate(d, sizes));
    // NumPy pairs a vector with the last axis: a row.
    while (shape.size() < 2) shape.insert(shape.begin(), 1);
    if (shape[0] > largest_measured || shape[1] > largest_measured || (total += shape[0] * shape[1]) > largest_measured)
      throw expr::LimitReached("the tensors have more than 100 million entries");
    Matrix m(shape[0], shape[1]);
    // Of the size that keeps products of any length near 1.
    const float scale = 1.0F / std::sqrt(static_cast<float>(shape[0]));
    const numeric::Stream stream(seed, numeric::mix(seed, v.name));
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = scale * static_cast<float>(numeric::dyadic(stream.draw(0, static_cast<std::uint64_t>(i)), 20));
    out.emplace(v.name, std::move(m));
  }
  return out;
}

// Time that this thread was running: other programs on the machine take nothing from it but their share of the caches.
double thread_seconds() {
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) throw std::runtime_error("the time of a thread cannot be read");
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

SideTime summary(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

}  // namespace

Measurement measure(const infer::Problem& problem, const std::set<std::string>& data, const expr::DimValues& sizes, const MeasureOptions& options) {
  Measurement out;
  try {
    Program program(weights(problem, sizes, options.seed), data);
    const Term sides[] = {problem.lhs, problem.rhs};
    const Matrix lhs = program.run(sides[0]);
    const Matrix rhs = program.run(sides[1]);
    out.largest_gap = lhs.rows() == rhs.rows() && lhs.cols() == rhs.cols()
                          ? static_cast<double>((lhs - rhs).cwiseAbs().maxCoeff() / std::max(lhs.cwiseAbs().maxCoeff(), 1e-30F))
                          : INFINITY;

    using Clock = std::chrono::steady_clock;
    const auto elapsed = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
    std::vector<double> times[2];
    int repeats[2] = {1, 1};
    float used = 0;
    const auto sample = [&](int k) {
      const double start = thread_seconds();
      for (int i = 0; i < repeats[k]; ++i) used += program.run(sides[k])(0, 0);  // used, so that no compiler drops the work
      return (thread_seconds() - start) / repeats[k];
    };
    // One sample lasts a millisecond or more, or the clock itself would be measured.
    for (const int k : {0, 1}) repeats[k] = std::max(1, static_cast<int>(std::ceil(1e-3 / std::max(sample(k), 1e-7))));
    constexpr std::size_t fewest = 5;
    constexpr std::size_t most = 1001;
    const Clock::time_point start = Clock::now();
    while (times[0].size() < fewest || (elapsed(start) < options.seconds && times[0].size() < most)) {
      const int first = static_cast<int>(times[0].size() % 2);
      for (const int k : {first, 1 - first}) times[k].push_back(sample(k));
    }
    if (std::isnan(used)) out.largest_gap = NAN;
    out.lhs = summary(times[0]);
    out.rhs = summary(times[1]);
    out.samples = static_cast<std::int64_t>(times[0].size());
  } catch (const NoProgram& missing) {
    out.not_measured = missing.what();
  }
  return out;
}

}  // namespace foldproof::cost
