# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154 # the reader sets colltune, work and options
# Functions for studies that run a program of their own with the tuned library under the simulator. The
# shell that reads this file sets `colltune` and the folder `work`.

studies=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# fat_tree10 SIDE: prints a platform: a fat tree of SIDE switches with SIDE hosts each, links of 10 Gbit/s and
# 1 us, 2 us of CPU time to send a message and 1 us to receive one.
fat_tree10() {
    sed -E -e 's/(smpi\/(os|ois)" value=")[^"]*/\10:2e-6:0/' -e 's/(smpi\/or" value=")[^"]*/\10:1e-6:0/' \
        -e 's/ bw="12.5GBps" lat="250ns"/ bw="1.25GBps" lat="1us"/' \
        -e "s/radical=\"0-255\"/radical=\"0-$(($1 * $1 - 1))\"/" \
        -e "s/2;16,16;1,8;1,1/2;$1,$1;1,$(($1 / 2));1,1/" \
        "$studies/../measure/backend/platforms/fattree.xml"
}

# build_program SOURCE: builds the program $work/program, with a library of the default table.
build_program() {
    "$colltune" build --default --mpi smpi -o "$work/library" 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    smpicc -O1 "$1" "-I$work/library/include" "$work/library/lib/libcolltuned.a" -Wl,-u,MPI_Init -lm -ldl \
        -o "$work/program"
}

# By default SMPI's collectives send a message for each pair of ranks, and each costs more the more there have
# been: a run of 256 ranks, whose exchange takes less than 1 s, did not end in 8 minutes. With these a rank
# sends some log2 P messages. SMPI's choices for MPICH and Open MPI begin with a slow reduction for each
# communicator, which is too slow for 1024 ranks.
short_collectives=()
for algorithm in barrier:ompi_bruck allreduce:rdb bcast:binomial_tree reduce:binomial \
    gather:ompi_binomial scatter:ompi_binomial allgather:bruck reduce_scatter:mpich_rdb; do
    short_collectives+=("--cfg=smpi/$algorithm")
done

# run_program RANKS PLATFORM LOOK ARGUMENT...: runs $work/program on the hosts node-0, node-1, ... A look for
# messages costs LOOK seconds. Further options of smpirun are in the array `options`.
run_program() {
    local ranks=$1 platform=$2 look=$3
    shift 3
    seq 0 $((ranks - 1)) | sed 's/^/node-/' >"$work/hosts"
    smpirun -np "$ranks" -platform "$platform" -hostfile "$work/hosts" --cfg=smpi/simulate-computation:no \
        "--cfg=smpi/iprobe:$look" "--cfg=smpi/test:$look" "${short_collectives[@]}" "${options[@]}" \
        --log=root.thres:error "$work/program" "$@" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
}
