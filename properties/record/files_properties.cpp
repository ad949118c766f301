// SPDX-License-Identifier: MIT
// Files: writing replaces all or nothing, reading says why it cannot, walking finds the same files in the same order; SHA-256 by NIST.
#include <rapidcheck.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "expr/diagnostic.hpp"
#include "record/digest.hpp"
#include "record/files.hpp"

namespace foldproof::properties {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, gone afterwards.
struct Folder {
  Folder() : path(fs::temp_directory_path() / ("foldproof-files-" + std::to_string(::getpid()))) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void put(const fs::path& name, const std::string& bytes = "") const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  std::size_t entries() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator())); }

  fs::path path;
};

template <class Action>
expr::Diagnostic refusal(const Action& action) {
  try {
    action();
  } catch (const expr::Error& error) {
    return error.diagnostic();
  }
  return {"accepted", "", "", {}};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(bytes_written_are_bytes_read, Folder) {
  BOOST_TEST(rc::check("write, read", [this] {
    const auto bytes = *rc::gen::arbitrary<std::string>();
    record::write_atomically(path / "a" / "b.bin", bytes);
    RC_ASSERT(record::read_file(path / "a" / "b.bin") == bytes);
    RC_ASSERT(std::distance(fs::directory_iterator(path / "a"), fs::directory_iterator()) == 1);  // no temporary file stays
  }));
  record::write_atomically(path / std::string(255, 'n'), "longest name");
  BOOST_TEST(record::read_file(path / std::string(255, 'n')) == "longest name");
}

BOOST_FIXTURE_TEST_CASE(a_failed_write_names_the_path_and_leaves_everything_as_it_was, Folder) {
  put("file", "old");
  for (const fs::path& target : {path / "file" / "below", path / std::string(256, 'n'), fs::path("/proc/foldproof/report.json"), fs::path("/dev/null"), path}) {
    const expr::Diagnostic d = refusal([&] { record::write_atomically(target, "new"); });
    BOOST_TEST(d.code == "io.write", target.string());
    BOOST_TEST(d.message.find(target.string() + ": ") == 0U, d.message);
    BOOST_TEST(d.message.size() > target.string().size() + 2, d.message);
  }
  BOOST_TEST(record::read_file(path / "file") == "old");
  BOOST_TEST(entries() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_write_replaces_the_file_and_not_the_inode_a_reader_has_open, Folder) {
  put("file", "old content");
  std::ifstream reader(path / "file");
  record::write_atomically(path / "file", "new");
  std::string seen;
  std::getline(reader, seen);
  BOOST_TEST(seen == "old content");
  BOOST_TEST(record::read_file(path / "file") == "new");
}

BOOST_FIXTURE_TEST_CASE(temporary_files_of_a_killed_run_are_neither_in_the_way_nor_published, Folder) {
  const auto stale = [](int i) { return ".foldproof-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp"; };
  for (int i = 0; i < 500; ++i) put(stale(i), "stale");
  record::write_atomically(path / "file", "new");
  BOOST_TEST(record::read_file(path / "file") == "new");
  for (int i = 0; i < 500; ++i) BOOST_TEST(record::read_file(path / stale(i)) == "stale");
}

BOOST_FIXTURE_TEST_CASE(a_write_through_a_link_keeps_the_link, Folder) {
  put("real/file", "old");
  fs::create_symlink(path / "real" / "file", path / "link");
  record::write_atomically(path / "link", "new");
  BOOST_TEST(fs::is_symlink(path / "link"));
  BOOST_TEST(record::read_file(path / "real" / "file") == "new");
}

BOOST_FIXTURE_TEST_CASE(reading_says_why_it_cannot, Folder) {
  put("long", std::string(100, 'x'));
  const expr::Diagnostic missing = refusal([&] { record::read_file(path / "missing"); });
  BOOST_TEST(missing.code == "io.read");
  BOOST_TEST(missing.message.find("No such file") != std::string::npos, missing.message);
  BOOST_TEST(refusal([&] { record::read_file(path); }).code == "io.read");
  BOOST_TEST(refusal([&] { record::read_file(path / "long", 99); }).code == "io.too_large");
  BOOST_TEST(record::read_file(path / "long", 100).size() == 100U);
}

BOOST_FIXTURE_TEST_CASE(a_walk_is_sorted_complete_and_passes_over_hidden_files, Folder) {
  for (const char* name : {"b/2.json", "b/1.json", "a.json", "c/d/e.json", "c/d/e.txt", ".hidden/x.json", "b/.x.json", "z.jsonl"}) put(name);
  fs::create_directory_symlink(path, path / "c" / "loop");
  const std::vector<fs::path> all = {path / "a.json", path / "b/1.json", path / "b/2.json", path / "c/d/e.json"};
  BOOST_TEST((record::walk({path}, ".json") == all));
  BOOST_TEST((record::walk({path / "c", path / "a.json", path, path / "b" / ".." / "a.json"}, ".json") == all));
  BOOST_TEST((record::walk({path / "c/d/e.txt"}, ".json") == std::vector<fs::path>{path / "c/d/e.txt"}));
  BOOST_TEST(record::walk({}, ".json").empty());
  BOOST_TEST(refusal([&] { record::walk({path / "missing"}, ".json"); }).code == "io.read");
}

// Source: FIPS 180-4 examples and NIST's SHA256ShortMsg.rsp.
BOOST_AUTO_TEST_CASE(sha256_gives_the_values_that_nist_publishes) {
  BOOST_TEST(record::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(record::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(record::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  BOOST_TEST(record::sha256("\xd3") == "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1");
  BOOST_TEST(record::sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

BOOST_AUTO_TEST_CASE(sha256_does_not_depend_on_how_the_bytes_are_cut) {
  BOOST_TEST(rc::check("pieces", [] {
    const auto pieces = *rc::gen::arbitrary<std::vector<std::string>>();
    record::Sha256 digest;
    std::string all;
    for (const std::string& piece : pieces) {
      digest.update(piece);
      all += piece;
    }
    RC_ASSERT(digest.finish() == record::sha256(all));
  }));
  record::Sha256 digest;
  digest.finish();
  BOOST_CHECK_THROW(digest.finish(), expr::InternalError);
  BOOST_CHECK_THROW(digest.update("x"), expr::InternalError);
}

}  // namespace foldproof::properties
