#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `verify` and `explain` print of what is passed over, and of blocks, and the columns of `list`, as wide
# as what is in them: test_verify_explain.sh COLLTUNE.
colltune=$1
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../expect.sh"

expect 2 "unknown collective 'bcats'; did you mean 'bcast'?" verify bcats
expect 0 'alltoall/linear,0,0,3,0,0,' verify alltoall/linear --comm-sizes 257 --format csv
expect 0 ',skipped: O(P^2) messages' verify alltoall/linear --comm-sizes 257 --format csv
expect 0 ',verified; methods with O(P^2) messages were skipped' verify alltoall/linear --comm-sizes 4,257 \
    --format csv
expect 0 ' verified' verify alltoall/linear --comm-sizes 256
expect 0 ' verified' verify barrier/dissemination --comm-sizes 1025
# Former names of options.
expect 0 "SEND#0[0..2048) to RECV#0[0..2048)" explain alltoallw/pairwise --size 2 --bytes 2K
expect 0 " verified" verify barrier/dissemination --sizes 5
expect 0 'blocks of 0 to 1K bytes' explain gatherv/linear --comm-size 3 --uneven
expect 0 'into RECV#1[0..512) from rank 1' explain gatherv/linear --comm-size 3 --uneven
expect 0 'SEND#0[0..2048) to RECV#0[0..2048)' explain alltoallw/pairwise --comm-size 2 --msg-size 2K
expect 0 '0  receive and reduce       1K  from rank 1' explain reduce/binomial --comm-size 4 --ppn 4
expect 0 '0  receive       1K  into RECV[0..1024) from rank 1' explain reduce/binomial --comm-size 4 --ppn 4 \
    --plain
expect 0 'rank 2, within the node, shared copy 1' explain bcast/linear --comm-size 4 --msg-size 4K --ppn 4
expect 0 'powers of two: hockney equal, loggp upper bound, plogp equal' explain bcast/pipeline --comm-size 4
expect 0 'powers of two: hockney equal, loggp equal, plogp equal' explain bcast/binomial --comm-size 4
expect 0 'no power of two: hockney equal, loggp upper bound, plogp upper' explain bcast/binomial --comm-size 5
expect 2 'bcast has no blocks of different lengths' explain bcast/linear --comm-size 3 --uneven
expect 0 '  recursive_multiplying  radix             in step' list allreduce
expect 0 '  two_level              intra,inter,seg   reduce on' list allreduce
expect 0 '  window  reqs  the root' list scatterv
expect 0 '  dims           dimensions of' list allgather
# Messages that share links: without missing nodes none do, with one k_shift is better than k_prefix.
expect 0 'In 63 of 63 rounds' explain allgather/k_shift:k=8 --comm-size 64 --network fattree:4,4
expect 0 'In 63 of 63 rounds' explain allgather/k_prefix:k=8 --comm-size 64 --network fattree:4,4
expect 0 'In 63 of 63 rounds' explain alltoall/pairwise --comm-size 64 --network fattree:4,3
expect 0 'In 16 of 63 rounds' explain allgather/k_shift:k=8 --comm-size 64 --network fattree:4,4 --missing 21
expect 0 'In 0 of 63 rounds' explain allgather/k_prefix:k=8 --comm-size 64 --network fattree:4,4 --missing 21
expect 0 '      0         8        4    4.00            8K' explain alltoallv/linear --comm-size 5 --ppn 4 \
    --network torus:3 --msg-size 2K
expect 2 "--network: unknown network 'ring:4': expected fattree" explain bcast/linear --comm-size 4 \
    --network ring:4
expect 2 '--network torus:3: 3 nodes, 0 of them missing, with 1 ranks each; expected room for 4 ranks' \
    explain bcast/linear --comm-size 4 --network torus:3
expect 2 '--missing 9: expected nodes below 8' \
    explain bcast/linear --comm-size 4 --network fattree:2,3 --missing 9
expect 2 '--missing: ' explain bcast/linear --comm-size 4 --network fattree:2,3 --missing x
expect 2 '--missing, --trials: expected --network, too' explain bcast/linear --comm-size 4 --missing 1
expect 2 'expected neither --rank nor' \
    explain bcast/linear --comm-size 4 --network torus:4 --rank 1
# Only text of methods that have a formula has one.
for words in 'bcast/scatter_allgather_ring --comm-size 4' 'bcast/binomial --comm-size 1' \
    'allgatherv/ring --comm-size 4 --uneven' 'bcast/pipeline --comm-size 4 --format dot'; do
    # shellcheck disable=SC2086
    if output=$("$colltune" explain $words) && [ "${output#*published formula}" = "$output" ]; then
        continue
    fi
    echo "FAILED: colltune explain $words: expected no formula; it said: $output"
    failed=1
done
# Output that does not get there is no answer.
for words in 'list bcast' 'verify bcast/linear --comm-sizes 2' 'explain bcast/linear --comm-size 4' \
    'explain bcast/linear --comm-size 400' 'learn --help' 'help learn' 'learn --usage' --help help \
    --version; do
    # shellcheck disable=SC2086
    if "$colltune" $words >/dev/full 2>"$folder/errors"; then
        echo "FAILED: colltune $words ended well on a full device"
        failed=1
    fi
    grep -q 'standard output cannot be written: No space left on device' "$folder/errors" || failed=1
done
exit $failed
