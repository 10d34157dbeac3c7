"""Every public function of the library has a comment, of its own or above the group of declarations that it stands in."""

import pathlib
import re
import sys
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
sys.dont_write_bytecode = True
from webpages import cpp_reference  # noqa: E402


def paragraph_before(text, place):
    """What stands above a declaration without an empty line between."""
    return re.split(r"\n[ \t]*\n", text[:place])[-1]


class Documented(unittest.TestCase):
    def test_every_public_function_has_a_comment(self):
        seen, missing = 0, []
        for header, entries in cpp_reference.read().items():
            text = (PROJECT / "include" / header).read_text(encoding="utf-8")
            for entry in entries:
                if entry.kind != "function":
                    continue
                seen += 1
                if entry.comment.strip():
                    continue
                # The first declaration whose words these are; overloads stand one below the other.
                places = [found.start() for found in re.finditer(rf"\b{re.escape(entry.name)}\s*\(", text)]
                if not any("///" in paragraph_before(text, place) for place in places):
                    missing.append(f"{header}: {entry.name}")
        self.assertGreater(seen, 500)
        self.assertEqual(missing, [])

    def test_a_function_without_a_comment_is_seen(self):
        text = "/// Of a struct.\nstruct A {};\nint beside();\n\nint alone();\n"
        self.assertIn("///", paragraph_before(text, text.index("beside(")))
        self.assertNotIn("///", paragraph_before(text, text.index("alone(")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
