// SPDX-License-Identifier: MIT
#include "record/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "expr/diagnostic.hpp"

namespace foldproof::record {

namespace {

std::string reason(int error) { return std::system_category().message(error); }

[[noreturn]] void fail(const char* code, const std::filesystem::path& path, const std::string& why) { expr::fail(code, path.string() + ": " + why, {}); }

int open_file(const std::filesystem::path& path, int flags) { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); }

// A POSIX file that closes itself; errors of close are asked for where they matter.
class File {
 public:
  explicit File(int handle) : handle_(handle) {}
  ~File() {
    if (handle_ >= 0) ::close(handle_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return handle_ >= 0; }
  int handle() const { return handle_; }
  bool close() {
    const int handle = handle_;
    handle_ = -1;
    return ::close(handle) == 0;
  }

 private:
  int handle_;
};

bool write_all(int handle, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Short and without the target's name, so that a name of the longest length can still be written.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  return target.parent_path() / (".foldproof-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp");
}

// For a signal handler, which may look at nothing but plain memory: the file that is being written, and the status to end with.
char half_file[4096];
std::atomic<bool> has_half_file{false};
std::atomic<int> status_when_interrupted{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void leave_nothing(int) {
  if (has_half_file.load()) ::unlink(half_file);
  ::_exit(status_when_interrupted.load());
}

// Names the half file to the handler before there is one, so that no signal comes between, and as long as it may be there. A longer name than any
// the system opens is none.
class HalfFile {
 public:
  HalfFile() = default;
  ~HalfFile() { has_half_file.store(false); }
  HalfFile(const HalfFile&) = delete;
  HalfFile& operator=(const HalfFile&) = delete;

  void name(const std::filesystem::path& path) {
    has_half_file.store(false);
    const std::string& name = path.native();
    if (name.size() >= sizeof half_file) return;
    std::copy(name.begin(), name.end(), half_file);
    half_file[name.size()] = '\0';
    has_half_file.store(true);
  }
};

// Opens a new file beside `target`; -1 when the system refuses. A run that was killed may have left a file of the first
// name: in a container even its process id comes back.
int open_temporary(const std::filesystem::path& target, std::filesystem::path& temporary, HalfFile& half) {
  int handle = -1;
  for (int attempt = 0; attempt < 1000 && handle < 0; ++attempt) {
    temporary = temporary_beside(target);
    half.name(temporary);
    handle = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (handle < 0 && errno != EEXIST) break;
  }
  return handle;
}

// The file that is to be replaced, behind links; its folder exists afterwards.
std::filesystem::path resolve(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::absolute(path);
  const std::filesystem::file_status status = std::filesystem::status(target, error);
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status)) fail("io.write", path, "not a regular file");
    target = std::filesystem::canonical(target, error);
  } else {
    std::filesystem::create_directories(target.parent_path(), error);
  }
  if (error) fail("io.write", path, error.message());
  return target;
}

}  // namespace

void leave_nothing_when_interrupted(int status) {
  status_when_interrupted.store(status);
  struct sigaction action = {};
  action.sa_handler = leave_nothing;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  const File file(open_file(path, O_RDONLY));
  if (!file.is_open()) fail("io.read", path, reason(errno));
  std::string bytes;
  std::string block(std::size_t{1} << 16, '\0');
  // Read to the end and not to the size: pipes and /proc have none.
  while (true) {
    const ssize_t count = ::read(file.handle(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("io.read", path, reason(errno));
    if (count == 0) return bytes;
    bytes.append(block, 0, static_cast<std::size_t>(count));
    if (bytes.size() > limit) fail("io.too_large", path, "longer than " + std::to_string(limit) + " bytes");
  }
}

void write_atomically(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path target = resolve(path);
  std::filesystem::path temporary;
  HalfFile half;
  File file(open_temporary(target, temporary, half));
  if (!file.is_open()) fail("io.write", path, reason(errno));
  // Each step only after the one before: a rename must never publish bytes that are not on the disk.
  const bool done = write_all(file.handle(), bytes) && ::fsync(file.handle()) == 0 && file.close() && ::rename(temporary.c_str(), target.c_str()) == 0;
  if (!done) {
    const std::string why = reason(errno);
    ::unlink(temporary.c_str());
    fail("io.write", path, why);
  }
  // Makes the rename itself durable. Not every file system can do this for a folder, and the content is safe either way.
  const File folder(open_file(target.parent_path(), O_RDONLY | O_DIRECTORY));
  if (folder.is_open()) ::fsync(folder.handle());
}

FolderLock::FolderLock(const std::filesystem::path& folder) : handle_(-1) {
  const std::filesystem::path here = folder.empty() ? "." : folder;
  std::error_code ignored;  // open says what is wrong
  std::filesystem::create_directories(here, ignored);
  handle_ = open_file(here, O_RDONLY | O_DIRECTORY);
  if (handle_ < 0) fail("io.write", here, reason(errno));
  while (::flock(handle_, LOCK_EX) != 0) {
    if (errno != EINTR) break;  // a file system without locks: as before there were any
  }
}

FolderLock::~FolderLock() { ::close(handle_); }

std::vector<std::filesystem::path> walk(const std::vector<std::filesystem::path>& paths, const std::string& extension) {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) fail("io.read", path, error ? error.message() : "no such file or folder");
    if (!fs::is_directory(status)) {
      found.push_back(path.lexically_normal());
      continue;
    }
    fs::recursive_directory_iterator at(path, error);
    while (!error && at != fs::recursive_directory_iterator()) {
      const bool hidden = at->path().filename().string().front() == '.';
      if (hidden) at.disable_recursion_pending();
      std::error_code gone;  // a file removed during the walk is no file
      if (!hidden && at->path().extension() == extension && at->is_regular_file(gone)) found.push_back(at->path().lexically_normal());
      at.increment(error);
    }
    if (error) fail("io.read", path, error.message());
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return a.generic_string() < b.generic_string(); });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace foldproof::record
