#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The common clock over clocks that are put in: test_clocks.sh MPIEXEC CHECK_CLOCKS.
failed=0
for ranks in 2 3 4; do
    words=$("$1" -n $ranks "$2" 2>&1)
    [ "$words" = ok ] || {
        echo "FAILED with $ranks ranks: $words"
        failed=1
    }
done

# A clock that jumps all the time is named; no average is made of it.
words=$("$1" -n 2 "$2" restless 2>&1) && {
    echo "FAILED: a restless clock is taken"
    failed=1
}
echo "$words" | grep -q 'colltune benchmark: the clock of rank 1 jumps' || {
    echo "FAILED: the reason: $words"
    failed=1
}
exit $failed
