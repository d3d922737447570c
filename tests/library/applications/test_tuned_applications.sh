#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tuned_applications.sh COLLTUNE EVERY_METHOD OPTION...: builds a tuned library of every method and runs
# the applications with it; options are those of run_applications.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
colltune=${1:?expected the colltune program} every_method=${2:?expected the program every_method}
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$every_method" table >"$work/table.xml"
"$colltune" build "$work/table.xml" -o "$work/prefix"
"$here/run_applications" "$@" "$work/prefix"
