#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A node that is slow, played by valgrind: test_slow_node.sh COLLTUNE MPIEXEC PROGRAM. It is named.
# shellcheck source=nodes.sh disable=SC1091,SC2015,SC2016,SC2086,SC2154 # nodes.sh sets cluster and failed
. "$(dirname "$0")/nodes.sh"
cluster_need valgrind
colltune=$(realpath "$1") mpiexec=$2 program=$(realpath "$3")
cluster_make 3
cat >benchmark <<SCRIPT
#!/bin/sh
[ "\$(hostname)" != n2 ] || exec valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "\$@"
exec "$program" "\$@"
SCRIPT
chmod +x benchmark
must on n1 "$colltune" measure -o run --program ./benchmark -c bcast --methods binomial --comm-sizes 3 \
    --msg-sizes 8 --launches 1 --max-repetitions 3 --launcher "$mpiexec" --hostfile "$cluster/hosts"
expect 'rank 1 is .* times slower than the median rank' log
expect 'slow-rank="1"' run/run.xml
# without it none is
must on n1 "$colltune" measure -o even --program "$program" -c bcast --methods binomial --comm-sizes 3 \
    --msg-sizes 8 --launches 1 --max-repetitions 3 --launcher "$mpiexec" --hostfile "$cluster/hosts"
expect 'slow-factor="0"' even/run.xml
exit $failed
