#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086 # lists of options are split on purpose
# Sweeps that go wrong: test_measure.sh COLLTUNE PROGRAM, both with the faulty methods among theirs.
colltune=$(realpath "$1")
program=$(realpath "$2")
# shellcheck source=waiting.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/waiting.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# rows RUN PATTERN: how many rows of the samples match
rows()
{
    grep -c -E "$2" "$1/samples.csv"
}

sweep="--program $program --launches 1 --collectives bcast --max-repetitions 50"

# --- what the compiler takes is not of the budget; this one compiles nothing, slowly, and links what is
# there. It sleeps while the rest is tested. ---
mpicc=$(command -v mpicc.mpich || command -v mpicc)
cat >slow_mpicc <<SCRIPT
#!/bin/sh
for word; do
    [ "\$before" != -o ] || made=\$word
    [ "\$before" != -c ] || echo "\$*: \$(head -n 1 "\$word")" >>"$folder/compiled"
    before=\$word
done
case "\$made:\$*" in
:*) exec "$mpicc" "\$@" ;;
*\ -c\ *) exec "$mpicc" -c -x c /dev/null -o "\$made" ;;
*) sleep 11 && cp "$program" "\$made" ;;
esac
SCRIPT
chmod +x slow_mpicc
XDG_CACHE_HOME=$folder/cache "$colltune" measure -o slow --cc "$folder/slow_mpicc" --budget 10s -c bcast \
    --methods linear --comm-sizes 2 --msg-sizes 8 --launches 1 --max-repetitions 5 2>slow.log &
compiling=$!

# --- a method that crashes, hangs or is wrong costs its cell ---
if ! "$colltune" measure -o faults $sweep --comm-sizes 2,3 --msg-sizes 8,64,1024 --timeout 5s \
    --methods linear,test_crash,test_hang,test_wrong 2>faults.log; then
    fail "the sweep with faults: $(cat faults.log)"
fi
[ "$(rows faults 'commit$')" = 6 ] || fail "6 cells were expected: $(rows faults 'commit$')"
[ "$(rows faults 'test_crash,.*,8,byte,,0,,crashed$')" = 2 ] || fail "test_crash crashes at 8 bytes"
[ "$(rows faults 'test_hang,.*,1024,byte,,0,,hung$')" = 2 ] || fail "test_hang hangs at 1024 bytes"
[ "$(rows faults 'test_wrong,.*,64,byte,,0,,wrong$')" = 2 ] || fail "test_wrong is wrong at 64 bytes"
[ "$(rows faults '(crashed|hung|wrong)$')" = 6 ] ||
    fail "nothing else fails: $(grep -E '(crashed|hung|wrong)$' faults/samples.csv)"
for cell in 2,0,8 2,0,64 2,0,1024 3,0,8 3,0,64 3,0,1024; do
    for method in native linear; do
        [ "$(rows faults "bcast,$method,1,[0-9]+,$cell,.*,ok\$")" -ge 1 ] ||
            fail "$method is measured at $cell"
    done
done
[ "$(rows faults 'test_crash,.*,(64|1024),byte,.*,ok$')" -ge 4 ] ||
    fail "test_crash is measured where it is good"
grep -q 'bcast/test_hang did not come back with 3 ranks and 1024 bytes' faults.log ||
    fail "the notice: $(cat faults.log)"
wait_until_gone || fail "stray processes after faults"

# --- whose fault it is does not depend on who gets the CPU when ---
if ! LATE_RANK=1 "$colltune" measure -o late $sweep --comm-sizes 3 --msg-sizes 8 --max-repetitions 1 \
    --methods test_crash,test_hang,test_wrong,linear 2>late.log; then
    fail "the sweep with a late rank: $(cat late.log)"
fi
[ "$(grep -E '(crashed|hung|wrong)$' late/samples.csv | cut -d, -f 3,13)" = test_crash,crashed ] ||
    fail "test_crash alone is to blame: $(cat late.log)"

# --- ways to start: which it was is in run.xml, also of a run that is gone on with ---
while read -r how time start; do
    LATE_START=1 "$colltune" measure -o "$how" $sweep --comm-sizes 2,3 --msg-sizes 8 --methods linear \
        --sync "$how" --max-repetitions 5 2>sync.log || fail "--sync $how: $(cat sync.log)"
    grep -q "<timing time=\"$time\" sync=\"$start\"" "$how/run.xml" ||
        fail "--sync $how: $(grep timing "$how/run.xml")"
    [ "$(rows "$how" 'linear,.*ok$')" -ge 2 ] || fail "--sync $how: samples of linear"
