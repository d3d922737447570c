#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_calls.sh COLLTUNE EVERY_METHOD CALLS MPI MPIEXEC PREFIX [BROKEN_LIBRARY]: runs the program `calls`,
# compiled for that MPI, natively; with the tuned library below PREFIX preloaded, which decides among all
# methods; and with every method forced.
# By what the library counts, the calls took the methods that they should. With MPICH also on several nodes
# that it is made to see on this one. BROKEN_LIBRARY and a library that is switched off must be noticed.
set -euo pipefail

colltune=$1 every_method=$2 program=$3 mpi=$4 mpiexec=$5 prefix=$6 broken=${7:-}
seconds=300 # limit of a run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=../launch.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../launch.sh"

failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# run RANKS ARGUMENTS NAME=VALUE...: what `calls` prints, in $work/output; is all right?
run() {
    local ranks=$1 arguments=$2
    shift 2
    # shellcheck disable=SC2086
    timeout -k 5 "$seconds" "${launch[@]}" -n "$ranks" env "$@" "$program" $arguments \
        >"$work/output" 2>"$work/errors" </dev/null &&
        grep -q 'all right$' "$work/output" && ! grep -q '^colltune: .* ignored' "$work/errors"
}

# expect WHAT RANKS ARGUMENTS NAME=VALUE...: such a run, or what went wrong.
expect() {
    local what=$1
    shift
    if run "$@"; then
        echo "ok: $what on $1 ranks, $(tail -n 1 "$work/output")"
    else
        fail "$what on $1 ranks: $(cat "$work/output" "$work/errors" | grep -v '^used ' | head -n 5)"
    fi
}

# used METHOD: was it, with messages sent? A call that is passed on sends none.
used() {
    awk -v method="$1" '$1 == "used" && $2 == method && $4 > 0 { found = 1 } END { exit !found }' \
        "$work/output"
}

# Methods of each collective; the last is native.
declare -A methods=() on_nodes=()
most=0 most_on_nodes=0
while read -r collective method needs; do
    case $method,$needs in
    native,*) ;;
    *,nodes) on_nodes[$collective]+="$method " ;;
    *) methods[$collective]+="$method " ;;
    esac
    [ "$(wc -w <<<"${methods[$collective]:-}")" -le "$most" ] || most=$(wc -w <<<"${methods[$collective]}")
    [ "$(wc -w <<<"${on_nodes[$collective]:-}")" -le "$most_on_nodes" ] ||
        most_on_nodes=$(wc -w <<<"${on_nodes[$collective]}")
done < <("$every_method" list)
mapfile -t collectives < <("$every_method" list | cut -d ' ' -f 1 | uniq)
[ "$most" -gt 1 ] || fail "there are no methods to try: $("$every_method" list)"

"$every_method" table >"$work/table.xml"
"$colltune" generate "$work/table.xml" --format table -o "$work/table"
preload=LD_PRELOAD=$prefix/lib/libcolltuned.so

# check_decided: of each collective several methods, where there are, in the runs so far ($work/decided).
check_decided() {
    local collective count least good=0
    for collective in "${collectives[@]}"; do
        least=$(wc -w <<<"${methods[$collective]:-}")
        least=$((least > 3 ? 3 : least))
        count=$(grep -cE "^used $collective/.* [1-9][0-9]*\$" "$work/decided" || true)
        [ "$count" -ge "$least" ] && continue
        echo "$collective: $count methods were used, expected $least"
        good=1
    done
    return $good
}

for ranks in 1 2 3 4; do
    expect 'native' "$ranks" 6
    ! grep -q '^used ' "$work/output" || fail 'a tuned library is there that should not'
done
for ranks in 2 3 4; do
    expect 'preloaded' "$ranks" '24 tuned' "$preload"
    grep '^used ' "$work/output" >>"$work/decided" || true
done
sort -u -k 2,2 -o "$work/decided" "$work/decided"
check_decided || fail 'decisions'

# Some methods and some native.
expect 'by a table' 4 6 "$preload" "COLLTUNE_TABLE=$work/table"
for method in bcast/linear bcast/native; do
    grep -q "^used $method[: ]" "$work/output" || fail "by a table: $method was not used"
done

# Switched off: everything native, and noticed.
expect 'switched off' 2 6 "$preload" COLLTUNE_DISABLE=1
grep '^used ' "$work/output" >"$work/decided" || fail 'the library does not count'
! check_decided >/dev/null || fail 'a library that is switched off passes'

# force INDEX NAME: sets $forced to the index-th method of each collective, in turn where it has fewer.
force() {
    local collective list
    declare -n from=$2
    forced=()
    for collective in "${collectives[@]}"; do
        read -r -a list <<<"${from[$collective]:-}"
        [ ${#list[@]} -eq 0 ] || forced+=("$collective=${list[$1 % ${#list[@]}]}")
    done
}

# try_forced WHAT RANKS NAME=VALUE...: runs with the methods in $forced, and looks that all were used.
try_forced() {
    local what=$1 ranks=$2 each settings=()
    shift 2
    for each in "${forced[@]}"; do
        settings+=("COLLTUNE_$(tr '[:lower:]' '[:upper:]' <<<"${each%%=*}")=${each#*=}")
    done
    expect "$what" "$ranks" '3 tuned' "$preload" "${settings[@]}" "$@"
    for each in "${forced[@]}"; do
        used "${each%%=*}/${each#*=}" || fail "$what on $ranks ranks: ${each%%=*}/${each#*=} was not used"
    done
}

for ((i = 0; i < most; i++)); do
    force "$i" methods
    echo "forced: ${forced[*]}"
    # On 2 ranks non-blocking and persistent calls are tuned, too: with more ranks than CPUs the private
    # communicators that they need take long to make.
    try_forced 'forced, all forms' 2 COLLTUNE_NONBLOCKING=1
    for ranks in 3 4; do
        try_forced 'forced' "$ranks"
    done
done

forced=()
for collective in "${collectives[@]}"; do
    forced+=("COLLTUNE_$(tr '[:lower:]' '[:upper:]' <<<"$collective")=native")
done
expect 'forced native' 3 6 "$preload" "${forced[@]}"
! grep '^used ' "$work/output" | grep -v '/native ' || fail 'methods are used with all forced to native'

if [ "$mpi" = mpich ]; then
    for ((i = 0; i < most_on_nodes; i++)); do
        force "$i" on_nodes
        echo "forced on several nodes: ${forced[*]}"
        try_forced 'forced on 2 nodes' 4 MPIR_CVAR_NUM_CLIQUES=2
        try_forced 'forced on 3 nodes' 5 MPIR_CVAR_NUM_CLIQUES=3
    done
    if [ "$most_on_nodes" -gt 0 ]; then
        force 0 on_nodes
        expect 'forced, but on one node' 4 '3 tuned' "$preload" \
            "COLLTUNE_$(tr '[:lower:]' '[:upper:]' <<<"${forced[0]%%=*}")=${forced[0]#*=}"
        ! used "${forced[0]/=/\/}" || fail "${forced[0]} is used on one node"
    fi
fi

if [ -n "$broken" ]; then
    expect 'a sound library' 2 6 "LD_PRELOAD=$broken"
    # Only the int forms are broken: ranks that call another form than the others may wait for ever.
    seconds=15
    for how in last order; do
        ! run 4 6 "LD_PRELOAD=$broken" "BROKEN=$how" || fail "a library that is broken ($how) passes"
    done
fi

[ "$failures" -eq 0 ]
