"""The same study and seed give the same bytes, whatever computes them."""

import unittest

from tool import TWO_MASSES, ToolTest, folder_bytes, run

CHANGES = [
    "--set", "simulate.experiments=5", "--set", "simulate.inputs.u2={ kind = \"prbs\" }",
    "--set", "simulate.sensors.a={ measures = \"acceleration\", at = \"q1\", sigma = 0.1 }",
]  # fmt: skip


class Deterministic(ToolTest):
    def result(self, name, *arguments, launcher=()):
        study = self.write("two.toml", TWO_MASSES)
        out = self.folder / name
        process = run("run", study, "--out", out, *CHANGES, *arguments, launcher=launcher)
        self.assert_exit(process, 0)
        return folder_bytes(out)

    def test_threads_do_not_change_a_byte(self):
        self.assertEqual(self.result("a", "--threads", 1), self.result("b", "--threads", 4))

    def test_another_seed_changes_the_records(self):
        one = self.result("a", "--seed", 1)
        two = self.result("b", "--seed", 2)
        self.assertNotEqual(one["record-01.csv"], two["record-01.csv"])

    def test_machines_do_not_change_a_byte(self):
        alone = self.result("a", "--threads", 2)
        for processes in ("2", "4"):
            launcher = ["mpirun", "--oversubscribe", "-n", processes]
            self.assertEqual(alone, self.result("b" + processes, "--threads", 1, launcher=launcher))

    def test_under_mpirun_one_process_speaks(self):
        study = self.write("two.toml", TWO_MASSES)
        launcher = ["mpirun", "--oversubscribe", "-n", "3"]
        process = run("run", study, launcher=launcher)
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout.count("Two masses"), 1)
        process = run("run", study, "--set", "simulate.step=-1", launcher=launcher)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(process.stderr.count("simulate.step must be"), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
