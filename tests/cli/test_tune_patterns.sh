#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_tune_patterns.sh COLLTUNE MPI: a neighborhood collective is tuned for two patterns from end to end, and
# a library that decides by the pattern is validated. MPI is smpi, or a compiler: then no times are compared.
set -uo pipefail
colltune=$(realpath "$1")
mpi=$2
case $mpi in
*openmpi*)
    if [ "$(id -u)" -eq 0 ] && [ -z "${OMPI_ALLOW_RUN_AS_ROOT_CONFIRM:-}" ]; then
        echo 'Open MPI does not run as root, unless OMPI_ALLOW_RUN_AS_ROOT and _CONFIRM say so: skipped'
        exit 77
    fi ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}
ring=moore:d=1,r=1 dense=random:density=1 ranks=4
where=(--cc "$mpi" --budget 16s)
build=(--cc "$mpi")
place=()
if [ "$mpi" = smpi ]; then
    ranks=16
    where=(--simulate ethernet100)
    place=("${where[@]}")
    build=(--mpi smpi)
fi
tune=(tune -o tuned -c neighbor_alltoall --pattern "$ring $dense" --comm-sizes "$ranks" '--msg-sizes=8,1K'
    '--methods=linear,grid' "${where[@]}")

timeout 300 "$colltune" "${tune[@]}" >told 2>steps || complain "tuning: $(cat steps tuned/tune.log)"
header=collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,speed_up_low,speed_up_high,mode
[ "$(head -n 1 tuned/validation.csv)" = $header,pattern ] || complain "columns: $(cat tuned/validation.csv)"
for pattern in "$ring" "$dense"; do
    [ "$(grep -c "^neighbor_alltoall,$ranks,.*,\"$pattern\"\$" tuned/validation.csv)" -eq 2 ] ||
        complain "points of $pattern: $(cat tuned/validation.csv)"
    grep -q "<td class=\"t\">neighbor_alltoall, $pattern</td>" tuned/report/index.html ||
        complain "$pattern is not in the report"
done
grep -q 'results are right; every call was tuned and sent exactly the messages of its plan' tuned/tune.log ||
    complain "what validation says: $(tail -n 20 tuned/tune.log)"
grep -q '^Measured: 4 of 4 cells (100 %)\.$' told || complain "at the end: $(cat told)"

if [ "$mpi" = smpi ]; then
    # Once the ranks have settled on the messages themselves, they no longer agree before each call.
    [ "$(grep -c '"linear",\([^,]*\),\1,1,1,.*moore' tuned/validation.csv)" -eq 2 ] ||
        complain "agreements take time: $(cat tuned/validation.csv)"

    # A choice that is slower than the messages themselves is measured again, with its pattern.
    sed -E '/^neighbor_alltoall,16,8,.*random/s/"(,[^,]*){4},/",2,1,0.5,0.5,/' tuned/validation.csv >slow.csv
    cp -r tuned/run again
    "$colltune" measure -o again --resume --again slow.csv 2>said || complain "--again: $(cat said)"
    grep -q '^1,neighbor_alltoall,linear,.*,16,0,8,byte,,0,1,ok.*random' again/samples.csv ||
        complain "what validation found is not in the run: $(grep ^1 again/samples.csv)"
    [ "$(grep '^2,.*,commit,' again/samples.csv | grep -c random)" -eq 1 ] ||
        complain "measured again: $(grep ^2 again/samples.csv)"
    grep '^[12],' again/samples.csv | grep moore | grep -q '^2' &&
        complain "another pattern is measured again: $(grep ^2 again/samples.csv)"
fi

# A library that decides by the pattern, whatever was learned from the times.
by_degree='<split feature="degree" at-most="2"><leaf method="linear"/><leaf method="grid"/></split>'
sed -E "/^ *<\/?(split|leaf)[ >]/d; s|^ *</tree>|$by_degree&|" tuned/table.xml >divided.xml
"$colltune" build divided.xml -o divided "${build[@]}" 2>said || complain "build: $(cat said)"
"$colltune" validate divided --pattern "$ring $dense" --comm-sizes $ranks --msg-sizes 8 --seconds 0.01s \
    -o divided.csv "${place[@]}" >told 2>said || complain "by pattern: $(cat said)"
for choice in linear.*moore grid.*random; do
    grep -q "^neighbor_alltoall,$ranks,8,\"$choice" divided.csv ||
        complain "decisions by pattern, $choice: $(cat divided.csv)"
done

# What is validated after an earlier validation are its patterns.
"$colltune" validate tuned/library --again tuned/validation.csv -o again.csv "${place[@]}" >told 2>said ||
    complain "--again: $(cat said)"
points() {
    cut -d, -f1-3,10- "$1" | sort
}
[ "$(points again.csv)" = "$(points tuned/validation.csv)" ] || complain "--again: $(cat again.csv)"

# refuse EXPECTED OPTION...: validate says that.
refuse() {
    expected=$1
    shift
    "$colltune" validate tuned/library "${place[@]}" "$@" >told 2>said && complain "$*: accepted"
    grep -qF -e "$expected" said || complain "$*: $(cat said)"
}
refuse 'neighbor_alltoall needs a pattern; expected --pattern' -c neighbor_alltoall
refuse '--pattern: none of the collectives has a pattern' -c bcast --pattern $ring
refuse "unknown pattern 'ring'" -c neighbor_alltoall --pattern ring --comm-sizes 4
refuse 'among 4 ranks' -c neighbor_alltoall --pattern 'edges:0>5' --comm-sizes 4
refuse '--pattern: cannot be combined with --again' --again tuned/validation.csv --pattern $ring
exit $failed
