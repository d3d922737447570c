#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_archive.sh NINJA BUILD: who builds the command alone gets the archive that it links libraries with.
needs_archive()
{
    "$1" -C "$2" -t inputs "$3" | grep -q '^libcolltune-core.a$'
}
needs_archive "$1" "$2" cli/colltune || { echo 'FAILED: the command does not need the archive'; exit 1; }
needs_archive "$1" "$2" tests/cli/test_map_picture && { echo 'FAILED: a test needs it, too'; exit 1; }
exit 0
