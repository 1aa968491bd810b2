"""The workflow that publishes the site."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "pages.yml"


def test_actions_are_pinned_and_only_publishing_may_write() -> None:
    text = WORKFLOW.read_text("utf-8")
    used = re.findall(r"uses: (\S+)@([0-9a-f]{40}) # v[0-9.]+\n", text)
    assert len(used) == text.count("uses:") == 4
    assert "\npermissions: {}\n" in text
    build, publish = text.split("\n  publish:\n")
    assert not re.search(r":\s*write\b", build)
    assert re.findall(r"(\S+): write\b", publish) == ["pages", "id-token"]
    assert "if: github.ref == 'refs/heads/main' && github.event_name != 'pull_request'" in publish


def test_it_builds_as_people_do() -> None:
    text = WORKFLOW.read_text("utf-8")
    assert "- run: make site\n" in text
    assert "path: build/site\n" in text


def test_zizmor_finds_nothing() -> None:
    zizmor = shutil.which("zizmor", path=Path(sys.executable).parent) or shutil.which("zizmor")
    if zizmor is None:
        pytest.skip("zizmor is in the extra 'peers'")
    subprocess.run([zizmor, "--offline", "--quiet", WORKFLOW], check=True)