done <<WAYS
auto global barrier/dissemination
barrier local barrier/dissemination
common global barrier/dissemination
window global window
WAYS
# late RUN NAME: an attribute of the sweep, which is a whole number
late()
{
    sed -n "s/.*<sweep.* $2=\"\([0-9]*\)\".*/\1/p" "$1/run.xml"
}
if [ "$(late window late)" -lt 3 ] || [ "$(late window late-of)" -le "$(late window late)" ]; then
    fail "at least 3 of some more repetitions are late: $(grep '<sweep' window/run.xml)"
fi
[ "$(late barrier late)$(late barrier late-of)" = 00 ] || fail "none can be late after a barrier"
head -n 1 window/samples.csv >header.csv
cp header.csv window/samples.csv
"$colltune" measure -o window --resume --sync barrier 2>sync.log && fail "another start is taken on --resume"
grep -q "begun with sync 'window', not 'barrier'" sync.log || fail "the reason: $(cat sync.log)"
"$colltune" measure -o window --resume 2>sync.log || fail "resuming with windows: $(cat sync.log)"
[ "$(rows window 'commit$')" = 2 ] || fail "2 cells were expected"

# --- killed: at most the cell in flight is lost ---
long="$sweep --comm-sizes 2-4 --msg-sizes 8-4K*2 --methods linear"
"$colltune" measure -o killed $long --max-repetitions 300 --precision 0.01 --budget 1h --exhaustive \
    2>/dev/null &
child=$!
wait_for_cells $child killed 3 || fail "the sweep to be killed does not get on"
kill -9 $child
wait $child 2>/dev/null
wait_until_gone || fail "stray processes after kill -9"
before=$(rows killed 'commit$')
cp killed/samples.csv before.csv
"$colltune" measure -o killed --resume --comm-sizes 2-6 2>wrong.log &&
    fail "other sizes are taken on --resume"
grep -q 'other communicator sizes' wrong.log || fail "the reason: $(cat wrong.log)"
printf '0,bcast,lin' >>killed/samples.csv

# --- killed while a method hangs: ranks that nobody waits for any more end by themselves ---
"$colltune" measure -o orphaned $sweep --comm-sizes 3 --msg-sizes 1024 --methods test_hang --timeout 1h \
    2>/dev/null &
child=$!
wait_for_ranks $child 3 || fail "three ranks were expected"
kill -9 $child
wait $child 2>/dev/null
wait_until_gone || fail "stray processes of a method that hangs"

# --- Ctrl-C: nothing is left running, and the run goes on ---
"$colltune" measure -o killed --resume --budget 1h 2>stopped.log &
child=$!
wait_for_cells $child killed $((before + 3)) || fail "the resumed sweep does not get on"
kill -TERM $child
wait $child
code=$?
[ $code = 1 ] || fail "a stopped sweep exits with 1, not $code"
grep -q 'continue with --resume' stopped.log || fail "how to go on: $(cat stopped.log)"
grep -q 'dropped the' stopped.log || fail "the notice of the torn line: $(cat stopped.log)"
wait_until_gone || fail "stray processes after SIGTERM"
[ ! -e killed.job ] || fail "job files are left"
"$colltune" measure -o killed --resume --budget 1h 2>resumed.log || fail "resuming: $(cat resumed.log)"
[ "$(rows killed 'commit$')" = 30 ] || fail "30 cells were expected: $(rows killed 'commit$')"
[ "$(grep ',commit$' killed/samples.csv | sort -u | wc -l)" = 30 ] || fail "a cell was measured twice"
whole=$(grep -n ',commit$' before.csv | tail -1 | cut -d: -f1)
head -n "$whole" before.csv >kept.csv
head -n "$whole" killed/samples.csv | cmp -s - kept.csv || fail "what was committed has changed"

# --- racing: native and the best go on, the surely worse one does not; switched off, all do ---
race="$sweep --comm-sizes 2 --msg-sizes 16K --methods native,linear,pipeline:seg=1"
race="$race --max-repetitions 100 --precision 0.0001"
for option in '' --no-racing; do
    rm -rf raced
    "$colltune" measure -o raced $race $option 2>raced.log || fail "racing: $(cat raced.log)"
    native=$(rows raced 'bcast,native,.*,ok$')
    slow=$(rows raced 'bcast,pipeline:seg=1,.*,ok$')
    if [ -z "$option" ]; then
        [ "$native" = 100 ] || fail "native has $native of 100 repetitions"
        [ "$slow" -lt 100 ] || fail "16K messages of a byte each were repeated $slow times"
        grep -q ' racing-margin="0.05"' raced/run.xml || fail "run.xml does not say that methods raced"
    else
        [ "$slow" = 100 ] || fail "without racing $slow of 100 repetitions"
        grep -q ' racing-margin="0"' raced/run.xml || fail "run.xml does not say that none raced"
    fi
