"""Every public name of the C++ library has its Python name, or a reason why not."""

import functools
import json
import os
import unittest

import alembert

NAMES = json.loads(open(os.environ["ALEMBERT_NAMES"], encoding="utf-8").read())


def resolve(path):
    return functools.reduce(getattr, path.split(".")[1:], alembert)


class Names(unittest.TestCase):
    def test_every_bound_name_is_there(self):
        missing = [f"{cpp} -> {python}" for cpp, python in NAMES["bound"].items() if not self.is_there(python)]
        self.assertEqual(missing, [])
        self.assertGreater(len(NAMES["bound"]), 2000)

    @staticmethod
    def is_there(path):
        try:
            resolve(path)
        except AttributeError:
            return False
        return True

    def test_the_main_tasks_are_not_left_out(self):
        for name in ("identify_linear", "output_error", "fit_equations", "identify_acceleration", "subspace"):
            self.assertIn(f"alembert::identify::{name}", NAMES["bound"])
        self.assertIn("alembert::estimate::observe", NAMES["bound"])

    def test_what_is_left_out_has_a_reason(self):
        for name, reason in NAMES["left_out"].items():
            self.assertGreater(len(reason.split()), 2, name)

    def test_functions_have_the_text_of_their_comment(self):
        without = [
            python for cpp, python in NAMES["bound"].items()
            if cpp.startswith("alembert::identify::") and cpp.count("::") == 2
            and callable(resolve(python)) and not isinstance(resolve(python), type) and not resolve(python).__doc__
        ]
        # Overloads and short helpers whose comment stands at another declaration.
        self.assertLess(len(without), 25, without)


if __name__ == "__main__":
    unittest.main()
