// SPDX-License-Identifier: MIT
#include "catalogue.hpp"

#include <algorithm>
#include <iostream>

#include "expr/syntax.hpp"
#include "prove/prove.hpp"
#include "read/parse.hpp"
#include "record/claim_json.hpp"

namespace foldproof::bench {
namespace {

/// Adds the counts of one claim to those of all.
void add(campaign::Campaign& sum, const campaign::Campaign& one) {
  sum.exact.cases += one.exact.cases;
  sum.exact.failed += one.exact.failed;
  sum.rational_cases += one.rational_cases;
  sum.rational_failed += one.rational_failed;
  sum.formats.resize(one.formats.size());
  for (std::size_t f = 0; f < one.formats.size(); ++f) {
    campaign::FormatResult& to = sum.formats[f];
    const campaign::FormatResult& from = one.formats[f];
    to.format = from.format;
    to.cases += from.cases;
    to.discarded += from.discarded;
    to.within += from.within;
    to.suspicious += from.suspicious;
    to.vacuous += from.vacuous;
    to.beyond += from.beyond;
    to.by_norms += from.by_norms;
    to.worst_ratio = std::max(to.worst_ratio, from.worst_ratio);
  }
}

void append(std::vector<std::string>& to, const std::string& id, const std::vector<std::string>& names) {
  for (const std::string& name : names) to.push_back(id + ": " + name);
}

}  // namespace

std::vector<TrueClaim> true_claims(const std::string& folder, std::size_t every) {
  std::vector<TrueClaim> claims;
  std::size_t seen = 0;
  for (const record::ClaimRecord& claim : record::read_claims({folder})) {
    if (claim.expect.value_or("proved") != "proved" || seen++ % every != 0) continue;
    claims.push_back({claim.id, infer::elaborate(read::parse_claim(claim.text))});
  }
  return claims;
}

campaign::Campaign correct_cases(const std::vector<TrueClaim>& claims, std::int64_t cases) {
  campaign::Campaign sum;
  for (const TrueClaim& claim : claims) {
    campaign::CampaignOptions options;
    options.seed = 20261121;
    options.cases = cases;
    options.sixteen_bit_every = 1;
    const campaign::Campaign one = campaign::run(claim.problem, options, campaign::Expectation::equal);
    add(sum, one);
    if (one.failure) std::cerr << "ALARM  " << claim.id << ", " << one.failure->lane << ", lhs " << one.failure->lhs << ", rhs " << one.failure->rhs << "\n";
  }
  return sum;
}

campaign::Kills seeded_bugs(const std::vector<TrueClaim>& claims, std::int64_t cases) {
  campaign::Kills sum;
  for (const TrueClaim& claim : claims) {
    if (claim.problem.relation != expr::Relation::equal) continue;
    campaign::CampaignOptions options;
    options.cases = cases;
    options.claim = claim.id;
    const campaign::Kills one = campaign::kill(claim.problem, options, [](const infer::Problem& p) { return prove::prove(p).certificate.has_value(); });
    sum.made += one.made;
    sum.killed += one.killed;
    sum.last_kill = std::max(sum.last_kill, one.last_kill);
    append(sum.survivors, claim.id, one.survivors);
    append(sum.equivalent, claim.id, one.equivalent);
    append(sum.untested, claim.id, one.untested);
  }
  return sum;
}

}  // namespace foldproof::bench
