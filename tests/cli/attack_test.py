"""The short form of tools/attack: what strangers and broken machines do, some seconds a group."""

import subprocess
import sys
import unittest

from tool import PROJECT, TOOL

# The groups that take some seconds; little memory takes longer.
GROUPS = ["studies", "injections", "disk", "folders", "descriptors", "threads", "pipes", "journals", "out folders", "kills"]


class Attack(unittest.TestCase):
    def test_finds_nothing(self):
        for group in GROUPS:
            with self.subTest(group=group):
                process = subprocess.run(
                    [sys.executable, PROJECT / "tools/attack", TOOL, "--short", "--only", group],
                    capture_output=True,
                    text=True,
                    timeout=200,
                    check=False,
                )
                self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
                self.assertRegex(process.stdout, rf"\| {group} \| [1-9]\d* \| 0 \| 0 \|")


if __name__ == "__main__":
    unittest.main(verbosity=2)
