// SPDX-License-Identifier: MIT
// Writes fixtures/certificates: for every law and every reduction a small certificate that takes it and must be accepted, and for every reason of the
// kernel a small certificate that must be rejected for it, found by damaging certificates of true claims at random and by single wrong steps on claims made for them, and kept while nothing shorter is found, or written by hand
// where no damage leads there; and for every complaint of the reader a text that is no certificate. `reject/reasons.json` says which is which, and why no
// certificate reaches the reasons in the source of the kernel that are left: a reason that is neither found nor explained, or both, is an error.
// Usage: certificate_files SOURCE_DIR [MUTANTS], after a change of the laws, of the certificates or of a reason; read the difference.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>

#include "expr/large_stack.hpp"
#include "kernel/claims.hpp"
#include "kernel/mutate.hpp"
#include "kernel/reasons.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "record/certificate_json.hpp"

namespace foldproof::properties {
namespace {

using record::CertificateRecord;
namespace fs = std::filesystem;

/// The smallest file of each key: shortest, then first in the order of bytes.
using Smallest = std::map<std::string, std::string>;

bool improves(const Smallest& files, const std::string& key, const std::string& file) {
  const auto kept = files.find(key);
  return kept == files.end() || file.size() < kept->second.size() || (file.size() == kept->second.size() && file < kept->second);
}
void offer(Smallest& files, const std::string& key, std::string file) {
  if (improves(files, key, file)) files[key] = std::move(file);
}

/// The smallest certificate for each law and each reduction.
Smallest accepted(const std::vector<CertificateRecord>& all) {
  Smallest found;
  for (const auto& record : all) {
    const std::string text = record::write(record);
    const std::function<void(const kernel::Certificate&)> visit = [&](const kernel::Certificate& c) {
      if (c.reduction.kind != kernel::ReductionKind::none) offer(found, "reduction " + std::string(kernel::name(c.reduction.kind)), text);
      std::vector<kernel::Script> scripts = c.assumptions;
      scripts.push_back(c.goal);
      for (const auto& script : scripts) {
        for (const auto& step : script) offer(found, std::string(kernel::name(step.law)), text);
      }
      for (const auto& part : c.parts) visit(part);
    };
    visit(record.certificate);
  }
  return found;
}

/// Whether a rejection, in general words, gives the reason that is written out in the source, where a number may stand before it.
bool gives(const std::string& rejection, const std::string& written) { return rejection == (written.front() == ' ' ? "N" + written : general(written)); }

/// Every reason that is written out in the source of the kernel.
std::vector<std::string> reasons_in(const fs::path& source) {
  std::set<std::string> found;
  const std::regex reason("(?:(?:Reject|require)\\(.*|false, )\"([^\"]+)\"(?:\\)|, 0)");  // the last text of the line: the condition may have some, too
  for (const auto& entry : fs::directory_iterator(source / "src/kernel")) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), reason), end; at != end; ++at) {
      if (at->length(1) > 5) found.insert((*at)[1]);  // "part " and "rank" are no whole reasons
    }
  }
  return {found.begin(), found.end()};
}

/// Claims, true and false, that are made so that some step on one of their first monomials lies outside its side condition.
constexpr const char* provoking_claims[] = {
    "X: [n, n]; tril(ones(n, n), -1) / tril(n) == X",
    "A: [n, m]; B: [m, n]; inv(A @ B) == A @ B",
    "A: [n, m]; B: [m, n]; det(A @ B) == det(B @ A)",
    "A: [n, n]; B: [n, n]; det(eye(n) + A @ B) == det(A)",
    "A: [n, n]; B: [n, n]; det(A * B + eye(n)) == det(A)",
    "A: [n, n]; B: [n, n]; C: [n, n]; det(eye(n) + (A @ B) * (C @ A)) == det(A)",
    "X: [n, d]; sqrt(-2 * X) == X",
    "X: [n, d]; sqrt(X * X * X) == X",
    "X: [n, n]; 1 / sqrt(tril(n) * X) == X",
    "V: [n, v]; vstack(colsum(V[:i*(n-1-i)+1]) for i in range(n)) == V",
    "X: [n, n]; stack(det(X[:i+1, :i+1]) for i in range(n)) == ones(n)",
    "S: [n, n]; vstack(max(S[i:i+1, :i]) for i in range(n)) == max(S)",
    "X: [n, d]; log(-X) == X",
    "X: [n, d]; log(2) * X == X",
    "X: [n, d]; log(X * X) == X",
    "X: [n, d]; log(X)**2 == X",
    "X: [n, d]; log(2 * X + 4)**2 == X",
    "A: [n, n]; inv(0 * A) == A",
    "A: [n, n]; inv(diag(A[0]))[:1] == A[:1]",
    "A: [n, n]; det(2 * A @ A) == det(A)",
    "A, B: [n, n]; inv(A + B) == A",
    "A, B: [n, n]; det(A + B) == det(A)",
    "A, B: [n, n]; inv(A @ B @ A.T) == A",
    "A: [n, n]; assume orthogonal(A); inv(A) == A",
    "S: [n, m]; max(0 * S) == rowsum(S)",
    "S: [n, n]; log(exp(causal(n))) == S",
    "X: [n, d]; X <= abs(X)",
    "S: [n, n]; exp(S + causal(n)) <= exp(S)",
    "S: [n, m]; rowsum(S) <= max(S) * m",
    "S: [n, m]; rowsum(S / max(S)) <= m",
    "S: [n, m]; S / (S + 1) <= S",
    "x: []; assume x != 0; abs(x) <= x",
    "x: []; assume x != 0; abs(x) == x",
    "X: [n, d]; t: [m]; X[t] == X[t] + 1",
    "X: [n, d]; t: [n]; onehot(t, n) @ X == X",
    "X: [n, d]; P: [n, n]; assume permutation(P); softmax(P @ X, axis=0) == P @ X",
    "X: [n, d]; T: [n, n]; assume onehot(T); max(T @ X, axis=0) == max(X, axis=0)",
    "X: [n, d]; Y: [n, d]; sqrt((X + Y) * (X - Y)) == X",
    "X: [n, d]; sqrt(rowsum(X) * rowsum(X + 1)) == rowsum(X)",
    "X: [n, n]; assume X @ X == X; X @ X @ X == X",
    "V: [n, v]; sum(n * V[i:i+1] * (i // 2) for i in range(n)) == colsum(V)",
    "eye(n) * ones(n, n) <= tril(n)",
    "A: [n, m]; B: [m, n]; rank(A @ B) <= n",
    "A: [n, m]; sum(lfac(A) @ rfac(A)) == sum(A)",
    "A: [n, m]; (lfac(A, 1) @ rfac(A, 1)) == A",
    "x: [n]; y: [n]; sum(eye(n) * (2 * x)) == sum(x)",
    "X: [n, n]; 1 / (X + 1) * X == X",
    "X: [n, d]; 1 / (rowsum(X) + 1) * rowsum(X) == rowsum(X)",
    "X: [n, d]; sin(0 * X) == X",
    "X: [n, d]; (2 * X + 4)**-2 == X",
    "x: []; max(x, 2 * x) == x",
    "A, B: [n, n]; assume A @ B == eye(n); reshape(diagonal(A), 1, n) @ B == B[:1]",
    "x, y: []; assume x + y != 0; x <= y",
    "x, y: []; assume x + y != 0; abs(x + y) == x",
    "A: [n, m]; max(lfac(A)) == rowsum(lfac(A))",
    "A: [n, m]; rowsum(A) <= max(lfac(A))",
    "sum(vstack(colsum(ones(2*n, 1)[:2*i+1]) for i in range(n))) == n",
    "rowsum(kron(tril(n), ones(1, 2))) == ones(n, 1)",
    "X: [n, n]; 1 / sqrt(tril(n) * exp(X)) == X",
    "A: [n, m]; lfac(A, p) @ rfac(A, p) == A",
    "A: [n, m]; (lfac(A) @ rfac(A))[:k] == A[:k]",
    "A: [n, n]; assume orthogonal(A); inv(A)[:k] == A[:k]",
    "A: [n, n]; inv(inv(A))[:k] == A[:k]",
    "a: [n]; inv(diag(a))[:k] == diag(a)[:k]",
    "S: [n, m]; sum(S) <= sum(max(S)) * m",
    "L, M: [n, m]; assume mask01(L); assume mask01(M); neginf(L * M) * neginf(L) == L",
    "T: [n, m]; assume onehot(T); rowsum(T)[:k] == 2 * ones(k, 1)",
    "X: [n, d]; sqrt((exp(X) + 1) * rowsum(X)) == X",
    "S: [n, n]; ones(n, n) <= exp(S + causal(n))",
    "X: [2*n, d]; colsum(vstack(eye(2*n)[2*i:2*i+1] for i in range(n)) @ X) == colsum(X)",
    "X: [n, n]; colsum(X * X.T) == rowsum(X).T",
};

