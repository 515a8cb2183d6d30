"""The counts of the comparisons at the end of the run."""

import os

# Before any package is imported: no GPU is looked for, nothing is asked of a network.
os.environ.update(
    ACCELERATE_USE_CPU="1", HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="", TORCH_DEVICE_BACKEND_AUTOLOAD="0"
)


def pytest_terminal_summary(terminalreporter):
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    counts = {value for report in reports for name, value in report.user_properties if name == "counts"}
    if counts:
        terminalreporter.section("defaults, catalog against package")
        for line, _, _ in sorted(counts):
            terminalreporter.write_line(line)
        equal, options = sum(count[1] for count in counts), sum(count[2] for count in counts)
        terminalreporter.write_line(f"{len(counts)} tables, {options} options of their own, {equal} defaults equal")
