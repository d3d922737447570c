#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_commands.sh COLLTUNE TOP PAGE...: does every command that the pages print work? The commands of a page
# run in the order printed, in a fresh folder of its own, as they are printed. Only what takes long is made
# short: measurements get small sizes and budgets, and launchers of clusters give way to mpiexec. Files that a
# page expects of its reader are made here.
set -uo pipefail
colltune=$(realpath "$1") top=$(realpath "$2")
shift 2
mapfile -t pages < <(realpath -e "$@")
[ ${#pages[@]} -eq $# ] || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 commands=0
export TESTED_COLLTUNE=$colltune PATH=$work/bin:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# --- the programs that pages call ---

mkdir "$work/bin"
# The last of several values of an option counts.
cat >"$work/bin/colltune" <<'END'
#!/usr/bin/env bash
short=()
case " $* " in
*' measure '*' --resume '* | *' measure '*' --dry-run '*) ;;
*' measure '*' --from-profile '*) short=(--max-repetitions 2 --launches 1 --budget 10m) ;;
*' tune '*' --application '*) short=(--max-repetitions 2 --launches 1 --budget 10m --pairs 2) ;;
*' measure '*' --collectives '* | *' measure '*' -c '*)
    short=(--comm-sizes 2,4 --msg-sizes 8,1K --max-repetitions 2 --launches 1 --budget 10m)
    ;;
*' measure '*) short=(--comm-sizes 2 --collectives barrier --max-repetitions 2 --launches 1 --budget 10m) ;;
*' tune '*' --nodes '*)
    short=(--nodes 1 --ppn 2 --msg-sizes 8,1K --collectives bcast --max-repetitions 2 --launches 1)
    ;;
*' tune '*)
    short=(--comm-sizes 2 --msg-sizes 8,1K --collectives bcast --max-repetitions 2 --launches 1 --budget 10m)
    ;;
*' fit '*.csv' '-o* | *' fit '*.out' '* | *' fit osu_latency.txt '*) ;;
*' fit '*) short=(--seconds 0.002s --msg-sizes 0,1-64K*8) ;;
*' predict '*) short=(--comm-sizes 2,16 --msg-sizes 8,1M) ;;
*' validate '*) short=(--comm-sizes 2 --msg-sizes 8 --seconds 0.05s) ;;
*' verify '*) short=(--comm-sizes 1-9) ;;
esac
exec "$TESTED_COLLTUNE" "$@" "${short[@]}"
END
# The launchers of clusters, whose options for nodes have no meaning on one machine.
cat >"$work/bin/srun" <<'END'
#!/usr/bin/env bash
while [[ ${1:-} == -* ]]; do
    case $1 in
    -n) ranks=$2 && shift ;;
    --export=ALL,*) export "${1#--export=ALL,}" ;;
    -[Nr]) shift ;;
    esac
    shift
