#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_quickstart.sh ROOT: quickstart and .ci/run among programs that only pretend: what they install, what
# they say and what their last line counts.
set -euo pipefail

root=${1:?expected the folder of the sources}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/tree/.ci"
cp "$root/quickstart" "$work/tree"
cp "$root/.ci/run" "$work/tree/.ci"
failures=0

# pretend NAME: a program, its text from standard input; calls are noted in $work/calls.
pretend() {
    { printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n' "$1" "$work" && cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

for program in base64 basename bash cat chmod cut dirname env grep mkdir mktemp nproc rm sed tail tee wc; do
    ln -sf "$(command -v "$program")" "$work/bin/$program"
done
# shellcheck disable=SC2016 # the text is a program's
pretend ninja <<<'for i in {1..20}; do echo "compiling $i"; done; [ ! -e "$PRETEND/broken_build" ]'
# A build has two fuzz targets, one of which is broken if $PRETEND/broken_fuzz exists, and a long test.
pretend meson <<'END'
case $1,$* in
setup,*)
    mkdir -p "$2/meson-logs" "$2/tests/fuzz" && echo >"$2/build.ninja"
    for name in a b; do
        printf '#!/bin/bash\necho Done\n[ %s = a ] || [ ! -e "$PRETEND/broken_fuzz" ]\n' "$name" \
            >"$2/tests/fuzz/fuzz_$name"
        chmod +x "$2/tests/fuzz/fuzz_$name"
    done ;;
*--list*) echo 'colltune:long / a long one' ;;
test,*) # it builds first
    [ ! -e "$PRETEND/broken_build" ] || exit 1
    log=testlog
    [[ ! $* =~ --logbase\ ([a-z]*) ]] || log=${BASH_REMATCH[1]}
    cat "$PRETEND/results" >"$3/meson-logs/$log.json"
    ! grep -q FAIL "$PRETEND/results" ;;