/// Reductions that do not lead the claim back to others.
struct Forged {
  const char* claim;
  kernel::ReductionKind kind;
  std::vector<std::string> text;
  std::size_t parts = 1;
};
const Forged forged_reductions[] = {
    {"x: []; let A = x + 1; A == 2 * A", kernel::ReductionKind::pieces, {"x", "0"}, 2},
    {"x: []; A: [3]; 0 <= sum(A[x]**2 for x in range(3)) + x**2", kernel::ReductionKind::pieces, {"x", "0"}, 2},
    {"S: [n, n]; let A = causal(n) + S; let B = softmax(A); B == 2 * B", kernel::ReductionKind::forget, {"A"}},
    {"S: [n, m]; let R = eye(rank(S)); S == 2 * S", kernel::ReductionKind::forget, {"R"}},
    {"u: [n]; assume u >= 0; let s = u - 1; abs(s) == s", kernel::ReductionKind::forget, {"positive", "s"}, 2},
    {"A: [n, n]; assume A == tril(A); A == 2 * A", kernel::ReductionKind::instead, {"1", "left"}},
    {"A: [n, n]; assume A == tril(A); A == 2 * A", kernel::ReductionKind::instead, {"0", "both"}},
    {"b: [m]; assume b == b[0]; b == 2 * b", kernel::ReductionKind::instead, {"0", "left"}},
    {"A: [n, n]; let B = A @ A; assume A == B; A == 2 * A", kernel::ReductionKind::instead, {"0", "left"}},
    {"assume invertible(A); A: [n, n]; x: [h, n, n]; x == 2 * x", kernel::ReductionKind::after, {"A"}},
    {"A: [n, n]; rank(A) <= n", kernel::ReductionKind::above, {"1", "A"}, 2},
    {"A: [n, n]; 1 - rank(A) <= 0", kernel::ReductionKind::above, {"A", "eye(n)"}, 2},
    {"A: [n, n]; n <= n - rank(A) + 1", kernel::ReductionKind::below, {"eye(n)", "eye(n)"}, 2},
    {"A: [n, n]; n <= rank(A)", kernel::ReductionKind::below, {"1", "A"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::above, {"x", "y"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::below, {"x", "y"}, 2},
    {"A: [n, n]; n <= rank(A)", kernel::ReductionKind::below, {"log(A)", "A"}, 2},
    {"X: [n, d]; X == 2 * X", kernel::ReductionKind::blocks, {"2", "n"}, 2},
    {"x, y: []; assume x == y; x == 2 * y", kernel::ReductionKind::turned, {"unassumed"}},
    {"X: [n, m]; m * ones(n, m) + X == n * ones(n, m) + X", kernel::ReductionKind::rearranged, {"rowsum(0*w+1)", "colsum(0*w+1)", "1", "1"}, 2},
    {"X: [n, d]; X == 2 * X", kernel::ReductionKind::blocks, {"0", "n"}, 2},
    {"X: [n, d]; c: []; sum(X) <= sum(c)", kernel::ReductionKind::increasing, {}},
    {"x: []; B, F: [n, d]; x * F <= B * F", kernel::ReductionKind::increasing, {}},
    {"x, y: []; f: []; assume 0 < f; assume x < y; x * f < y * f", kernel::ReductionKind::increasing, {}},
    {"x, y: []; relu(x) < relu(y)", kernel::ReductionKind::increasing, {}},
    {"x, y: []; assume relu(x) == relu(y); x == y", kernel::ReductionKind::increasing, {"0"}},
    {"x, y: []; assume exp(x) == tanh(y); x == y", kernel::ReductionKind::increasing, {"0"}},
    {"x, y: []; assume exp(x) == exp(y); x == y", kernel::ReductionKind::increasing, {"1"}},
    {"x, y: []; exp(x) == exp(y)", kernel::ReductionKind::increasing, {}},
    {"X: [n, d]; Y: [n, k]; mean(X[:, :d - k]) <= sum(Y)", kernel::ReductionKind::increasing, {}},
    {"x, y: [n]; A: [n, n]; rank(A) <= n", kernel::ReductionKind::above, {"x", "y"}, 2},
    {"A: [n, n]; A <= 2 * A", kernel::ReductionKind::turned, {"sides"}},
    {"A: [n, n]; A < A + 0 * A", kernel::ReductionKind::turned, {"equal"}},
    {"S: [n, n]; S + causal(n) == causal(n)", kernel::ReductionKind::rearranged, {"0", "S", "1", "1"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::rearranged, {"log(x)", "log(x) + y - x", "1", "1"}, 2},
    {"X: [n, d]; X <= X + 1", kernel::ReductionKind::rearranged, {"0", "1", "1", "1"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::rearranged, {"x", "y", "x", "x"}, 2},
    {"x: [n, n]; log(x)**0 * abs(x) == x", kernel::ReductionKind::lemma, {"abs(x)", "exp(log(x))"}, 2},
    {"A: [n, n]; rank(A) <= n", kernel::ReductionKind::above, {"A", "eye(n)", "middle"}, 2},
    {"A: [n, n]; rank(A) <= n", kernel::ReductionKind::full, {"lower"}, 3},
    {"X: [n, n]; tril(sqrt(X)) <= tril(sqrt(X)) + X", kernel::ReductionKind::rearranged, {"sqrt(X)", "sqrt(X) + X", "1", "1"}, 2},
    {"X: [n, 64]; X == 2 * X", kernel::ReductionKind::sized, {"X: [n, d]; X == 2 * X"}},
    {"X: [n, 64]; X == 2 * X", kernel::ReductionKind::sized, {"X: [n, d]; X == 2 * X", "2", "64"}},
    {"A: [64, 64]; rank(A) <= 63", kernel::ReductionKind::sized, {"A: [d, d]; rank(A) <= d", "d", "64"}},
    {"X: [n, 64]; X == 2 * X", kernel::ReductionKind::sized, {"X: [n, d]; X == 1 * X", "d", "64"}},
    {"X: [n, 1]; b: [n, k]; sum(X + b) == sum(X) + sum(b)", kernel::ReductionKind::sized, {"X: [n, d]; sum(X + b) == sum(X) + sum(b)", "d", "1"}},
    {"X: [n, 64]; X == abs(X)", kernel::ReductionKind::sized, {"X: [n, d]; assume X >= 0; X == abs(X)", "d", "64"}},
    {"X: [n, n]; trace(sqrt(X)) == trace(sqrt(X) + sum(X) - sum(abs(X)))", kernel::ReductionKind::congruent, {}},
    {"s: []; sum(sum(sqrt(s) for j in range(i)) for i in range(n)) <= sum(sum(sqrt(s) for j in range(i)) for i in range(n)) + s", kernel::ReductionKind::rearranged, {"sqrt(s)", "sqrt(s) + s", "1", "1"}, 2},
    {"s: []; A: [n, d]; sum(lfac(A) * sqrt(s)) <= sum(lfac(A) * sqrt(s)) + s", kernel::ReductionKind::rearranged, {"sqrt(s)", "sqrt(s) + s", "1", "1"}, 2},
    {"B: [n, n]; s, t: []; assume t * s == 0; sum(lfac(B) * (1 / s)) + t == sum(lfac(B) * (1 / s))", kernel::ReductionKind::scaled, {"s"}},
    {"X: [n, d]; d <= rank(X.T @ X) + 0 * sum(layernorm(X, -1, axis=0))", kernel::ReductionKind::below, {"rmsnorm(X - mean(X), -1, axis=0).T", "X"}, 2},
    {"X: [n, n]; np.zeros_like(sqrt(X)) <= X", kernel::ReductionKind::rearranged, {"sqrt(X)", "sqrt(X) + X", "1", "1"}, 2},
    {"x: []; assume x >= 0; tanh(x) == x", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; tanh(x) <= x", kernel::ReductionKind::slope, {"y"}, 2},
    {"x: []; tanh(x) <= x", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; assume x <= 1; tanh(x) <= x", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; 1 / (1 + x) <= 1", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; 1 <= (1 + x)**(1/2)", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; maximum(x, 1) <= 1 + x", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x > 0; 1 <= exp(x * neginf(0))", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; relu(x) <= x", kernel::ReductionKind::slope, {"x"}, 2},
    {"x: []; assume x >= 0; exp(x) <= 1 + x + x**2", kernel::ReductionKind::slope, {"x"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::scaled, {"0"}, 2},
    {"x, y: []; x <= y", kernel::ReductionKind::scaled, {"1/x"}, 2},
    {"x: [n, 1]; y: [1, n]; x <= x + 1", kernel::ReductionKind::scaled, {"exp(y)"}, 2},
    {"A: [n, m]; n <= rank(A)", kernel::ReductionKind::full, {"lower"}, 3},
    {"A: [n, n]; x: []; n <= rank(A)", kernel::ReductionKind::full, {"log(x)"}, 3},
    {"A: [n, n]; n <= rank(A)", kernel::ReductionKind::full, {"0"}, 3},
    {"S: [n, n]; softmax(S + causal(n)) == 2 * softmax(S + causal(n))", kernel::ReductionKind::regular, {"S + causal(n)"}, 2},
    {"A, B: [n, m]; A == B", kernel::ReductionKind::regular, {"A"}, 2},
    {"A: [n, k]; B: [k, m]; rank(A) + rank(B) <= rank(A @ B) + k - 1", kernel::ReductionKind::nullity, {"inv(B @ B.T)"}, 1},
    {"A: [n, n]; det(A) == 1", kernel::ReductionKind::singular, {}, 1},
    {"A: [n, m]; det(A @ A.T) == 0 * rank(A)", kernel::ReductionKind::singular, {}, 1},
    {"S: [n, n]; det(blockdiag(S + causal(n), S)) == 0", kernel::ReductionKind::apart, {}, 1},
    {"x: [n]; x <= 2 * x", kernel::ReductionKind::through, {"1 / x"}, 2},
    {"x: [n]; x == 2 * x", kernel::ReductionKind::logarithm, {}, 3},
    {"A: [n, m]; det(A @ A.T) == 1", kernel::ReductionKind::triangle, {"A", "lower"}, 3},
    {"A: [n, n]; det(A) == 1", kernel::ReductionKind::triangle, {"A", "middle"}, 3},
};

/// Certificates whose steps fit together up to the last one, which damage does not find, or only by chance.
struct Written {
  const char* reason;  ///< that it must be rejected for
  const char* claim;
  const char* certificate;  ///< as in the file
};
const Written written_certificates[] = {
    {"exponential: a side may be infinity", "S: [n, n]; S - causal(n) == S + causal(n)", R"json("reduction": ["exponential"], "parts": [{"assumptions": [], "goal": []}])json"},
    {"a size of the claim is given in what it is led back to", "X: [n, d]; sum(X[:, :2*(d//2)]) == sum(X)", R"json("reduction": ["congruent"], "parts": [{"assumptions": [], "goal": []}])json"},
    {"sized: a tensor is declared that is none here", "X: [k, 1]; 2 <= k", R"json("reduction": ["sized", "X: [k, n]; V: [k - 1, n]; 2 <= k", "n", "1"], "parts": [{"assumptions": [], "goal": []}])json"},
    {"forget: no such part", "X: [k, n]; 2 <= k", R"json("reduction": ["forget", "ones(k - 1, 1)"], "parts": [{"assumptions": [], "goal": []}])json"},
    {"a size of the witness may be 0 or negative", "k: [n]; X: [m, n]; m <= 2*m - 1", R"json("reduction": ["through", "m + 0*sum(ones(m - 1, 1))"], "parts": [{"assumptions": [], "goal": []}, {"assumptions": [], "goal": []}])json"},
    {"a factor that may have no value comes out from behind a comparison", "X: [n, n]; abs(tril(sqrt(X))) <= (X + tril(ones(n, n)))/2", R"("assumptions": [], "goal": [["distribute", 1], ["keep"], ["distribute", 1], ["keep"], ["content", 0, 1], ["keep"], ["mean-bound", 2, 1, 0, 1], ["keep"], ["keep"], ["expand", 0], ["keep"], ["absolute", 0], ["keep"]])"},
    {"a factor that may have no value where a comparison does not hold is left without it", "M: [n, m]; assume mask01(M); rowsum(where(M, 1/rowsum(M), 0)) == 1", R"("assumptions": [], "goal": [["keep",0], ["enter",1], ["keep",0], ["leave"], ["cancel",2,0,0], ["keep",0]])"},
    {"a bound of what may have no value where a comparison does not hold", "X: [n, n]; 2*tril(sqrt(X)) <= X + 1", R"("assumptions": [], "goal": [["keep"], ["keep"], ["keep"], ["mean-bound", 1, 1, 0, 1]])"},
    {"angle-product: no product of a sine or cosine and another one", "X: [n, m]; cos(X) == X", R"("assumptions": [], "goal": [["keep",0,1], ["angle-product",0,0]])"},
    {"angle: the multiple is too large", "X: [n, m]; cos(40 * X) == X", R"("assumptions": [], "goal": [["keep",0,1], ["angle",0]])"},
    {"exp-maximum: of a maximum times what may be negative", "S: [n, m]; s: [n, 1]; exp(s * rowmax(S)) == s", R"("assumptions": [], "goal": [["keep",0], ["exp-maximum",0]])"},
    {"the factor is no comparison of order", "x: [n]; sum(x) == sum(x * x)", R"("assumptions": [], "goal": [["shift",0,0,"n"]])"},
    {"shift: the comparison is no bound of a place further on", "x: [n]; sum(sum(x[j] for j in range(i + 1)) for i in range(n)) == sum(sum(x[j] * x[j] for j in range(i + 1)) for i in range(n))", R"("assumptions": [], "goal": [["shift",1,0,"n"]])"},
    {"sift: the factor is no other comparison", "X: [n, d]; np.eye(n, k=1) @ X == X", R"("assumptions": [], "goal": [["keep",0,1], ["sift",0,0,1]])"},
    {"between: the factor is no equality", "X: [n, n]; tril(ones(n, n)) == X", R"("assumptions": [], "goal": [["between",0]])"},
    {"the bound may have no value where a comparison of its term does not hold", "X: [n, n]; Y: [n, n]; X <= exp(X) - 1 + (1 + Y)/2 + tril(log(exp(X) + sqrt(Y))**2)", R"("assumptions": [], "goal": [["keep"], ["keep"], ["keep"], ["distribute", 1], ["keep"], ["distribute", 0], ["keep"], ["enter", 1], ["keep"], ["keep"], ["leave"], ["keep"], ["log-bound", 1, 4, 1, 0, 0, 0], ["keep"], ["keep"], ["keep"], ["keep"], ["keep"], ["tangent", 4, 0], ["keep"], ["keep"], ["distribute", 1], ["keep"], ["keep"], ["keep"], ["distribute", 1], ["keep"], ["mean-bound", 3, 1, 0], ["keep"], ["keep"], ["expand", 0], ["keep"]])"},
    {"exp-sum: a mask that is a sum beside what may have no value", "x: [n, n]; M: [n, n]; assume mask01(M); exp(where(M == 1, -inf, log(sqrt(exp(log(x))**2)))) == x - M*abs(x)", R"("assumptions": [], "goal": [["keep", 0, 1], ["keep", 0, 1], ["exp-sum", 0], ["enter", 0], ["exp-sum", 0], ["keep"], ["leave"], ["distribute", 2], ["keep", 0, 1], ["distribute", 0], ["exp-sum", 0], ["keep", 0, 1]])"},
    {"turned: an assumption may say that a variable is infinite", "S: [n, n]; assume S == causal(n); 0 < exp(S)", R"("reduction": ["turned", "free"], "parts": [{"assumptions": [], "goal": [["keep"]]}])"},
    {"entries: an assumption may say that a variable is infinite", "M: [n, n]; assume mask01(M); 0 < exp(log(M))", R"("reduction": ["entries"], "parts": [{"assumptions": [], "goal": [["keep"]]}])"},
    {"forget: the logarithm of a mask is minus infinity, and of other tensors it is not", "X: [n, n]; M = tril(ones(n, n)); 0 < exp(log(M))", R"("reduction": ["forget", "M"], "parts": [{"assumptions": [], "goal": [["keep"]]}])"},
    {"an assumption about minus infinity", "S: [n, n]; assume S.T == causal(n).T; 0 < exp(S)", R"("assumptions": [[]], "goal": [["keep"]])"},
    {"a mask that is a sum beside what may have no value", "x: [n, n]; M: [n, n]; assume mask01(M); sigmoid(where(M == 1, -inf, sqrt(x - 1))) == x", R"("assumptions": [], "goal": [])"},
    {"a sum that may have no parts, of what may have no value", "M: [n, n]; assume M @ M == M; sum(inv(M) @ M for i in range(k-1)) == k*eye(n) - M", R"("assumptions": [[["keep"], ["keep", 0]]], "goal": [["keep", 0, 1], ["keep", 0, 1], ["enter", 0], ["keep"], ["leave"], ["count", 2], ["inverse", 3, 1, 0, 0, 3], ["keep", 0, 1], ["axiom", 0, 0, 0], ["inverse", 1, 1, 0, 2, 1], ["sift", 2, 2], ["keep", 0, 1]])"},
    {"a case of the sizes is read in another way than the claim", "A: [n, n]; X: [n, k]; len(diag(A) @ X) == 1 + (k - 1)*minimum(n - 1, 1)", R"("reduction": ["within", "n", "1"], "parts": [{"assumptions": [], "goal": [["absolute", 1], ["keep"], ["keep"], ["absolute", 0], ["keep"], ["keep"]]}, {"assumptions": [], "goal": [["keep"], ["absolute", 1], ["keep"], ["keep"], ["keep"], ["keep"], ["absolute", 0], ["keep"], ["keep"], ["keep"]]}])"},
    {"instead: a variable is nowhere infinite", "S: [n, n]; T: [n, n]; assume S == T + causal(n); 0 < exp(T + causal(n))", R"("reduction": ["instead", "0", "right"], "parts": [{"assumptions": [], "goal": [["keep"]]}])"},
    {"a factor may have no value beyond the range of the variable", "x: [n]; sum(sum(1 / x[j] for j in range(i, n)) for i in range(n)) == sum(sum(1 / (x[j] * x[j]) for j in range(i, n)) for i in range(n))", R"("assumptions": [], "goal": [["shift",1,0,"n"]])"},
    {"scale-maximum: no sum that is never negative is a factor", "S: [n, m]; c: []; rowmax((1 + c) * S) == rowmax(S)", R"("assumptions": [], "goal": [["scale-maximum",0,1]])"},
    {"product-maximum: of no product", "S, T: [n, m]; rowmax(S + T) == rowmax(S)", R"("assumptions": [], "goal": [["product-maximum",0]])"},
    {"product-maximum: of other factors than exponentials and masks", "S, T: [n, m]; rowmax(S * T) == rowmax(S)", R"("assumptions": [], "goal": [["product-maximum",0]])"},
    {"product-maximum: of one factor", "S: [n, m]; rowmax(exp(S)) == rowmax(S)", R"("assumptions": [], "goal": [["product-maximum",0]])"},
    {"product-maximum: the exponents do not grow together", "S, T: [n, m]; rowmax(exp(S) * exp(2 * T)) == rowmax(S)", R"("assumptions": [], "goal": [["product-maximum",0]])"},
    {"magnitude-maximum: of other terms than an absolute value and what it is taken of", "S, T: [n, m]; rowmax(S + T + abs(S)) == rowmax(S)", R"("assumptions": [], "goal": [["magnitude-maximum",0]])"},
    {"magnitude-maximum: of values that rise and fall", "S: [n, m]; rowmax(S + 2 * abs(S)) == rowmax(S)", R"("assumptions": [], "goal": [["magnitude-maximum",0]])"},
    {"logarithm: of something that may not be positive", "X, Y: [n, d]; log(X * Y) == X", R"("assumptions": [], "goal": [["keep",0,1], ["logarithm",0]])"},
    {"distribute: a fractional power of a sum that may be negative", "x, y: [n, 1]; sqrt(sum(x) * sum(y)) == 1", R"("assumptions": [], "goal": [["distribute",0]])"},
    // What is divided by is 0 in places; there the claim has no value, and a comparison says nothing.
    {"distribute: a comparison under a root in a denominator", "X: [n, n]; rsqrt(tril(n) * exp(X)) == X", R"("assumptions": [], "goal": [["keep",0,1], ["distribute",0]])"},
    {"decide: a comparison in a denominator", "X: [n, n]; X / tril(n) == X", R"("assumptions": [], "goal": [["distribute",1], ["decide",1]])"},
    {"a comparison in a denominator", "X: [n, n]; X * triu(ones(n, n), 1) / tril(n) == X", R"("assumptions": [], "goal": [["distribute",2], ["implied",2,1]])"},
    // The largest over the rows of P X, each of them times a number of its own.
    {"select: what is selected varies with the row", "P: [n, n]; X, Y: [n, d]; assume permutation(P); max((P @ X) * Y, axis=0) == 1",
     R"("assumptions": [[["keep"], ["keep",0]], [["keep"], ["keep",0]], [["keep"], ["keep",0]]], "goal": [["select",0,0]])"},
    {"log-bound: the part is no exponential", "x: []; x <= log(1 + exp(x))", R"("assumptions": [], "goal": [["keep"], ["enter",0], ["keep"], ["enter",0], ["keep"], ["leave"], ["keep"], ["leave"], ["keep"], ["log-bound",0,1,0,0,0,0]])"},
    {"tangent: the point may not be positive", "x: []; 0 <= x", R"("assumptions": [], "goal": [["keep"], ["tangent",0,0,0,0,1]])"},
    {"tangent: the point is a product of factors and their reciprocals", "x: []; 0 <= exp(x)", R"("assumptions": [], "goal": [["keep"], ["tangent",0,0,0,0,2]])"},
    {"tangent: of a power", "x: []; 0 <= x**3", R"("assumptions": [], "goal": [["keep"], ["tangent",0,0]])"},
    {"a bound names a factor twice", "x, y: []; 0 <= x * y", R"("assumptions": [], "goal": [["keep"], ["mean-bound",0,1,0,0]])"},
    {"a bound of minus infinity", "0 <= causal(n)", R"("assumptions": [], "goal": [["keep"], ["cauchy-bound",0,1,0]])"},
    {"content: a power of a logarithm", "x: []; 1 / log(2 + 2 * exp(x)) == x", R"("assumptions": [], "goal": [["keep"], ["distribute",0], ["content",0,0]])"},
    {"distribute: 0 times what may be infinite", "M: [n, d]; assume mask01(M); sqrt(0) * neginf(M) == M", R"("assumptions": [], "goal": [["distribute",0]])"},
    {"logarithm: of a sum that may not be positive", "X, Y: [n, d]; log(rowsum(X) * rowsum(exp(Y))) == 0", R"("assumptions": [], "goal": [["logarithm",0]])"},
    {"logarithm: of a negative number", "x: []; log(-2 * x**2) == x", R"("assumptions": [], "goal": [["keep"], ["logarithm",0]])"},
    {"a position may lie outside of the axis", "P: [n, d]; P[np.arange(n) - n] == 0", R"("assumptions": [], "goal": [])"},
    {"summand: a term has no such variable", "X: [n, m]; 0 <= sum(X)", R"("assumptions": [], "goal": [["keep",0,1], ["summand",2]])"},
    {"summand: the variables have different ranges", "X: [n, m]; 0 <= sum(X) + sum(X * X)", R"("assumptions": [], "goal": [["keep",0,1], ["keep",0,1], ["summand",0,1]])"},
    {"summand: no one sum, over something, of finite terms", "X: [n, m]; 0 <= sum(X)", R"("assumptions": [], "goal": [["keep",0,1], ["summand",-1]])"},
    {"summand: a share of a sum over a sum of sizes", "X: [n + m, 1]; 0 <= 1 + sum(X)", R"("assumptions": [], "goal": [["keep"], ["keep",0], ["summand",-1,0]])"},
    {"content: a minus stays under a logarithm of what may not be negative", "x: []; log(1 - x) == x", R"("assumptions": [], "goal": [["keep"], ["content",0,1]])"},
    {"place-bound: a term may be negative", "X: [n, n]; 0 <= sum(X)", R"("assumptions": [], "goal": [["keep",0,1], ["place-bound",0,0,0,0,1]])"},
    {"place-bound: the sum has no other place", "X: [n, n]; 0 <= sum(exp(X))", R"("assumptions": [], "goal": [["keep",0,1], ["place-bound",0,0,0,0,1,1]])"},
    {"place-bound: the sum has no other place", "A: [n+1,n+1]; assume A >= 0; assume colsum(A) >= 1; trace(A) + 1 <= sum(A)",
     R"("assumptions": [[["keep"], ["keep",0]]], "goal": [["keep"], ["keep",0], ["keep",0,1], ["place-bound",2,1,2,0,0,1], ["keep"], ["keep",0], ["assumed-bound",1,0,1,0]])"},
    {"gelu-bound: what the score is made of may be 0", "M, y: [n, d]; assume mask01(M); M*y <= y*(erf(M*y) + 1)", R"("assumptions": [], "goal": [["keep"], ["keep"], ["gelu-bound",1,1,1]])"},
    // The sum of ones is n, and no number.
    {"rhs - lhs is not known to be never negative", "X: [1, n]; exp(sum(ones_like(X))) <= 3", R"("assumptions": [], "goal": [["keep"], ["keep"]])"},
    {"gelu-bound: no normal distribution at a product", "x: []; 0 <= gelu(x)", R"("assumptions": [], "goal": [["keep"], ["gelu-bound",0,0,3]])"},
    {"too many reductions within each other", "x: []; x <= x",
     R"("reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"reduction": ["exponential"], "parts": [{"assumptions": [], "goal": []}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}]}])"},
    // A sum over fewer columns than the one that the assumption is about.
    {"bound variables must meet distinct ones with equal ranges", "A: [n, m]; assume rowsum(A) == 1; rowsum(A[:, :k]) == 1", R"("assumptions": [[["keep"], ["keep",0]]], "goal": [["keep",0], ["axiom",0,1,0]])"},
    // i >= j and j > i are never both so, nor both not so: their sum is 1 either way.
    {"cases: the comparison changes nothing", "exp(tril(n) + triu(ones(n, n), 1)) == X", R"("assumptions": [], "goal": [["cases",0,0]])"},
    {"the equality is not linear in the variable", "colsum(vstack(eye(m)[i*i:i*i+1] for i in range(n))) == X", R"("assumptions": [], "goal": [["keep",0], ["sift",0,1]])"},
    // Row i is that of the inverse of another matrix.
    {"the inner matrix varies with the entry", "A: [n, n]; det(vstack(inv(diag(A[i]))[i:i+1] for i in range(n))) == 1", R"("assumptions": [], "goal": [["determinant-inverse",0]])"},
    {"the matrix is a part of an inverse", "A: [n, n]; det(inv(A)[:1, :1]) == 1/det(A)", R"("assumptions": [], "goal": [["enter",0], ["enter",0], ["keep"], ["leave"], ["keep"], ["leave"], ["determinant-inverse",1]])"},
    {"the matrix is no inverse", "A: [n, n]; inv(A) == A", R"("assumptions": [], "goal": [["inverse-inverse",0]])"},
    {"a size of the witness may be 0 or negative", "0 <= k - m", R"x("reduction": ["rearranged", "0", "sum(ones(k-m, 1))", "1", "1"], "parts": [{"assumptions": [], "goal": [["keep"], ["keep"], ["count",0], ["keep"], ["keep"]]}, {"assumptions": [], "goal": [["keep",0]]}])x"},
    {"determinant-exchange: the inner size may be 0", "A: [n, n]; det(eye(n) + lfac(A) @ rfac(A)) == 1", R"("assumptions": [], "goal": [["determinant-exchange",0,0]])"},
    // Both factors name the rows and columns of the matrix alike before they are multiplied.
    {"factorize: the entry is not known to lie in the matrix", "A: [n, m]; (lfac(A) @ rfac(A))[:k] == A[:k]", R"("assumptions": [], "goal": [["keep",0,1], ["enter",0], ["keep"], ["leave"], ["enter",0], ["keep"], ["leave"], ["factorize",1,2]])"},
    {"factorize: the inner size is not known to be at least the rank", "A: [n, m]; lfac(A, p) @ rfac(A, p) == A", R"("assumptions": [], "goal": [["keep",0,1], ["enter",0], ["keep"], ["leave"], ["enter",0], ["keep"], ["leave"], ["factorize",1,2]])"},
    // The sums under the power share a variable only after they are kept.
    {"sum-factor: a fractional power of a sum that may be negative", "X, Y, Z: [n, d]; sqrt(rowsum(Z) * X + rowsum(Z) * Y) == X", R"("assumptions": [], "goal": [["keep",0,1], ["enter",0], ["keep",0], ["keep",0], ["leave"], ["sum-factor",1,0]])"},
    {"the sum does not multiply back", "X, Y: [n, d]; u, w: [n, 1]; 1 / (rowsum(X) * u + rowsum(X) * w + rowsum(Y) * u) == u", R"("assumptions": [], "goal": [["keep",0], ["enter",0], ["keep",0], ["keep",0], ["keep",0], ["leave"], ["sum-factor",1,0]])"},
    // An inequality goes on after its sums are kept, so what a bound brings along meets canonical names: those in it, which were kept
    // with the assumption. A body that is gone through once more may be higher by then, as the names around it are.
    {"a substitution would capture a bound variable", "S: [n, 1]; T: [n, n]; assume S >= exp(rowsum(T)); 0 <= sum(S)", R"("assumptions": [[["keep"], ["enter",0], ["keep",0], ["leave"], ["keep"]]], "goal": [["keep",0], ["assumed-bound",0,0,0,0]])"},
    {"a substitution would capture the variable of a binder", "S: [n, 1]; T: [n, n]; assume S >= max(T); 0 <= sum(S * exp(S))", R"("assumptions": [[["keep"], ["enter",0], ["keep"], ["leave"], ["keep"]]], "goal": [["keep",0], ["assumed-bound",0,0,0,0]])"},
    {"keep: the canonical name is taken", "A, N: [n, n]; assume 2*A == exp(N); colmax(rowsum(A)) == 0", R"("assumptions": [[["keep"], ["keep"]]], "goal": [["enter",0], ["keep",0], ["leave"], ["enter",1], ["axiom",0,0,0], ["keep",0]])"},
    {"leave: the canonical name is taken", "A, N: [n, n]; assume 2*A == exp(exp(N)); colmax(rowmax(A)) == 0", R"("assumptions": [[["keep"], ["keep"]]], "goal": [["enter",0], ["enter",0], ["keep"], ["leave"], ["keep"], ["leave"], ["enter",1], ["enter",0], ["axiom",0,0,0], ["keep"], ["leave"]])"},
    // What an inequality leaves out may have no value: x (y + z) under a root for x = 0, the entries that x[t] does not select.
    {"content: what stays under the root may be negative where what leaves it is 0", "x, y, z: []; assume x >= 0; sqrt(x*y + x*z) <= (x + y + z)/2", R"("assumptions": [], "goal": [["distribute",1], ["keep"], ["distribute",1], ["keep"], ["distribute",1], ["keep"], ["content",0,0]])"},
    {"select: what is not selected may have no value", "x: [d]; t: [n]; sqrt(x[t]) <= (1 + sum(x))/2", R"("assumptions": [], "goal": [["enter",0], ["keep",0], ["leave"], ["select",0,0]])"},
    {"a part is infinite in more than one way", "x: [m]; M: [n]; assume mask01(M); exp(concat(neginf(zeros(n)) + neginf(M), x)) == zeros(n+m)", R"("assumptions": [], "goal": [["exp-sum",0]])"},
    {"both sides may be minus infinity, which is not less than itself", "S: [n, n]; S + causal(n) < S + causal(n) + 1", R"("assumptions": [], "goal": [["keep"]])"},
    {"exp-sum: infinities may cancel", "X: [n, n]; exp(X * causal(n) + causal(n)) == X", R"("assumptions": [], "goal": [["keep",0,1], ["exp-sum",0]])"},
    {"split-maximum: a part may be infinite", "x: [n]; exp(max(concat(x, neginf(zeros(m))))) == 0", R"("assumptions": [], "goal": [["enter",0], ["split-maximum",0,"n"]])"},
    // For k < m the remainders are not positive, and the parts are longer than 5.
    {"a length with a divisor that may not be positive", "x: [20]; sum(sum(x[:5 - i % (k-m)]) for i in range(n)) == 0", R"("assumptions": [], "goal": [["keep"]])"},
};

/// Reasons that no certificate read from a file is rejected for, and why.
const std::map<std::string, const char*> unreachable = {
    {"a reduction has no steps of its own", "the reader takes either scripts or a reduction with its parts; only a caller of the library can make a certificate of both"},
    {"a reduction needs the claim as written", "a file holds the claim as written; only a caller of the library can hand over an elaborated one with a reduction"},
    {"a tensor of the claim is a size in what it is led back to", "what a reduction writes down declares every tensor of the claim, and a declared name that is used as a size is an error of the language, which comes first"},
    {"content: the common factor does not multiply back", "the terms of a sum in the kernel are sorted and differ, so they still do after a division by one factor and are the same again after the multiplication"},
    {"parts without a reduction", "the reader takes parts only after a reduction; only a caller of the library can make a certificate with parts alone"},
    {"only ==, <= and < have certificates", "the parser refuses the other relations and turns >= around; only a caller of the library can make a claim with one"},
};

/// Certificates of one damaged step each: some law, with small numbers, on one of the first monomials or in a body of them.
template <class Check>
void single_steps(const char* text, const Check& check) {
  const auto claim = read::parse_claim(text);
  const infer::Problem p = infer::elaborate(claim);
  std::unique_ptr<kernel::Theory> theory;
  try {
    theory = kernel::unfold(p);
  } catch (const kernel::Reject&) {
    check({text, {}});
    return;
  }
  const auto kept = [](const kernel::Monomial& m) {
    kernel::Step step{kernel::Law::keep, {}, {}};
    for (std::size_t k = 0; k < m.variables.size(); ++k) step.args.push_back(static_cast<std::int64_t>(k));
    return step;
  };
  kernel::Certificate plain;
  for (const auto& axiom : theory->axioms) {
    plain.assumptions.emplace_back();
    for (const auto& m : axiom.poly) plain.assumptions.back().push_back(kept(m));
  }
  for (const auto& sign : theory->signs) {
    plain.assumptions.emplace_back();
    for (const auto& m : sign.poly) plain.assumptions.back().push_back(kept(m));
  }
  std::vector<kernel::Script> starts{{}};
  for (std::size_t k = 0; k < std::min<std::size_t>(theory->goal.size(), 3); ++k) {
    const kernel::Script before = starts[k];
    starts.push_back(before);
    starts.back().push_back(kept(theory->goal[k]));
  }
  kernel::Script all;
  for (const auto& m : theory->goal) all.push_back(kept(m));
  if (theory->goal.size() > 3) starts.push_back(all);
  const std::size_t outside = starts.size();
  for (std::size_t k = 0; k < outside; ++k) {
    for (std::int64_t f = 0; f < 3; ++f) {
      starts.push_back(starts[k]);
      starts.back().push_back({kernel::Law::enter, {f}, {}});
    }
  }
  std::vector<expr::Dim> sizes{1, 2};
  for (const auto& name : p.dimensions) sizes.push_back(expr::dim(name));
  const std::function<void(const kernel::Script&, kernel::Step&, std::size_t)> extend = [&](const kernel::Script& start, kernel::Step& step, std::size_t most) {
    for (const expr::Dim& size : sizes) {
      step.size = kernel::takes_size(step.law) ? size : expr::Dim(0);
      CertificateRecord record{text, plain};
      record.certificate.goal = start;
      record.certificate.goal.push_back(step);
      check(record);
      if (!kernel::takes_size(step.law)) break;
    }
    if (step.args.size() == most) return;
    for (std::int64_t value = -1; value < 4; ++value) {
      step.args.push_back(value);
      extend(start, step, most);
      step.args.pop_back();
    }
  };
  for (const kernel::Script& start : starts) {
    for (int law = 0; law < kernel::law_count; ++law) {
      kernel::Step step{static_cast<kernel::Law>(law), {}, {}};
      const bool entered = !start.empty() && start.back().law == kernel::Law::enter;
      if (step.law != kernel::Law::enter && step.law != kernel::Law::leave) extend(start, step, entered ? 2 : step.law == kernel::Law::axiom ? 4 : 3);
    }
  }
}

/// The smallest certificate for each reason, from damaged ones and from honest ones handed in for another claim.
Smallest rejected(const std::vector<CertificateRecord>& all, const fs::path& found_before, const std::vector<std::string>& reasons, std::size_t mutants) {
  Smallest found;
  std::set<std::string> seen;  // what the language says of a damaged text is no reason of the kernel
  const auto of_the_kernel = [&](const std::string& reason) { return seen.count(reason) > 0 || std::any_of(reasons.begin(), reasons.end(), [&](const std::string& r) { return gives(reason, r) && seen.insert(reason).second; }); };
  Dice dice(2026);
  std::map<std::string, std::optional<expr::Claim>> claims;
  const auto check = [&](const CertificateRecord& record) {
    auto at = claims.find(record.claim);
    if (at == claims.end()) {
      at = claims.emplace(record.claim, std::nullopt).first;
      try {
        expr::Claim claim = read::parse_claim(record.claim);
        infer::elaborate(claim);
        at->second = std::move(claim);
      } catch (const expr::Error&) {  // the mistake is no claim
      }
    }
    if (!at->second) return;
    const auto outcome = kernel::check(*at->second, record.certificate);
    const std::string reason = general(outcome.reason);
    if (outcome.accepted || !of_the_kernel(reason)) return;
    std::string text = record::write(record);
    if (!improves(found, reason, text)) return;
    // A file has no place for everything that a certificate in memory can hold, such as steps beside a reduction.
    try {
      const auto read = kernel::check(*at->second, record::parse_certificate(text, "").certificate);
      if (!read.accepted && general(read.reason) == reason) offer(found, reason, std::move(text));
    } catch (const expr::Error&) {  // no file at all
    }
  };
  for (const auto& entry : fs::exists(found_before) ? fs::directory_iterator(found_before) : fs::directory_iterator()) {
    std::ifstream in(entry.path(), std::ios::binary);
    try {
      check(record::parse_certificate(std::string{std::istreambuf_iterator<char>(in), {}}, ""));
    } catch (const expr::Error&) {  // one of those that cannot be read
    }
  }
  for (const auto& record : all) {
    for (const auto& other : mistakes(record.claim)) check({other, record.certificate});
  }
  for (const char* claim : false_reduced_claims) {
    for (const auto& record : all) {
      if (!record.certificate.parts.empty()) check({claim, record.certificate});
    }
  }
  for (const char* claim : false_claims) {
    try {
      kernel::Certificate empty;
      const auto theory = kernel::unfold(problem(claim));
      empty.assumptions.resize(theory->axioms.size() + theory->signs.size());
      check({claim, empty});
      check({claim, {}});
    } catch (const kernel::Reject&) {
      check({claim, {}});
    }
  }
  for (const Forged& f : forged_reductions) {
    kernel::Certificate certificate;
    certificate.reduction = {f.kind, f.text};
    certificate.parts.resize(f.parts);
    check({f.claim, certificate});
  }
  for (const Written& w : written_certificates) {
    const std::string text = "{\"schema\": \"" + std::string(record::certificate_schema) + "\", \"claim\": \"" + w.claim + "\", " + w.certificate + "}";
    const CertificateRecord record = record::parse_certificate(text, w.reason);
    const auto outcome = kernel::check(read::parse_claim(record.claim), record.certificate);
    if (outcome.accepted || general(outcome.reason) != general(w.reason)) throw std::runtime_error("the certificate written for `" + std::string(w.reason) + "` is " + (outcome.accepted ? "accepted" : "rejected for `" + outcome.reason + "`"));
    check(record);
  }
  for (const char* claim : provoking_claims) {
    try {
      single_steps(claim, check);
    } catch (const expr::Error& e) {
      throw std::runtime_error(std::string(claim) + ": " + e.what());
    }
  }
  for (std::size_t k = 0; k < mutants; ++k) {
    CertificateRecord record = all[dice.roll(all.size())];
    for (std::size_t wounds = 1 + dice.roll(2); wounds > 0; --wounds) {
      mutate(record.certificate, dice.roll(2) == 0 ? Mutation::inserted : mutations[dice.roll(std::size(mutations))], dice);
    }
    check(record);
  }
  return found;
}

std::string file_name(const std::string& key, const char* suffix) {
  std::string name;
  for (const char c : key) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  if (name.size() > 60) name.resize(name.rfind('-', 60));
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name + suffix;
}

/// Texts that the reader refuses, each made from a good certificate, with the complaint.
std::map<std::string, std::pair<std::string, std::string>> unreadable(const std::string& good) {
  const auto with = [&](std::string_view from, std::string_view to) {
    const auto at = good.find(from);
    if (at == std::string::npos) throw std::runtime_error("the certificate has no " + std::string(from));
    return good.substr(0, at) + std::string(to) + good.substr(at + from.size());
  };
  const std::string texts[] = {good.substr(0, good.size() / 2), "[]\n", with("\"goal\"", "\"gaol\""), with("\"goal\"", "\"claim\""), with("  \"assumptions\": [],\n", ""), with("\"assumptions\": []", "\"assumptions\": {}"),
                               with("foldproof-certificate-1", "foldproof-certificate-0"), with("\"goal\": [", "\"goal\": [[],"), with("\"goal\": [", "\"goal\": [[\"kepe\"],"), with("\"goal\": [", "\"goal\": [[7],"),
                               with("\"goal\": [", "\"goal\": [[\"keep\",0.5],"), with("\"goal\": [", "\"goal\": [[\"keep\",9223372036854775808],"), with("\"goal\": [", "\"goal\": [[\"keep\",1e999],"),
                               with("\"goal\": [", "\"goal\": [[\"split\",0,\"n]; X\"],"), with("\"goal\": [", "\"goal\": [[\"split\",0,\"n +\"],"), with("\"goal\": [", "\"goal\": [[[[[[[[[]]]]]]]],"), with("\"claim\": \"", "\"claim\": [\""),
                               with(" == ", " @@ "), with(" == ", " == softmx(X) + ")};
  std::map<std::string, std::pair<std::string, std::string>> found;
  for (const std::string& text : texts) {
    try {
      problem(record::parse_certificate(text, "").claim);
      throw std::runtime_error("the reader accepts:\n" + text);
    } catch (const expr::Error& e) {
      const std::string message = e.what();
      found[file_name(e.diagnostic().code + " " + message.substr(message.find_first_not_of(": ")), ".txt")] = {text, e.what()};
    }
  }
  return found;
}

/// The folder holds these files and no others.
void write_folder(const fs::path& folder, const std::map<std::string, std::string>& files) {
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (files.count(entry.path().filename().string()) == 0) fs::remove(entry.path());
  }
  for (const auto& [name, text] : files) {
    std::ofstream out(folder / name, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot write " + (folder / name).string());
  }
}

void write_all(const fs::path& source, std::size_t mutants) {
  const auto all = proved_library();
  std::map<std::string, std::string> accept, reject;
  for (const auto& [law, text] : accepted(all)) accept[file_name(law, ".json")] = text;
  using nlohmann::ordered_json;
  ordered_json reasons = ordered_json::object(), complaints = ordered_json::object(), not_found = ordered_json::object();
  const auto spelled = reasons_in(source);
  for (const auto& [reason, text] : rejected(all, source / "fixtures/certificates/reject", spelled, mutants)) {
    const std::string name = file_name(reason, ".json");
    if (!reject.emplace(name, text).second) throw std::runtime_error("two reasons would have the file " + name);
    reasons[name] = reason;
  }
  std::string faults;
  for (const std::string& written : spelled) {
    const bool found = std::any_of(reasons.begin(), reasons.end(), [&](const auto& reason) { return gives(reason.template get<std::string>(), written); });
    const auto why = unreachable.find(written);
    if (found == (why != unreachable.end())) faults += (found ? "\n  found, though it is said to be out of reach: " : "\n  neither found nor explained: ") + written;
    if (why != unreachable.end()) not_found[written] = why->second;
  }
  for (const auto& [reason, why] : unreachable) {
    if (not_found.count(reason) == 0) faults += "\n  explained, but nowhere in the source: " + reason;
  }
  if (!faults.empty()) throw std::runtime_error("reasons of the kernel:" + faults);
  const auto equation = std::find_if(all.begin(), all.end(), [](const CertificateRecord& r) { return r.claim.find(" == ") != std::string::npos && !r.certificate.goal.empty() && r.certificate.assumptions.empty(); });
  if (equation == all.end()) throw std::runtime_error("no equation is proved by a script alone");
  for (const auto& [name, refused] : unreadable(record::write(*equation))) {
    reject[name] = refused.first;
    complaints[name] = refused.second;
  }
  const ordered_json index{{"schema", "foldproof-rejections-1"}, {"rejected", reasons}, {"unreadable", complaints}, {"not_found", not_found}};
  reject["reasons.json"] = index.dump(2) + "\n";
  const fs::path root = source / "fixtures/certificates";
  write_folder(root / "accept", accept);
  write_folder(root / "reject", reject);
  std::cout << accept.size() << " certificates to accept, " << reasons.size() << " to reject, " << complaints.size() << " that cannot be read; " << not_found.size() << " reasons out of reach\n";
}

}  // namespace
}  // namespace foldproof::properties

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: certificate_files SOURCE_DIR [MUTANTS]\n";
    return 2;
  }
  try {
    foldproof::expr::on_large_stack([&] { foldproof::properties::write_all(argv[1], argc > 2 ? std::stoull(argv[2]) : 300000); });
  } catch (const std::exception& e) {
    std::cerr << "certificate_files: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
