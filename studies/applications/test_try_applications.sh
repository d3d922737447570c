#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_try_applications.sh: what try_applications makes of a tuning, with stand-ins for colltune and for the
# programs. The stand-in of colltune runs the application once.
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}

mkdir bin
printf '#!/bin/sh\nshift 2\nexec "$@"\n' >bin/mpiexec.openmpi # without -n N
printf '#!/bin/sh\nexit 0\n' >bin/mpicc.openmpi
cat >bin/lmp <<'END'
#!/bin/sh
[ -f "$7" ] && echo Loop time of 1
END
cat >bin/hpcc <<'END'
#!/bin/sh
[ ! -e hpccoutf.txt ] && sed -n '11,12p;32p' hpccinf.txt >hpccoutf.txt
END
cat >bin/colltune <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    -o) folder=$2 ;;
    --application) application=$2 ;;
    --pairs) pairs=$2 ;;
    esac
    shift
done
mkdir -p "$folder"
[ -z "$BROKEN" ] || { echo 'colltune tune: broken' >&2; exit 1; }
printf '%s\n' rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting \
    '0,bcast,blocking,2,8,"native",1,8,1.5,0' '1,bcast,blocking,2,8,"chain:seg=1K,radix=2",1,8,0.5,0' \
    >"$folder/profile.csv"
echo '  pair     native s      tuned s  speed-up'
for pair in 1 2 3 4; do echo "     $pair     $((5 - pair)).000    2.000     1.000"; done
printf '1.250 times as fast as native: median of %s pairs, from 1.000 to 1.500' "$pairs"
[ "$pairs" -lt 6 ] || printf '; 95 %% confidence interval 1.100 to 1.400'
echo
sh -c "$application" >>"$FOUND" || exit 1
END
chmod +x bin/*
export PATH=$work/bin:$PATH FOUND=$work/found
printf 'text\n\n## Table\nold\n' >page.md

RANKS='2 4' PAGE=$work/page.md "$here/try_applications" bin/colltune folder >told 2>said ||
    complain "$(cat said)"
[ "$(sed -n '3,6p' told | cut -d'|' -f2-9 | tr -d ' ')" = \
    "LAMMPS|2|2.50|1.00|1.250|1.100to1.400|1.000to1.500|10
LAMMPS|4|2.50|0.50|1.250|1.100to1.400|1.000to1.500|10
HPCC|2|2.50|1.00|1.250|1.100to1.400|1.000to1.500|10
HPCC|4|2.50|0.50|1.250|1.100to1.400|1.000to1.500|10" ] || complain "the table is: $(cat told)"
[ "$(xargs <found)" = 'Loop time of 1 Loop time of 1 1 row 2 columns - 1 row 4 columns -' ] ||
    complain "the applications were: $(cat found)"
[ "$(wc -l <folder/HPCC-4/hpccinf.txt)" -eq 36 ] || complain "the input: $(cat folder/HPCC-4/hpccinf.txt)"
grep -q old page.md && complain "the page: $(cat page.md)"
sed '1,/^## Table$/d' page.md | sed 1d | cmp -s - told || complain "the page: $(cat page.md)"

# Few pairs have no interval; what went wrong is told.
RANKS=2 PAIRS=2 "$here/try_applications" bin/colltune folder >told 2>said || complain "$(cat said)"
[ "$(grep -c '| 1.250 | unknown | 1.000 to 1.500 | 2 |$' told)" -eq 2 ] || complain "two pairs: $(cat told)"
BROKEN=1 RANKS=2 "$here/try_applications" bin/colltune folder >told 2>said &&
    complain 'a broken tuning passes'
grep -q '^try_applications: LAMMPS on 2 ranks: colltune tune: broken' said || complain "it says: $(cat said)"
exit $failed
