"""Every way to stop has its exit code, and every exception of somebody else becomes a fault with a code of ours."""

import errno

import pytest

from nescio import errors
from nescio.surfaces.faults import exit_code, fault_of


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.UsageFault, 2),
        (errors.ConfigFault, 2),
        (errors.QuestionFault, 2),
        (errors.NotFoundFault, 2),
        (errors.IngestFault, 3),
        (errors.BusyFault, 4),
        (errors.StorageFault, 5),
        (errors.IndexFault, 5),
        (errors.InternalFault, 70),
        (errors.Fault, 70),
    ],
)
def test_the_branch_of_a_fault_decides_the_exit_code(kind: type[errors.Fault], code: int) -> None:
    assert exit_code(kind("some-code", "Something.")) == code


def test_a_fault_stands_for_itself() -> None:
    fault = errors.BusyFault("index-busy", "Another build is running.")
    assert fault_of(fault) is fault


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_names_the_path_and_the_free_space(number: int, tmp_path) -> None:
    fault = fault_of(OSError(number, "No space left on device", str(tmp_path / "segment")))
    assert isinstance(fault, errors.StorageFault)
    assert fault.code == "disk-full"
    assert "segment" in fault.message
    assert "bytes free" in fault.message
    assert fault.hint


def test_a_full_disk_without_a_path_is_still_said() -> None:
    assert fault_of(OSError(errno.ENOSPC, "No space left on device")).code == "disk-full"


def test_a_missing_permission_names_the_path() -> None:
    fault = fault_of(PermissionError(errno.EACCES, "Permission denied", "/srv/docs"))
    assert (fault.code, exit_code(fault)) == ("permission-denied", 5)
    assert "/srv/docs" in fault.message


def test_of_two_paths_the_one_that_was_written_is_named() -> None:
    fault = fault_of(OSError(errno.EXDEV, "Invalid cross-device link", "from", None, "to"))
    assert fault.code == "io-error"
    assert "to:" in fault.message


def test_any_other_failed_reading_or_writing_is_an_io_error() -> None:
    fault = fault_of(OSError(errno.EIO, "Input/output error", b"docs/a.md"))
    assert (fault.code, exit_code(fault)) == ("io-error", 5)
    assert "docs/a.md" in fault.message


def test_an_exception_that_nobody_expected_is_a_bug_of_ours() -> None:
    fault = fault_of(ValueError("out of cheese"))
    assert (fault.code, exit_code(fault)) == ("internal-error", 70)
    assert "ValueError: out of cheese" in fault.message
    assert "NESCIO_DEBUG" in fault.hint


def test_running_out_of_memory_says_so() -> None:
    assert "memory" in fault_of(MemoryError()).message
