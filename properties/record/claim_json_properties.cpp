// SPDX-License-Identifier: MIT
// Claims as JSON: every complaint names its place, what is written is read again, no text crashes the reader.
#include <rapidcheck.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>

#include "expr/diagnostic.hpp"
#include "record/claim_json.hpp"
#include "record/files.hpp"

namespace foldproof::properties {
namespace {

using record::ClaimRecord;
using record::Document;
using record::JsonKind;
using record::JsonValue;

struct Refusal {
  std::string code;
  std::string message;
  std::string hint;
};

Refusal refusal(const std::string& text) {
  try {
    record::parse_claims(text, "c.json");
  } catch (const expr::Error& error) {
    const expr::Diagnostic& d = error.diagnostic();
    BOOST_TEST(d.span.begin <= text.size());
    return {d.code, d.message, d.hint};
  }
  return {"accepted", "", ""};
}

ClaimRecord one(const std::string& text) { return record::parse_claims(text, "folder/c.json").at(0); }

void check_same(const ClaimRecord& a, const ClaimRecord& b) {
  RC_ASSERT(a.id == b.id && a.title == b.title && a.why == b.why && a.nearest_true == b.nearest_true && a.source == b.source && a.practice == b.practice);
  RC_ASSERT(a.expect == b.expect && a.tags == b.tags && a.allow_same_text == b.allow_same_text);
  RC_ASSERT(a.vars == b.vars && a.let == b.let && a.assume == b.assume && a.lhs == b.lhs && a.relation == b.relation && a.rhs == b.rhs);
  RC_ASSERT(record::assemble(a) == b.text);
}

// Any Unicode text, the awkward characters of JSON often among them.
rc::Gen<std::string> draw_text() {
  const auto character = rc::gen::element<std::string>("a", "B", "7", " ", "\"", "\\", "/", "\n", "\t", "\x01", "\x7f", "é", "∑", "😀", "{", "]", ",", ":");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(character), [](const std::vector<std::string>& all) {
    std::string out;
    for (const std::string& c : all) out += c;
    return out;
  });
}

rc::Gen<std::string> draw_statement() { return rc::gen::element<std::string>("X", "X @ W", "softmax(Q @ K.T / sqrt(d))", "A[:, i*k:(i+1)*k]", "\"é\" ∑ \\"); }
rc::Gen<std::string> draw_dim() { return rc::gen::element<std::string>("n", "d_model", "3", "n1+n2", "h * k", "(d//2)", "d % 2"); }

ClaimRecord draw_claim(const std::string& id) {
  ClaimRecord claim;
  claim.id = id;
  for (std::string* field : {&claim.title, &claim.why, &claim.nearest_true, &claim.source, &claim.practice}) *field = *draw_text();
  if (*rc::gen::arbitrary<bool>()) claim.expect = *rc::gen::element<std::string>("proved", "refuted", "undecided", "invalid");
  claim.tags = *rc::gen::container<std::vector<std::string>>(draw_text());
  claim.allow_same_text = *rc::gen::arbitrary<bool>();
  for (const char* name : {"X", "W_Q", "b_2"}) {
    if (*rc::gen::arbitrary<bool>()) claim.vars.emplace_back(name, *rc::gen::container<std::vector<std::string>>(draw_dim()));
    if (*rc::gen::arbitrary<bool>()) claim.let.emplace_back(std::string(name) + "_let", *draw_statement());
  }
  claim.assume = *rc::gen::container<std::vector<std::string>>(draw_statement());
  claim.lhs = *draw_statement();
  claim.rhs = *draw_statement();
  claim.relation = *rc::gen::element<std::string>("==", "<=", "<");
  return claim;
}

const char* const everything = R"json({
  "id": "fold", "title": "T", "vars": {"X": ["n", "d_model"], "s": [], "W": ["d_model", 3]},
  "let": {"Q": "X @ W", "R": "Q @ Q.T"}, "assume": ["k == d", "positive(s)"],
  "lhs": "R", "relation": "<=", "rhs": "X", "expect": "refuted", "why": "because", "nearest_true": "A == A", "source": "book",
  "practice": "everywhere", "tags": ["a", "b"], "allow_same_text": true
})json";

}  // namespace

BOOST_AUTO_TEST_CASE(the_pieces_of_a_claim_become_its_text) {
  const ClaimRecord claim = one(everything);
  BOOST_TEST(claim.text == "X: [n, d_model]\ns: []\nW: [d_model, 3]\nlet Q = X @ W\nlet R = Q @ Q.T\nassume k == d\nassume positive(s)\nR <= X\n");
  BOOST_TEST(claim.id == "fold");
  BOOST_TEST(claim.expect.value() == "refuted");
  BOOST_TEST(claim.practice == "everywhere");
  BOOST_TEST(claim.tags.at(1) == "b");
  BOOST_TEST(claim.allow_same_text);
  BOOST_TEST(one(R"({"let": ["Q = X @ W", "R=Q"], "lhs": "A == B", "rhs": "C"})").text == "let Q = X @ W\nlet R = Q\nA == B == C\n");
}

