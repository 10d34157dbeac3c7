"""`alembert reproduce slider-crank`, the quick form."""
import json
import unittest

from tool import ToolTest, run


class SliderCrank(ToolTest):
    def test_claims_hold(self):
        out = self.folder / "out"
        process = run("reproduce", "slider-crank", "--quiet", "--out", out, timeout=250)
        self.assert_exit(process, 0)
        result = json.loads((out / "result.json").read_text())
        self.assertEqual([c["name"] for c in result["claims"] if not c["ok"]], [])
        # The thesis prints no error of an observer; it says that sigma points are better near dead centres.
        self.assertEqual([c["name"] for c in result["claims"] if c["published"] is not None], [])
        differs = [c for c in result["claims"] if c["state"] == "differs"]
        self.assertEqual(
            [c["name"] for c in differs],
            [f"{what} near dead centres, simplex over EKF, input form" for what in ("velocity", "acceleration")],
        )
        for claim in differs:
            self.assertIn("MultibodyThesis", claim["source"])
            self.assertIn("exact derivatives", claim["reason"])
        tables = {table["id"]: table for table in result["tables"]}
        # No search in the quick form.
        self.assertEqual(sorted(tables), ["acceleration-by-zone", "errors", "faults", "velocity-by-zone"])
        # Every observer has errors in each zone.
        self.assertEqual(tables["errors"]["rows"], tables["velocity-by-zone"]["rows"])
        for row in tables["velocity-by-zone"]["values"]:
            self.assertNotIn(None, row[0::2])


if __name__ == "__main__":
    unittest.main(verbosity=2)
