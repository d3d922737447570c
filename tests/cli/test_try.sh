#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_try.sh COLLTUNE LIBRARY: `colltune try` with a library that only says that it is loaded, and
# applications that are scripts.
colltune=$(realpath "$1")
library=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$0")/../expect.sh"
cd "$folder" || exit 1
mkdir -p "tuned/lib"
cp "$library" tuned/lib/libcolltuned.so

cat >app <<'END'
#!/bin/sh
echo run >>runs
case $LD_PRELOAD in
*tuned*) side=tuned time=${TUNED_TIME:-2} ;;
*) side=native time=4 ;;
esac
echo "a line of both"
echo "the result is $([ "$CHANGED" ] && echo "$side" || echo 1)"
echo "process $$, took $time s"
[ "$side" != "$FAILS" ] || exit 3
END
chmod +x app

expect 0 'colltune: is loaded' try tuned --pairs 6 --time-after took -- ./app
[ "$(wc -l <runs)" -eq 14 ] || { echo "FAILED: expected 14 runs, two of them not counted" && failed=1; }
# LD_PRELOAD takes no blanks
cp -r tuned 'a blank'
expect 0 'colltune: is loaded' try 'a blank' --pairs 1 --time-after took -- ./app
cp -r tuned 'a:colon'
expect 2 'takes no path with a colon' try 'a:colon' -- ./app
expect 0 '2.000 times as fast as native: median of 6 pairs, from 2.000 to 2.000; 95 % confidence interval' \
    try tuned --pairs 6 --time-after took -- ./app
expect 0 'Output: the 2 lines that all native runs print are in all tuned runs' try tuned --pairs 2 -- ./app
TUNED_TIME=8 expect 0 '0.500 times as fast as native' try tuned --pairs 1 --time-after took -- ./app
CHANGED=yes expect 0 'of 2 lines that all native runs print, 1 is not in all tuned runs; the first:
  the result is native' try tuned --pairs 2 -- ./app
printf '#!/bin/sh\necho "one line"\n' >talks
printf '#!/bin/sh\n' >silent
chmod +x talks silent
expect 0 'Output: the line that all native runs print is in all tuned runs' try tuned --pairs 2 -- ./talks
expect 0 'Output: not compared, because native runs have no line in common' try tuned --pairs 2 -- ./silent
FAILS=tuned expect 1 "the tuned run of './app' ended with exit code 3" try tuned -- ./app
FAILS=native expect 1 "the native run of './app' ended with exit code 3" try tuned -- ./app
UNUSED=yes expect 1 "does not load the tuned library" try tuned -- ./app
expect 2 "--time-after 'Loop time': expected a positive number" try tuned --time-after 'Loop time' -- ./app
TUNED_TIME=-1 expect 2 "expected a positive number" try tuned --time-after 'took -' -- ./app
expect 2 'nowhere/lib/libcolltuned.so: does not exist' try nowhere -- ./app
expect 1 './missing: cannot be started' try tuned -- ./missing
expect 2 'an argument is missing' try tuned

# Progress on a terminal, from the first run on.
printf '#!/bin/sh\necho slow\nexec sleep 3\n' >slow
chmod +x slow
if command -v script >/dev/null; then
    script -qec "$colltune try tuned --pairs 1 -- ./slow" typescript </dev/null >/dev/null
    grep -q 'running .*0 runs done, 4 left  native' typescript &&
        grep -q 'running .*1 run done, 3 left, .* to go  tuned' typescript ||
        { echo "FAILED: no progress on the terminal" && failed=1; }
fi
[ $failed -eq 0 ]