done
exec mpiexec.mpich -n "${ranks:-2}" "$@"
END
cp "$work/bin/srun" "$work/bin/jsrun"
cat >"$work/bin/scontrol" <<'END'
#!/bin/sh
case $2 in
hostnames) hostname ;;
topology) echo "SwitchName=s1 Nodes=$(hostname)" ;;
*) exit 1 ;;
esac
END
printf '#!/bin/sh\nexec mpiexec.mpich "$@"\n' >"$work/bin/mpiexec"
printf '#!/bin/sh\nexec colltune c45 "$@"\n' >"$work/bin/c4.5"
chmod +x "$work/bin"/*

# --- the files that readers have ---

# write_table SLOWER: a table of times, of a machine on which the best method depends on both sizes.
write_table() {
    awk -v "slower=$1" 'BEGIN {
        print "algorithm,cores,size,latency,iterations,collective,launch"
        for (l = 0; l < 2; l++)
            for (p = 2; p <= 16; p *= 2) {
                rounds = log(p) / log(2)
                for (m = 8; m <= 524288; m *= 16) {
                    row(0, 3 + (1 + m / 4e3) * rounds, "bcast")
                    row(1, (1 + m / 1e4) * (p - 1), "bcast")
                    row(2, (2 + m / 1e4) * (p - 1), "bcast")
                    row(6, (2 + m / 1e4) * rounds, "bcast")
                    row(0, 4 + (1 + m / 4e3) * rounds, "allreduce")
                    row(7, (2 + m / 1e4) * rounds, "allreduce")
                    row(8, 2 * (p - 1) + m / 5e3, "allreduce")
                }
                m = 0
                row(1, p - 1, "barrier")
            }
    }
    function row(method, time, collective) {
        print method "," p "," m "," time * (slower + l / 100) ",100," collective "," l
    }'
}

# write_run NAME SLOWER
write_run() {
    local columns='comm_size=cores,msg_bytes=size,seconds=latency*us,method=algorithm,collective=collective'
    write_table "$2" >"$1.csv"
    colltune import csv "$1.csv" -o "$1" --map "$columns,launch=launch" --methods \
        0=native,1=linear,2=pipeline,6=binomial,7=recursive_doubling,8=ring >/dev/null 2>&1
    rm "$1.csv"
}

write_osu() {
    printf '# OSU MPI %s Latency Test v5.9\n# Size       Avg Latency(us)\n' "$1"
    printf '%s                       %s\n' 8 2.5 64 2.75 1024 4.5
}

write_imb() {
    cat <<'END'
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#----------------------------------------------------------------
# Benchmarking Bcast
# #processes = 4
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            8         1000         1.40         1.60         1.50
         1024         1000         2.40         2.60         2.50
END
}

# Times of single messages, by NetPIPE, logp_mpi and OSU: a microsecond, and a nanosecond for each byte.
write_np() {
    awk 'BEGIN { for (m = 1; m <= 65536; m *= 2) {
        s = 1e-6 + m * 1e-9
        printf "%8d %f   %.10f\n", m, 8 * m / 1048576 / s, s
    } }'
}

write_logp() {
    printf '# LogP network performance data: x\n# Latency = 0.0000010\n'
    awk 'BEGIN { for (m = 1; m <= 65536; m *= 2)
        printf "1 %d 0.0000002 0 0 0.0000002 0 0 %.10f\n", m, 5e-7 + m * 1e-9 }'
}

write_latency() {
    printf '# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n'
    awk 'BEGIN { for (m = 1; m <= 65536; m *= 2) printf "%d %.2f\n", m, 1 + m / 1000 }'
}

# What the library writes in MPI_Finalize.
write_learned() {
    echo collective,method,nodes,ppn,comm_size,msg_bytes,seconds
    for size in 8 1024; do
        printf '%s\n' "bcast,native,1,2,2,$size,1.5e-06" "bcast,binomial,1,2,2,$size,1e-06"
    done
}

write_cases() {
    printf 'play, wait.\noutlook: sunny, rain.\ntemperature: continuous.\n' >"$1.names"
    for t in 64 65 68 69 70 71 72 75; do
        printf 'sunny, %s, play\nrain, %s, wait\n' $t $t
    done | tee "$1.test" >"$1.data"
}

write_app() {
    cat >app.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int number = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return number != 1;
}
END
    [ "$1" = app.c ] || "$2" app.c -o app
}

# A tuned library, which is built once.
write_library() {
    [ -e "$work/library" ] || colltune build --default -o "$work/library" 2>/dev/null
    mkdir -p "$(dirname "$1")"
    cp -r "$work/library" "$1"
}

# Makes the file that a word of a command names, if it is one that readers have.
write_file() {
    case $1 in
    my-run | sparse | monday | before) write_run "$1" 1 ;;
    another-run | tuesday) write_run "$1" 1.01 ;;
    after) write_run "$1" 1.001 ;;
    old.xml | new.xml)
        [ -e my-run ] || write_run my-run 1
        colltune learn my-run -o "$1" --learner penalty 2>/dev/null
        ;;
    my-table.xml)
        [ -e my-run ] || write_run my-run 1
        colltune learn my-run -o my-table.xml --learner penalty 2>/dev/null
        ;;
    model.xml) cp "$top/models/systems/grig-tcp.xml" model.xml ;;
    golf) write_cases golf ;;
    bcast_core.csv) write_table 1 | grep -v 'allreduce\|barrier' >"$1" ;;
    bcast-*.txt) write_osu Broadcast >"$1" ;;
    allreduce-*.txt) write_osu Allreduce >"$1" ;;
    usual.txt) write_imb >"$1" ;;
    forced.txt) write_imb | sed 's/1000 /2000 /' >"$1" ;;
    'results/*.txt')
        mkdir results
        write_osu Broadcast >results/bcast_native_8.txt
        write_osu Broadcast >results/bcast_binomial_8.txt
        ;;
    'core/*.csv' | 'node/*.csv')
        mkdir -p "${1%/*}"
        write_table ${#1} | grep -v 'allreduce\|barrier' >"${1%/*}/bcast-2024.csv"
        ;;
    job.out)
        for ranks in 8 16; do
            echo "Running with $ranks processes"
            write_osu Broadcast
        done >"$1"
        ;;
    page.md)
        for number in 1 6; do
            echo "## Algorithm $number: as measured"
            write_osu Broadcast
        done >"$1"
        ;;
    detail.out) printf '%s\n' '#Nnodes Message_size tuned linear binomial' '2 8 3 4 2' '4 8 5 6 4' >"$1" ;;
    wide.csv) printf '%s\n' size,np4,np8 8,2,3 1024,4,5 >"$1" ;;
    np.out) write_np >"$1" ;;
    logp.out) write_logp >"$1" ;;
    osu_latency.txt) write_latency >"$1" ;;
    learned.csv) write_learned >"$1" ;;
    hosts) hostname >"$1" ;;
    switches) echo "SwitchName=s1 Nodes=$(hostname)" >"$1" ;;
    build/cli/colltune)
        mkdir -p build/cli
        cp "$work/bin/colltune" build/cli
        ;;
    library | build/tuned/this-machine/library) write_library "$1" ;;
    LD_PRELOAD=library/* | *PWD/build/tuned/this-machine/library/*)
        local library=${1#LD_PRELOAD=}
        library=${library#\$PWD/}
        library=${library%/lib/*}
        [ -e "$library" ] || write_library "$library"
        ;;
    app.c) write_app app.c ;;
    ./app | ./app\') write_app app "$2" ;;
    esac
}

# --- the commands of a page ---

# Lines that begin with a program of ours, continued lines joined, remarks after two blanks cut off: "LINE
# COMMAND".
commands_of() {
    awk '/^    / && continued { sub(/^ +/, ""); line = line " " $0 }
        !continued &&
            /^    (build\/cli\/)?(colltune |c4\.5 |mpicc|mpiexec|srun |scontrol |LD_PRELOAD=|COLLTUNE_)/ {
            line = substr($0, 5); at = NR
        }
        line == "" { next }
        { continued = sub(/ *\\$/, "", line) }
        !continued { sub(/   *[^ ].*$/, "", line); print at, line; line = "" }' "$1"
}

# Forms are no commands: they have words for the reader to replace.
is_form() {
    [[ $1 == *...* || $1 =~ [\ =][A-Z]{3,}(\.xml)?[\ /]  || $1 =~ \ [A-Z]{3,}$ ]]
}

# Can this machine run it?
is_possible() {
    case $1 in
    *--simulate*) command -v smpirun >/dev/null ;;
    mpiexec.openmpi*) command -v mpicc.openmpi >/dev/null ;;
    esac
}

run_command() {
    local page=$1 line=$2 command=$3 compiler=mpicc.mpich word before=''
    [[ $command != *openmpi* ]] || { compiler=mpicc.openmpi && rm -f app; }
    for word in $command; do
        [ "$before" = -o ] || [ -e "$word" ] || write_file "$word" $compiler
        before=$word
    done
    # the loader goes on without a library that it does not find
    if ! (eval "$command") >"$work/output" 2>&1 </dev/null ||
        grep -q 'cannot be preloaded' "$work/output"; then
        echo "FAILED: $page:$line: $command"
        cat "$work/output"
        failures=$((failures + 1))
    fi
    [ $compiler = mpicc.mpich ] || rm -f app
    commands=$((commands + 1))
}

walk() {
    local page=$1 name line command
    name=$(basename "$page")
    rm -rf "$work/folder"
    mkdir "$work/folder"
    cd "$work/folder" || exit 1
    ln -s "$top/models" "$top/runs" .
    while read -r -u 3 line command; do
        # a library that the reader has built
        command=${command//PREFIX/library}
        [[ $command != *'-o library'* ]] || rm -rf library
        is_form "$command" || ! is_possible "$command" || run_command "$name" "$line" "$command"
    done 3< <(commands_of "$page")
}

for page in "${pages[@]}"; do
    walk "$page"
done
echo "$commands commands"
[ "$failures" -eq 0 ] && [ "$commands" -gt 0 ] || exit 1

# A page with a wrong option, with a file that nobody has, that writes one file twice, and that preloads a
# library that is not there: all four fail.
printf '    colltune %s\n' 'list --nonsense' 'map nothing' 'learn my-run -o same.xml \' \
    '    --learner penalty   a remark' 'learn my-run -o same.xml --learner penalty' |
    sed '4s/colltune//' >"$work/false.md"
echo '    LD_PRELOAD=none.so mpiexec.mpich -n 1 true' >>"$work/false.md"
walk "$work/false.md" >"$work/log"
[ "$failures" -eq 4 ] || {
    echo "FAILED: a false page has $failures failures: $(<"$work/log")"
    exit 1
}
