// SPDX-License-Identifier: MIT
#include "record/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "expr/diagnostic.hpp"
#include "record/digest.hpp"
#include "record/files.hpp"

namespace foldproof::record {

namespace {

constexpr std::string_view before = "{\"sha256\":\"";
constexpr std::string_view between = "\",\"entry\":";
constexpr std::size_t digits = 64;

[[noreturn]] void fail(const std::filesystem::path& path) { expr::fail("io.write", path.string() + ": " + std::system_category().message(errno), {}); }

std::string line_of(std::string_view json) {
  std::string line(before);
  line += sha256(json);
  line += between;
  line += json;
  return line + "}\n";
}

/// The value of a line without its line break; nullopt when it is not what was written.
std::optional<std::string> value_of(std::string_view line) {
  constexpr std::size_t start = before.size() + digits + between.size();
  if (line.size() <= start || line.back() != '}') return std::nullopt;
  std::string json(line.substr(start, line.size() - start - 1));
  if (line_of(json) != std::string(line) + "\n") return std::nullopt;
  return json;
}

}  // namespace

Journal::Journal(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  handle_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (handle_ < 0) fail(path);
  if (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
    const bool busy = errno == EWOULDBLOCK;
    ::close(handle_);
    if (busy) expr::fail("io.busy", path.string() + ": another run has it open", {}, "give this run a folder of its own");
    fail(path);
  }
  const std::string bytes = read_file(path);
  while (sound_ < bytes.size()) {
    const std::size_t end = bytes.find('\n', sound_);
    auto value = end == std::string::npos ? std::nullopt : value_of(std::string_view(bytes).substr(sound_, end - sound_));
    if (!value) break;
    lines_.push_back(std::move(*value));
    sound_ = end + 1;
  }
  damaged_ = sound_ < bytes.size();
}

Journal::~Journal() {
  if (handle_ >= 0) ::close(handle_);
}

void Journal::truncate(std::size_t size) {
  if (::ftruncate(handle_, static_cast<off_t>(size)) != 0) fail(path_);
  sound_ = size;
  damaged_ = false;
}

void Journal::clear() {
  lines_.clear();
  truncate(0);
}

void Journal::append(std::string_view json) {
  expr::invariant(json.find('\n') == std::string_view::npos, "a line of a journal has no line break");
  if (damaged_) truncate(sound_);
  const std::string line = line_of(json);
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::pwrite(handle_, line.data() + done, line.size() - done, static_cast<off_t>(sound_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path_);
    done += static_cast<std::size_t>(count);
  }
  sound_ += line.size();
  const auto now = std::chrono::steady_clock::now();
  if (now - synchronized_ < std::chrono::seconds(1)) return;
  synchronized_ = now;
  ::fdatasync(handle_);  // not every file system can; the lines are checked when they are read
}

void Journal::remove() {
  if (handle_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  ::close(handle_);
  handle_ = -1;
}

}  // namespace foldproof::record
