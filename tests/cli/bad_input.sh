#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What test_bad_input.sh and test_wrong_values.sh work with, which set `colltune` and `top`: a folder of its
# own with one whole file of each kind that commands read, ways to spoil them, and `refuses`.
# shellcheck disable=SC2034,SC2154 # the others use what is set here
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 checked=0 states=absent

complain() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

# A file that a command leaves is seen, whatever its name, and none is no name.
shopt -s dotglob nullglob

# refuses CODES WORDS COMMAND...: in an empty folder, where it may write to `out`, colltune ends by one of
# these codes, with one line that has the words, in reasonable time and without a file; nor is one lost that
# was there. This is done hundreds of times: besides colltune no program is started that can be done without.
refuses() {
    local codes=$1 words=$2 code line newlines parts left content
    shift 2
    checked=$((checked + 1))
    for state in $states; do
        [ -d room ] || mkdir room
        [ "$state" = absent ] || echo mine >room/out
        code=0
        (cd room && exec timeout 60 "$colltune" "$@" >../printed 2>../said) || code=$?
        mapfile -d '' -t parts <said # without null bytes
        printf -v line '%s' "${parts[@]}"
        newlines=${line//[!$'\n']/}
        line=${line%$'\n'}
        [[ $codes == *$code* ]] || complain "colltune $*: ended with $code, expected $codes; it said: $line"
        [ ${#newlines} -eq 1 ] || complain "colltune $*: expected one line, it said: ${line:0:1000}"
        [[ $line == "colltune $1: "*$words* || $state$line == present*'nothing was overwritten'* ||
            $state$line == present*'exists already'* ]] ||
            complain "colltune $*: expected '$words', it said: ${line:0:1000}"
        [ ${#line} -le 1000 ] || complain "colltune $*: says ${#line} characters"
        left=(room/*)
        if [ "$state" = absent ]; then
            [ ${#left[@]} -eq 0 ] || complain "colltune $*: leaves ${left[*]}"
        else
            content=
            [ ! -f room/out ] || IFS= read -rd '' content <room/out || true
            [ "${left[*]}=$content" = $'room/out=mine\n' ] || complain "colltune $*: spoils a file"
        fi
        [ ${#left[@]} -eq 0 ] || rm -rf room
    done
}

# accepts WORDS COMMAND...: ends well and says the words.
accepts() {
    local words=$1 code=0
    shift
    checked=$((checked + 1))
    timeout 60 "$colltune" "$@" >printed 2>said || code=$?
    [[ $code -eq 0 && $(cat printed said) == *"$words"* ]] ||
        complain "colltune $*: ended with $code, expected '$words'; it said: $(head -c 1000 said)"
}

map='method=method,comm_size=ranks,msg_bytes=bytes,seconds=us*us'
import() { # FILE OPTION...: a table of times becomes a run
    "$colltune" import csv "$1" -c bcast --map "$map" --methods native=native,linear=linear,chain=chain \
        "${@:2}"
}

# --- one of each kind ---

awk 'BEGIN {
    print "method,ranks,bytes,us"
    for (ranks = 4; ranks <= 16; ranks *= 2)
        for (bytes = 64; bytes <= 65536; bytes *= 32)
            print "native," ranks "," bytes ",9\nlinear," ranks "," bytes "," (bytes < 1000 ? 1 : 4) \
                "\nchain," ranks "," bytes "," 2
}' >times.csv
import times.csv -o run 2>/dev/null || complain 'the run'
"$colltune" learn run -o table.xml 2>/dev/null || complain 'the table'
"$colltune" export-c45 run -o cases 2>/dev/null || complain 'the cases'
"$colltune" c45 -f cases -m 1 >report || complain 'the report'
cp "$top/models/systems/grig-tcp.xml" model.xml || complain 'the model'
{
    echo '{'
    for name in barrier bcast scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv \
        alltoallw reduce reduce_scatter_block reduce_scatter allreduce scan; do
        echo "  \"collective=$name\": {\"algorithm=MPIR_own_$name\": {}},"
    done
    echo '  "collective=exscan": {"algorithm=MPIR_own_exscan": {}}'
    echo '}'
} >base.json

# --- what is wrong with them ---

# spoil_samples NAME SED: the run with other samples; spoil_description likewise.
spoil_samples() {
    cp -r run "$1"
    sed -i "$2" "$1/samples.csv"
    ! cmp -s run/samples.csv "$1/samples.csv" || complain "$1 is not spoilt"
}
spoil_description() {
    cp -r run "$1"
    sed -i "$2" "$1/run.xml"
    ! cmp -s run/run.xml "$1/run.xml" || complain "$1 is not spoilt"
}
spoil() { # NAME FILE SED
    sed "$3" "$2" >"$1"
    ! cmp -s "$1" "$2" || complain "$1 is not spoilt"
}

# nested DEPTH: tests within tests.
nested() {
    awk -v n="$1" 'BEGIN {
        for (i = 0; i < n; i++)
            printf "<split feature=\"msg_bytes\" at-most=\"%d\">\n", n - i
        print "<leaf method=\"linear\"/>"
        for (i = 0; i < n; i++)
            print "<leaf method=\"chain\"/></split>"
    }'
}

# with_tree FILE: the table with the nodes on standard input as its tree.
with_tree() {
    {
        sed '/<\/penalty>\|<penalty of="native"/q' table.xml
        cat
        printf '  </tree>\n</decision-table>\n'
    } >"$1"
}

# with_type FILE SPOILT TYPE ENTITY: the XML file with a document type, one of whose entities it uses.
with_type() {
    { head -n 1 "$1"; echo "$3"; tail -n +2 "$1" | sed "s/version=\"[0-9]*\"/version=\"\&$4;\"/"; } >"$2"
}

external='<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
laughs='<!DOCTYPE x [<!ENTITY a0 "ha">'
for i in 1 2 3 4 5 6 7 8 9; do
    before=\&a$((i - 1))\;
    laughs+="<!ENTITY a$i \"$before$before$before$before$before$before$before$before$before$before\">"
done
laughs+=']>'
