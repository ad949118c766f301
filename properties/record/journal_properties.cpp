// SPDX-License-Identifier: MIT
// However a journal was cut off or damaged, what can be read is a beginning of what was written, and writing goes on from there.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "expr/diagnostic.hpp"
#include "record/files.hpp"
#include "record/journal.hpp"

namespace foldproof {
namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("foldproof-journal-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

const std::vector<std::string> entries = {R"({"run":1})", R"({"claim":0,"text":"a } \" b"})", "[]", R"({"claim":2})"};

std::string written(const std::filesystem::path& path) {
  record::Journal journal(path);
  for (const auto& entry : entries) journal.append(entry);
  return record::read_file(path);
}

void overwrite(const std::filesystem::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

bool is_beginning(const std::vector<std::string>& lines) { return lines.size() <= entries.size() && std::equal(lines.begin(), lines.end(), entries.begin()); }

BOOST_AUTO_TEST_CASE(what_was_appended_is_read) {
  const Folder folder;
  written(folder.path / "j");
  BOOST_TEST(record::Journal(folder.path / "j").lines() == entries, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(cut_off_at_any_byte_a_beginning_is_left_and_writing_goes_on) {
  const Folder folder;
  const auto path = folder.path / "j";
  const std::string bytes = written(path);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    overwrite(path, bytes.substr(0, length));
    std::size_t whole = 0;
    for (std::size_t i = 0; i < length; ++i) whole += bytes[i] == '\n';
    {
      record::Journal journal(path);
      BOOST_TEST(journal.lines().size() == whole);
      BOOST_TEST(is_beginning(journal.lines()));
      journal.append("\"more\"");
    }
    const record::Journal again(path);
    BOOST_TEST(again.lines().size() == whole + 1);
    BOOST_TEST(again.lines().back() == "\"more\"");
  }
}

BOOST_AUTO_TEST_CASE(a_changed_byte_ends_the_readable_part) {
  const Folder folder;
  const auto path = folder.path / "j";
  const std::string bytes = written(path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    overwrite(path, changed);
    const record::Journal journal(path);
    BOOST_TEST(journal.lines().size() < entries.size());
    BOOST_TEST(is_beginning(journal.lines()));
  }
}

BOOST_AUTO_TEST_CASE(one_run_at_a_time) {
  const Folder folder;
  record::Journal journal(folder.path / "j");
  BOOST_CHECK_THROW(record::Journal(folder.path / "j"), expr::Error);
  journal.remove();
  BOOST_TEST(!std::filesystem::exists(folder.path / "j"));
  BOOST_CHECK_NO_THROW(record::Journal(folder.path / "j"));
}

}  // namespace
}  // namespace foldproof
