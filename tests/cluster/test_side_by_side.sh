#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Jobs side by side, each on nodes of its own: test_side_by_side.sh COLLTUNE MPICC MPIEXEC.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
colltune=$(realpath "$1") mpicc=$2 mpiexec=$3
cluster_make 4

# A launcher that notes when each job begins and ends, and on which hosts.
cat >launcher <<SCRIPT
#!/bin/bash
while [ "\$1" != -f ]; do words+=("\$1"); shift; done
hosts=\$(paste -sd, "\$2")
echo "begin \$hosts" >>"$PWD/jobs"
trap 'echo "end \$hosts" >>"$PWD/jobs"' EXIT
trap 'exit 1' TERM
"$mpiexec" "\${words[@]}" "\$@"
SCRIPT
chmod +x launcher
sed 's/$/:2/' "$cluster/hosts" >hosts
sweep=(measure -c bcast,allreduce --methods native,binomial,recursive_doubling --msg-sizes 8,8K --launches 1
    --max-repetitions 3 --cc "$mpicc" --launcher "$PWD/launcher -f {hostfile} -ppn {ppn} -n {np} {cmd}")

must on n1 "$colltune" "${sweep[@]}" -o run --comm-sizes 2,3,4,8 --hostfile hosts --ppn 2 --side-by-side \
    --exhaustive
expect 'side by side [0-9]* methods took' log
expect 'sync="barrier"' run/run.xml
[ "$(grep ',commit$' run/samples.csv | cut -d, -f 1,4-6 | sort | uniq -c | tr -s ' ' | grep -v '^ [1-3] 2,' |
    tr '\n' ';')" = ' 4 0,1,2,2; 4 0,2,2,3; 4 0,2,2,4; 4 0,4,2,8;' ] ||
    fail "the cells: $(grep ',commit$' run/samples.csv)"

# No host has two jobs at a time, and some jobs run at the same time.
awk '{
    count = split($2, hosts, ",")
    for (i = 1; i <= count; i++) {
        busy[hosts[i]] += $1 == "begin" ? 1 : -1
        if (busy[hosts[i]] > 1) { print "two jobs on " hosts[i]; exit 1 }
    }
    jobs += $1 == "begin" ? 1 : -1
    most = jobs > most ? jobs : most
} END { if (most < 2) { print "at most " most + 0 " job at a time"; exit 1 } }' jobs >log ||
    fail "$(cat log): $(cat jobs)"
grep -q '^begin n1:2,n2:2,n3:2,n4:2$' jobs || fail "the largest job: $(cat jobs)"

# Hosts below one switch come first, wherever they stand in the file. Jobs of all hosts measure cells alone.
mv jobs all-jobs
printf 'SwitchName=s1 Nodes=n[1,3]\nSwitchName=s2 Nodes=n2,n4\nSwitchName=top Switches=s[1-2]\n' >switches
must on n1 "$colltune" "${sweep[@]}" -o near --comm-sizes 3,4 --hostfile hosts --ppn 2 --side-by-side \
    --switches switches --exhaustive
[ "$(sed -n 's/^begin //p' jobs | grep -v 'n1.*n2' | sort -u | tr '\n' ' ')" = 'n1:2,n3:2 n2:2,n4:2 ' ] ||
    fail "jobs below two switches: $(cat jobs)"

# What is there is resumed; a run that was begun otherwise is not.
must on n1 "$colltune" "${sweep[@]}" -o run --resume --side-by-side
must on n1 "$colltune" "${sweep[@]}" -o other --comm-sizes 2 --hostfile hosts --ppn 2 --exhaustive
on n1 "$colltune" "${sweep[@]}" -o other --resume --side-by-side >log 2>&1 && fail 'another start was resumed'
expect 'was begun with --sync auto' log

# --- bad input ---
# refused WORDS ARGUMENT...
refused()
{
    local words=$1
    shift
    on n1 "$colltune" measure -o refused --side-by-side "$@" >log 2>&1
    [ $? = 2 ] || fail "measure $*: expected the exit code 2"
    expect "$words" log
    [ ! -e refused ] || fail "measure $*: left a run"
}
refused 'expected --hostfile FILE and --ppn N, too' --ppn 2
refused 'expected --hostfile FILE and --ppn N, too' --hostfile hosts
refused 'whose jobs always run so' --simulate ethernet100
refused 'hold 8 ranks, 2 on each' --hostfile hosts --ppn 2 --comm-sizes 9
: >empty
refused 'empty: names no host; expected one in each line' --hostfile empty --ppn 2
cat hosts hosts >twice
refused 'has the host n1 twice' --hostfile twice --ppn 2
head -n 1 switches >one
refused 'one: the host n2 is below none of the switches' --hostfile hosts --ppn 2 --switches one
refused "hosts:1: 'n1:2': expected SwitchName=NAME" --hostfile hosts --ppn 2 --switches hosts
on n1 "$colltune" measure -o refused --hostfile hosts --ppn 2 --switches switches >log 2>&1
expect '--switches: expected --side-by-side, too' log
exit $failed