esac
END
pretend dpkg-query <<'END'
[[ ${!#} != @(gnuplot-nox|clang) ]] || [ -e "$PRETEND/installed" ] || exit 1
echo installed
END
# shellcheck disable=SC2016 # the same
pretend apt-cache <<<'[ -e "$PRETEND/updated" ]'
pretend apt-get <<'END'
case " $* " in
*" update "*) echo >"$PRETEND/updated" ;;
*" install "*) echo >"$PRETEND/installed" ;;
esac
END

# start USER: nothing is installed or built; who runs it.
start() {
    rm -rf "$work/calls" "$work/updated" "$work/installed" "$work/broken_"* "$work/tree/build"*
    pretend id <<<"echo $1"
    printf '{"name": "a", "result": "OK"}\n{"name": "b", "result": "OK"}\n' >"$work/results"
}

# expect WHAT STATUS LAST COMMAND...: its exit code and last line.
expect() {
    local what=$1 wanted=$2 last=$3 status=0
    shift 3
    env -i PATH="$work/bin" PRETEND="$work" HOME="$work" "$@" >"$work/output" 2>&1 || status=$?
    check "$what" [ "$status" -eq "$wanted" ]
    check "$what: last line" [ "$(tail -n 1 "$work/output")" = "$last" ]
}

check() {
    local what=$1
    shift
    if "$@"; then
        echo "ok: $what"
    else
        echo "FAILED: $what"
        sed 's/^/    /' "$work/output"
        failures=$((failures + 1))
    fi
}

called() {
    grep -q -- "$1" "$work/calls"
}

not() {
    ! "$@"
}

quickstart=$work/tree/quickstart
ci=$work/tree/.ci/run

start 0
expect 'root, a package missing' 0 '2 passed, 0 failed' "$quickstart" test
# The output is a file, in which all have one place: nothing is written over.
check 'what is built, and then tested, is said' [ "$(grep -cE '^compiling [0-9]+$|^quickstart: building$' \
    "$work/output")" = 21 ]
check 'only what is missing is installed' called 'apt-get.* install .*--no-install-recommends gnuplot-nox$'
check 'package lists are fetched where there are none' called 'apt-get.* update'
rm "$work/calls"
expect 'again' 0 '2 passed, 0 failed' "$quickstart" test
check 'nothing is installed twice' not called apt-get
check 'nothing is configured twice' not called 'meson setup'

start 1000
expect 'no root, no sudo' 1 '0 passed, 1 failed' "$quickstart" test
check 'names the line to run' grep -q 'apt-get install -y gnuplot-nox$' "$work/output"
check 'installs nothing' not called apt-get

start 1000
pretend sudo <<<'"$@"'
expect 'no root, sudo' 0 '2 passed, 0 failed' "$quickstart" test
check 'sudo is used' called 'sudo env DEBIAN_FRONTEND=noninteractive apt-get'
rm "$work/bin/sudo"

start 0
printf '{"result": "OK", "stdout": "\\"result\\": \\"FAIL\\""}\n' >"$work/results"
printf '{"result": "%s"}\n' FAIL TIMEOUT SKIP >>"$work/results"
expect 'tests that fail' 1 '1 passed, 2 failed' "$quickstart" test

start 0
: >"$work/results"
expect 'no tests at all' 1 '0 passed, 0 failed' "$quickstart" test

start 0
echo >"$work/broken_build"
expect 'a build that fails' 1 '0 passed, 1 failed' "$quickstart" test

start 0
echo >"$work/tree/build"
expect 'a tree that cannot be written' 1 \
    "quickstart: $work/tree/build cannot be written; copy the tree, or build elsewhere: \
meson setup FOLDER $work/tree" "$quickstart"
check 'nothing else is said' [ "$(wc -l <"$work/output")" -eq 1 ]
check 'nothing is installed' [ ! -e "$work/installed" ]
expect 'tests in a tree that cannot be written' 1 '0 passed, 1 failed' "$quickstart" test

start 0
mkdir -p "$work/tree/build/cli"
pretend colltune <<<'echo tuned'
mv "$work/bin/colltune" "$work/tree/build/cli"
expect 'tune' 0 tuned "$quickstart"
check 'the time is said' grep -q 'this takes some four minutes' "$work/output"
check 'two minutes' called 'colltune tune -o build/tuned/this-machine .*--budget 135s$'
expect 'tune longer' 0 tuned "$quickstart" --budget 20m
check 'the longer time is said' grep -q 'this measures for 20m, ' "$work/output"
check 'no other time is said' not grep -q 'four minutes' "$work/output"
check 'as long as is asked for' called 'colltune tune -o build/tuned/this-machine .*--budget 20m$'
mkdir -p "$work/tree/build/tuned/this-machine/report"
echo >"$work/tree/build/tuned/this-machine/report/index.html"
rm "$work/calls"
expect 'tune again' 0 tuned "$quickstart"
check 'what is complete is shown' not called 'colltune tune .*--budget'
expect 'tune again, longer' 0 tuned "$quickstart" --budget 20m
check 'more time is used' called 'colltune tune .*--budget 20m$'
last='test: the same set-up, then the tests. Ends with the line "N passed, N failed".'
expect 'a budget without time' 2 "$last" "$quickstart" --budget

start 0
expect 'wrong usage' 2 "$last" "$quickstart" tests

# Two tests each in the build, under clang, with threads, on several nodes, packages and in the long test; two
# fuzz targets.
start 0
expect 'CI adds up' 0 '14 passed, 0 failed' "$ci"
check 'CI makes warnings errors' called 'meson setup build -Dwerror=true'
check 'CI installs clang' called 'apt-get.* install .*gnuplot-nox clang$'
check 'CI builds with sanitizers' called 'meson setup build-clang -Dwerror=true .*address,undefined'
check 'CI builds fuzzers' called 'meson setup build-clang .*-Dfuzzing=true'
check 'CI builds for threads' called 'meson setup build-threads .*-Db_sanitize=thread'
check 'CI runs tests on several nodes' called 'meson test -C build .*--suite cluster'
check 'CI runs long tests' called 'meson test -C build .*--suite long a long one'
check 'CI always tests packages' called 'meson test -C build .*--suite packages'
check 'CI scores no models under sanitizers' called 'meson test -C build-clang .*--no-suite figures'

start 0
printf '{"result": "%s"}\n' FAIL OK >"$work/results"
expect 'CI with tests that fail' 1 '8 passed, 6 failed' "$ci"

start 0
echo >"$work/broken_fuzz"
expect 'CI with a fuzz target that fails' 1 '13 passed, 1 failed' "$ci"

start 0
echo >"$work/broken_build"
expect 'CI with a build that fails' 1 '2 passed, 6 failed' "$ci"

[ "$failures" -eq 0 ]
