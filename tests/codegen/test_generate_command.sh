#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_generate_command.sh COLLTUNE TABLE.xml: what `colltune generate` writes, says and refuses.
set -euo pipefail

colltune=$1 table=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "test_generate_command.sh: $*" >&2
    exit 1
}

# refuses CODE WORDS ARGUMENT...: exits so, says that, writes nothing.
refuses() {
    local code=0 expected=$1 words=$2
    shift 2
    "$colltune" generate "$table" -o "$work/refused" "$@" >"$work/out" 2>"$work/error" || code=$?
    [ "$code" = "$expected" ] || fail "$*: exit code $code, expected $expected"
    grep -q -- "$words" "$work/error" || fail "$*: says '$(cat "$work/error")', expected '$words'"
    [ ! -s "$work/out" ] && [ ! -e "$work/refused" ] || fail "$*: has written something"
}

# Selections in which MPICH decides nothing.
{
    echo '{'
    for name in barrier bcast scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv \
        alltoallw reduce reduce_scatter_block reduce_scatter allreduce scan; do
        echo "  \"collective=$name\": {\"algorithm=MPIR_own_$name\": {}},"
    done
    echo '  "collective=exscan": {"algorithm=MPIR_own_exscan": {}}'
    echo '}'
} >"$work/base.json"

for format in c c-source table text ompi ompi-json mpich mpich-cvar intel; do
    base=()
    [ "$format" != mpich ] || base=(--base "$work/base.json")
    "$colltune" generate "$table" --format "$format" -o "$work/$format" "${base[@]}" \
        2>"$work/$format.notes" ||
        fail "$format: $(cat "$work/$format.notes")"
    [ -s "$work/$format" ] || fail "$format: wrote nothing"
    if "$colltune" generate "$table" --format "$format" -o "$work/$format" "${base[@]}" 2>/dev/null; then
        fail "$format: overwrote a file"
    fi
    grep -q "^  $format " <<<"$("$colltune" generate --help)" || fail "--help does not name $format"
done

# What is left out is said beside the file and in it, where it may have comments.
for format in c c-source table text; do
    [ ! -s "$work/$format.notes" ] ||
        fail "$format: leaves nothing out, but says '$(cat "$work/$format.notes")'"
done
for format in ompi ompi-json mpich-cvar intel; do
    [ -s "$work/$format.notes" ] || fail "$format: said nothing of what it leaves out"
    while IFS= read -r line; do
        grep -qF "$line" "$work/$format" || fail "$format: '$line' is not in the file"
    done < <(grep -v 'colltune generate: ' "$work/$format.notes") # a hint is for the terminal alone
done
grep -q 'MPIR_own_scan' "$work/mpich" || fail 'mpich: the base is not there'
sh -c ". '$work/intel' && . '$work/mpich-cvar'" || fail 'the shell does not take the settings'

# MPICH reads past the end of a file that fills its last page: padded to fill it, it has a byte more.
pad=$(((4096 - $(wc -c <"$work/mpich") % 4096) % 4096))
sed "s/MPIR_own_scan/MPIR_own_scan$(printf "%${pad}s" '' | tr ' ' x)/" "$work/base.json" >"$work/padded.json"
"$colltune" generate "$table" --format mpich --base "$work/padded.json" -o "$work/page" 2>/dev/null
[ $(($(wc -c <"$work/page") % 4096)) = 1 ] || fail "mpich: a file of $(wc -c <"$work/page") bytes"

# An operation that commutes need not be asked for.
"$colltune" generate "$table" --format ompi --commutative-only -o "$work/commuting" 2>"$work/commuting.notes"
[ "$(wc -l <"$work/commuting.notes")" -lt "$(wc -l <"$work/ompi.notes")" ] ||
    fail '--commutative-only: leaves out as much'

echo '{"collective=bcast": {"algorithm=MPIR_own": {}}}' >"$work/part.json"
printf '\177ELF and nothing else' >"$work/lib.so"
refuses 2 "--format 'cobol': expected c, " --format cobol
refuses 2 '--collective: only --format model-c' --format c --collective bcast
refuses 2 '--cost-model: only --format model-c' --format c --cost-model loggp
refuses 2 '--vote: only --format model-c' --format c --vote loggp
refuses 2 '--vote: cannot be combined with --cost-model' \
    --format model-c -c bcast --vote loggp --cost-model plogp
refuses 2 "unknown model 'logp'" --format model-c -c bcast --vote hockney=1,logp=2
refuses 2 '--base: only --format mpich' --format ompi --base "$work/base.json"
refuses 2 'is missing' --format mpich --base "$work/part.json"
refuses 2 'byte' --format mpich --base "$table"
refuses 2 'no selections in this library' --format mpich --base "$work/lib.so"
refuses 1 'nowhere' --format mpich --base "$work/nowhere"