BOOST_AUTO_TEST_CASE(each_byte_of_a_claim_knows_the_json_it_came_from) {
  const ClaimRecord claim = one(everything);
  const auto origin = [&](const std::string& piece) { return record::origin(claim, claim.text.find(piece)); };
  BOOST_TEST(origin("d_model") == "folder/c.json:2:51: /vars/X/1");
  BOOST_TEST(origin("Q @ Q.T") == "folder/c.json:3:30: /let/R");
  BOOST_TEST(origin("positive") == "folder/c.json:3:63: /assume/1");
  BOOST_TEST(origin("R <=") == "folder/c.json:4:10: /lhs");
  BOOST_TEST(origin("<=") == "folder/c.json:4:27: /relation");
  BOOST_TEST(record::origin(claim, 100'000) == "folder/c.json:4:40: /rhs");
}

BOOST_AUTO_TEST_CASE(a_claim_without_an_id_is_named_after_its_file) {
  BOOST_TEST(one(R"({"lhs": "A", "rhs": "B"})").id == "c");
  BOOST_TEST(record::parse_claims(R"([{"lhs": "A", "rhs": "B"}, {"lhs": "A", "rhs": "B"}])", "folder/c.json").at(1).id == "c#1");
  BOOST_TEST(record::parse_claims("[]", "c.json").empty());
  BOOST_TEST(one("\xef\xbb\xbf{\"lhs\": \"A\", \"rhs\": \"B\"}").pieces.at(0).place == "folder/c.json:1:12: /lhs");  // columns count bytes, the mark's too
}

BOOST_AUTO_TEST_CASE(every_refusal_names_its_place) {
  struct Case {
    std::string text;
    const char* code;
    const char* place;
  };
  const auto with = [](const std::string& more) { return "[{},\n {\"lhs\": \"A\", \"rhs\": \"B\", " + more + "}]"; };
  const auto claim = [](const std::string& more) { return "{\"lhs\": \"A\", \"rhs\": \"B\",\n " + more + "}"; };
  for (const Case& c : {Case{"", "json.empty", "c.json:1:1: "},
                        Case{" \n", "json.empty", "c.json:1:1: "},
                        Case{"{\"lhs\": \"A\",\n \"rhs\"", "json.syntax", "c.json:2:7: "},
                        Case{"{\"lhs\": \"A\", \"rhs\": \"B", "json.syntax", "c.json:1:23: /rhs: "},
                        Case{"{\"lhs\": \"A\xff\"}", "json.syntax", "c.json:1:11: /lhs: "},
                        Case{"{\"lhs\": \"A\xed\xa0\x80\"}", "json.syntax", "c.json:1:12: /lhs: "},
                        Case{"{} x", "json.syntax", "c.json:1:4: "},
                        Case{"{\"lhs\": 1e400}", "json.syntax", "c.json:1:13: /lhs: "},
                        Case{std::string(100'000, '['), "json.depth", "c.json:1:65: "},
                        Case{claim("\"lhs\": \"A\""), "json.duplicate", "c.json:2:2: /lhs: "},
                        Case{"3", "claim.kind", "c.json:1:1: "},
                        Case{"[\n3]", "claim.kind", "c.json:2:1: /0: "},
                        Case{"[{\"lhs\": \"A\", \"rhs\": \"B\"},\n {\"lhs\": \"A\"}]", "claim.missing", "c.json:2:2: /1: "},
                        Case{with(""), "json.syntax", "c.json:2:27: /1: "},
                        Case{claim("\"lsh\": \"A\""), "claim.key", "c.json:2:2: /lsh: "},
                        Case{claim("\"a/b~c\": 1"), "claim.key", "c.json:2:2: /a~1b~0c: "},
                        Case{claim("\"id\": 3"), "claim.kind", "c.json:2:8: /id: "},
                        Case{claim("\"id\": \"\""), "claim.value", "c.json:2:8: /id: "},
                        Case{claim("\"title\": []"), "claim.kind", "c.json:2:11: /title: "},
                        Case{claim("\"expect\": \"true\""), "claim.value", "c.json:2:12: /expect: "},
                        Case{claim("\"expect\": true"), "claim.kind", "c.json:2:12: /expect: "},
                        Case{claim("\"relation\": \"!=\""), "claim.value", "c.json:2:14: /relation: "},
                        Case{claim("\"allow_same_text\": \"yes\""), "claim.kind", "c.json:2:21: /allow_same_text: "},
                        Case{claim("\"tags\": \"a\""), "claim.kind", "c.json:2:10: /tags: "},
                        Case{claim("\"tags\": [\"a\", null]"), "claim.kind", "c.json:2:16: /tags/1: "},
                        Case{claim("\"vars\": []"), "claim.kind", "c.json:2:10: /vars: "},
                        Case{claim("\"vars\": {\"X\": 3}"), "claim.kind", "c.json:2:16: /vars/X: "},
                        Case{claim("\"vars\": {\"X-\": []}"), "claim.value", "c.json:2:11: /vars/X-: "},
                        Case{claim("\"vars\": {\"X\": [0]}"), "claim.value", "c.json:2:17: /vars/X/0: "},
                        Case{claim("\"vars\": {\"X\": [2, -1]}"), "claim.value", "c.json:2:20: /vars/X/1: "},
                        Case{claim("\"vars\": {\"X\": [1.5]}"), "claim.kind", "c.json:2:17: /vars/X/0: "},
                        Case{claim("\"vars\": {\"X\": [\"\"]}"), "claim.statement", "c.json:2:17: /vars/X/0: "},
                        Case{claim("\"vars\": {\"X\": [\"n]\"]}"), "claim.value", "c.json:2:17: /vars/X/0: "},
                        Case{claim("\"let\": 3"), "claim.kind", "c.json:2:9: /let: "},
                        Case{claim("\"let\": {\"Q\": 3}"), "claim.kind", "c.json:2:15: /let/Q: "},
                        Case{claim("\"let\": {\"2\": \"X\"}"), "claim.value", "c.json:2:10: /let/2: "},
                        Case{claim("\"let\": [\"X\"]"), "claim.value", "c.json:2:10: /let/0: "},
                        Case{claim("\"let\": [\"Q = \"]"), "claim.statement", "c.json:2:10: /let/0: "},
                        Case{claim("\"assume\": \"k == d\""), "claim.kind", "c.json:2:12: /assume: "},
                        Case{claim("\"assume\": [[]]"), "claim.kind", "c.json:2:13: /assume/0: "},
                        Case{claim("\"assume\": [\"a;b\"]"), "claim.statement", "c.json:2:13: /assume/0: "},
                        Case{"{\"lhs\": \"A\\nassume k == d\", \"rhs\": \"B\"}", "claim.statement", "c.json:1:9: /lhs: "},
                        Case{"{\"lhs\": \"A #\", \"rhs\": \"B\"}", "claim.statement", "c.json:1:9: /lhs: "},
                        Case{"{\"lhs\": \" \", \"rhs\": \"B\"}", "claim.statement", "c.json:1:9: /lhs: "},
                        Case{"[{\"id\": \"a\", \"lhs\": \"A\", \"rhs\": \"B\"},\n{\"id\": \"a\", \"lhs\": \"A\", \"rhs\": \"B\"}]", "claim.duplicate",
                             "c.json:2:8: /1/id: "}}) {
    const Refusal r = refusal(c.text);
    const std::string shown = c.text.substr(0, 80);
    BOOST_TEST(r.code == c.code, shown << ": " << r.code << " " << r.message);
    BOOST_TEST(r.message.substr(0, std::string(c.place).size()) == c.place, shown << ": " << r.message);
    BOOST_TEST(r.message.size() > std::string(c.place).size());
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_key_is_answered_with_the_nearest) {
  BOOST_TEST(refusal(R"({"lhs": "A", "rhs": "B", "assumes": []})").hint == "did you mean `assume`?");
  BOOST_TEST(refusal(R"({"lhs": "A", "rhs": "B", "closest_true": ""})").hint == "did you mean `nearest_true`?");
}

BOOST_AUTO_TEST_CASE(an_id_used_in_two_files_is_refused_with_both_places) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("foldproof-claims-" + std::to_string(::getpid()));
  record::write_atomically(folder / "a.json", R"({"id": "same", "lhs": "A", "rhs": "B"})");
  BOOST_TEST(record::read_claims({folder}).size() == 1U);
  record::write_atomically(folder / "b" / "b.json", R"([{"id": "same", "lhs": "A", "rhs": "B"}])");
  BOOST_CHECK_EXCEPTION(record::read_claims({folder}), expr::Error, [](const expr::Error& e) {
    const std::string& message = e.diagnostic().message;
    return e.diagnostic().code == "claim.duplicate" && message.find("b.json:1:9: /0/id") != std::string::npos &&
           message.find("a.json:1:8: /id") != std::string::npos;
  });
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(an_entry_that_cannot_be_read_is_an_item_beside_the_others) {
  const std::vector<ClaimRecord> entries = record::parse_entries(R"([{"id": "a", "lhs": "A", "rhs": "B"}, {"id": "b", "lhs": "A", "rhs": "B", "expct": "proved"}, {"id": "a", "lhs": "A", "rhs": "B"}, 7, {"lhs": "A", "rhs": "B"}])", "c.json");
  BOOST_REQUIRE(entries.size() == 5U);
  const std::vector<std::string> ids{"a", "b", "c.json#2", "c.json#3", "c#4"}, codes{"", "claim.key", "claim.duplicate", "claim.kind", ""};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    BOOST_TEST(entries[i].id == ids[i]);
    BOOST_TEST((entries[i].unreadable ? entries[i].unreadable->code : "") == codes[i]);
    BOOST_TEST(entries[i].text.empty() == entries[i].unreadable.has_value());
  }
  const std::vector<ClaimRecord> broken = record::parse_entries("[{]", "c.json");
  BOOST_REQUIRE(broken.size() == 1U);
  BOOST_TEST(broken[0].id == "c.json");
  BOOST_TEST(broken[0].unreadable.value().code == "json.syntax");
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  BOOST_TEST(rc::check("claims", [] {
    const std::vector<ClaimRecord> claims = {draw_claim("first"), draw_claim("é \"\\")};
    const std::vector<ClaimRecord> read = record::parse_claims(record::write(claims), "c.json");
    RC_ASSERT(read.size() == 2U);
    for (std::size_t i = 0; i < 2; ++i) check_same(claims[i], read[i]);
    const ClaimRecord alone = one(record::write(claims[0]));
    check_same(claims[0], alone);
    RC_ASSERT(record::write(alone) == record::write(claims[0]));
  }));
}

BOOST_AUTO_TEST_CASE(changed_bytes_never_crash_the_reader) {
  int refused = 0;
  BOOST_TEST(rc::check("mutants", [&refused] {
    std::string text = everything;
    for (int edits = *rc::gen::inRange(1, 4); edits-- > 0;) {
      const auto at = static_cast<std::size_t>(*rc::gen::resize(100, rc::gen::inRange<int>(0, static_cast<int>(text.size()))));
      if (*rc::gen::arbitrary<bool>()) {
        text[at] = *rc::gen::arbitrary<char>();
      } else {
        text.insert(at, 1, *rc::gen::elementOf(std::string("{}[]\",:\\09-e.tfn")));
      }
    }
    refused += refusal(text).code == "accepted" ? 0 : 1;
    for (std::size_t cut = 0; cut < std::string(everything).size(); cut += 7) refusal(std::string(everything).substr(0, cut));
  }));
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_CASE(values_remember_the_bytes_they_were_read_from) {
  const std::string text = "{ \"a\" : [1, -2.5e3 ,true , null], \"b\\u0041\": \"x\\ny\" ,\"c\":{},\"d\":12345678901234567890123}";
  const Document document(text, "d.json");
  const auto part = [&](const JsonValue& value) { return text.substr(value.span.begin, value.span.end - value.span.begin); };
  const JsonValue& list = *document.root().find("a");
  BOOST_TEST(part(document.root()) == text);
  BOOST_TEST(part(list) == "[1, -2.5e3 ,true , null]");
  BOOST_TEST(part(list.items[0]) == "1");
  BOOST_TEST(part(list.items[1]) == "-2.5e3");
  BOOST_TEST((list.items[1].kind == JsonKind::real));
  BOOST_TEST(part(list.items[2]) == "true");
  BOOST_TEST(list.items[2].truth);
  BOOST_TEST(part(list.items[3]) == "null");
  BOOST_TEST(part(*document.root().find("bA")) == "\"x\\ny\"");
  BOOST_TEST(document.root().find("bA")->text == "x\ny");
  BOOST_TEST(part(*document.root().find("c")) == "{}");
  BOOST_TEST((document.root().find("d")->kind == JsonKind::integer));
  BOOST_TEST(Document("\xef\xbb\xbf {}", "d.json").root().span.begin == 4U);
  BOOST_TEST(document.root().find("d")->text == "12345678901234567890123");
}

BOOST_AUTO_TEST_CASE(the_schema_and_the_reader_know_the_same_keys) {
  const std::string path = FOLDPROOF_SOURCE_DIR "/fixtures/schemas/claim.schema.json";
  const Document schema(record::read_file(path), path);
  std::set<std::string> described;
  for (const record::JsonKey& key : schema.root().find("$defs")->find("claim")->find("properties")->keys) described.insert(key.name);
  for (const std::string& key : described) BOOST_TEST(refusal("{\"lhs\": \"A\", \"rhs\": \"B\", \"" + key + "\": {}}").code != "claim.key", key);
  std::set<std::string> written;
  const Document claim(record::write(one(everything)), "c.json");
  for (const record::JsonKey& key : claim.root().keys) written.insert(key.name);
  BOOST_TEST((described == written));
  BOOST_TEST(schema.root().find("$id")->text == "foldproof-claim-1");
}

}  // namespace foldproof::properties
