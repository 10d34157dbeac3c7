"""`alembert reproduce slider-crank`, the quick form."""
import json
import unittest

from tool import ToolTest, folder_bytes, run


class SliderCrank(ToolTest):
    def test_claims_hold_and_do_not_depend_on_threads(self):
        for threads in (1, 2):
            out = self.folder / str(threads)
            process = run("reproduce", "slider-crank", "--quiet", "--threads", threads, "--out", out, timeout=250)
            self.assert_exit(process, 0)
        self.assertEqual(folder_bytes(self.folder / "1"), folder_bytes(self.folder / "2"))
        result = json.loads((self.folder / "1" / "result.json").read_text())
        self.assertEqual([c["name"] for c in result["claims"] if not c["ok"]], [])
        tables = {table["id"]: table for table in result["tables"]}
        # No search in the quick form.
        self.assertEqual(sorted(tables), ["acceleration-by-zone", "errors", "faults", "velocity-by-zone"])
        # Every observer has errors in each zone.
        self.assertEqual(tables["errors"]["rows"], tables["velocity-by-zone"]["rows"])
        for row in tables["velocity-by-zone"]["values"]:
            self.assertNotIn(None, row[0::2])


if __name__ == "__main__":
    unittest.main()
