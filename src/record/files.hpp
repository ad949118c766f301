// SPDX-License-Identifier: MIT
// Files as bytes: reading with a reason when it fails, writing that never leaves half a file, walking folders in order.
// What the bytes mean is decided elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace foldproof::record {

/// Largest file that is read into memory, in bytes.
inline constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;

/// Returns the bytes of a file.
/// Errors: `io.read` with the path and the system's reason; `io.too_large` beyond `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = largest_file);

/// Replaces the file at `path` by `bytes`, making the folders above it: a reader sees the old content or the new, also after a crash.
/// A symbolic link is followed, so that the file it names is replaced and not the link.
/// Errors: `io.write` with the path and the system's reason; the old content then stands.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);

/// From now on SIGINT and SIGTERM end the process at once, with that status, and without the half file that write_atomically is about to replace another by. For
/// commands that have nothing else to leave behind.
void leave_nothing_when_interrupted(int status);

/// Keeps other runs out of a folder while one file in it is read, changed and written. Waits for its turn; ends with the object, or the
/// process. Makes the folder when there is none. Errors: `io.write`.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int handle_;
};

/// Lists the files of that `extension` (".json") below each folder of `paths`, and the plain files of `paths` whatever their extension;
/// sorted by name, each once. Names that start with a dot are passed over, links to folders are not followed.
/// Errors: `io.read` for a path that does not exist or a folder that cannot be read.
std::vector<std::filesystem::path> walk(const std::vector<std::filesystem::path>& paths, const std::string& extension);

}  // namespace foldproof::record
