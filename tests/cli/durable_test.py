"""What stands in a result folder is on the disk before the folder gets its name."""

import pathlib
import shutil
import subprocess
import unittest

from tool import TOOL, TWO_MASSES, ToolTest

# Loaded before the C library: writes down what is flushed and renamed, in order, then does it.
WATCH = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void note(const char *what, const char *path) {
  FILE *log = fopen(getenv("WATCH_LOG"), "a");
  fprintf(log, "%s %s\n", what, path);
  fclose(log);
}
int fsync(int descriptor) {
  char link[64], path[4096] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (readlink(link, path, sizeof path - 1) > 0) note("flush", path);
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(descriptor);
}
int rename(const char *from, const char *to) {
  note("rename", from);
  return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  note("rename", from);
  return ((int (*)(int, const char *, int, const char *, unsigned))dlsym(RTLD_NEXT, "renameat2"))(a, from, b, to, flags);
}
"""


@unittest.skipUnless(shutil.which("cc"), "needs a C compiler")
class Durable(ToolTest):
    def watched(self, study):
        """What was done for one run: [(what, path), ...]."""
        library, log = self.folder / "watch.so", self.folder / "log"
        log.unlink(missing_ok=True)
        source = self.write("watch.c", WATCH)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        environment = {"LD_PRELOAD": str(library), "WATCH_LOG": str(log), "PATH": "/usr/bin:/bin", "HOME": str(self.folder)}
        process = subprocess.run([TOOL, "run", study, "--quiet"], env=environment, capture_output=True, check=False)
        self.assertEqual((process.returncode, process.stderr), (0, b""))
        return [tuple(line.split(" ", 1)) for line in log.read_text().splitlines()]

    def test_all_is_flushed_before_the_rename_and_the_folder_after_it(self):
        study = self.write("two.toml", TWO_MASSES)
        out = pathlib.Path(self.folder / "two.out").resolve()
        for _ in ("the first result", "one in place of an earlier one"):
            steps = self.watched(study)
            part = next(path for what, path in steps if what == "rename" and pathlib.Path(path).name.startswith(".two.out.part-"))
            at = steps.index(("rename", part))
            name = pathlib.Path(part).name
            wanted = {out.parent / name / file.relative_to(out) for file in out.rglob("*")} | {out.parent / name}
            self.assertGreater(len(wanted), 3)
            before = {pathlib.Path(path) for what, path in steps[:at] if what == "flush"}
            self.assertEqual(wanted - before, set())
            self.assertIn(("flush", str(out.parent)), steps[at + 1 :])


if __name__ == "__main__":
    unittest.main()