done

# --- a budget too small for all cells makes a guided sweep; one that is gone ends it ---
wide="$sweep --comm-sizes 2-5 --msg-sizes 8-4K*2 --methods linear"
"$colltune" measure -o small $wide --budget 0.5s 2>small.log
grep -q 'some are chosen, as by --guided' small.log || fail "no guided sweep: $(cat small.log)"
"$colltune" measure -o tiny $wide --budget 0.000001s --exhaustive 2>tiny.log && fail "measured in no time"
grep -q 'budget of 1e-06 s was used up before anything.* took .* s$' tiny.log ||
    fail "the reason: $(cat tiny.log)"
[ ! -e tiny ] || fail "a run of nothing"

# --- the slow compiler of the beginning ---
wait $compiling || fail "a slow compiler: $(cat slow.log)"
grep -q "getting ready, .* took .* s; the budget of 10 s begins now" slow.log || fail "$(cat slow.log)"
[ "$(cells_of slow)" = 1 ] || fail "a cell was expected: $(cat slow.log)"
grep -q ' -O1 .*: #include "library/interpose/' compiled ||
    fail "the wrappers are not compiled with -O1: $(cat compiled)"
grep -q ' -O2 .*: #include "library/mpi/' compiled ||
    fail "the executor is not compiled with -O2: $(cat compiled)"

# --- bad input ---
# refuse CODE PATTERN ARGUMENT...
refuse()
{
    code=$1
    pattern=$2
    shift 2
    "$colltune" measure "$@" >out.log 2>&1
    got=$?
    [ $got = "$code" ] || fail "exit $got instead of $code: measure $*"
    [ "$(wc -l <out.log)" = 1 ] || fail "one line was expected: measure $*: $(cat out.log)"
    grep -q -e "$pattern" out.log || fail "'$pattern' was expected: measure $*: $(cat out.log)"
    if [ -e bad ] || [ -e bad.job ]; then
        fail "something was made: measure $*"
    fi
    rm -rf bad bad.job
}
refuse 2 'exists already' -o killed
refuse 2 "unknown collective 'bcats'; did you mean 'bcast'?" -o bad --collectives bcats
refuse 2 "--methods: unknown algorithm 'binomal'" -o bad --collectives bcast --methods binomal
refuse 2 "--comm-sizes: '4-2' in the list '4-2'" -o bad --comm-sizes 4-2
refuse 2 "--msg-sizes: 'x' in the list '8,x'" -o bad --msg-sizes 8,x
refuse 2 '--prior: nowhere: does not exist' -o bad --guided --prior nowhere
refuse 2 'no parameter' -o bad --collectives bcast --methods binomial:sge=1K
refuse 2 'unknown platform' -o bad --simulate ethernet
refuse 2 'has 64 hosts' -o bad --simulate ethernet100 --comm-sizes 65
refuse 2 '' -o bad --comm-sizes 8-2
refuse 2 '' -o bad --msg-sizes ''
refuse 2 '--comm-sizes: 1: expected 2 to 1M' -o bad --comm-sizes 1,2
refuse 2 'expected --oversubscribe, too' -o bad $sweep --comm-sizes 2,64K
refuse 2 'without {cmd}' -o bad --launcher 'srun {np}'
refuse 2 'unknown MPI' -o bad --mpi mpcih
refuse 1 'no such compiler' -o bad --cc /nowhere/mpicc
refuse 1 'cannot be started' -o bad $sweep --comm-sizes 2 --launcher /nowhere/mpiexec
refuse 1 'did not start' -o bad $sweep --comm-sizes 2 --launcher false
# a full disk is no method's fault
cat >full <<END
#!/bin/sh
sed 's|^results .*|results /dev/full|' "\$2" >"\$2.\$\$" && exec "\$1" "\$2.\$\$"
END
chmod +x full
refuse 1 'cannot be written: No space left on device' -o bad $sweep --comm-sizes 2 \
    --launcher 'mpiexec.mpich -n {np} ./full {cmd}'
refuse 1 'gave 1 rank where 2' -o bad $sweep --comm-sizes 2 --launcher 'sh -c "{cmd} # {np}"'
refuse 2 'whole number' -o bad --launches 0
refuse 2 'above 0, at most 99.9' -o bad --precision 200
refuse 2 '--output is missing'
refuse 2 'bad: does not exist: expected a folder with run.xml' -o bad --resume
mkdir no-run
refuse 2 'no-run: exists already and is not a run; expected a new folder' -o no-run
refuse 2 '--prior: no-run: not a run: expected a folder with run.xml' -o bad --guided --prior no-run
refuse 2 "--collectives: empty item in the list 'bcast,'" -o bad -c bcast,

exit $failed
