#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# test_profile_command.sh COLLTUNE LIBRARY: `colltune profile` of a script that leaves a profile as the tuned
# library does.
colltune=$(realpath "$1")
library=$(realpath "$2")
# shellcheck source=../expect.sh disable=SC1091
. "$(dirname "$0")/../expect.sh"
cd "$folder" || exit 1
mkdir -p "tuned/lib"
cp "$library" tuned/lib/libcolltuned.so

cat >app <<'END_APP'
#!/bin/sh
case $LD_PRELOAD in
*tuned/lib/libcolltuned.so*) ;;
*) exit 4 ;;
esac
echo "$COLLTUNE_PROFILE" >path
[ "$COLLTUNE_BCAST" != native ] || exit 5
cd / || exit 6
header=rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting
[ ! "$HEADER" ] || header=$HEADER
case $LEAVES in
nothing) ;;
header) echo "$header" >"$COLLTUNE_PROFILE" ;;
parts)
    printf '%s\n0,bcast,blocking,2,64,"native",10,1000,30,10\n' "$header" >"$COLLTUNE_PROFILE.0"
    printf '%s\n3,bcast,blocking,2,64,"native",10,1000,10,0\n' "$header" >"$COLLTUNE_PROFILE.3"
    ;;
*)
    {
        echo "$header"
        echo '0,barrier,blocking,2,0,"native",1,0,1,0'
        echo '0,bcast,blocking,2,64,"native",10,1000,3,1'
        echo '1,bcast,blocking,2,64,"binomial",10,1000,5,0'
        echo '1,allreduce,persistent,2,8192,"native",7,70000,2,0'
    } >"$COLLTUNE_PROFILE"
    ;;
esac
exit "${CODE:-0}"
END_APP
chmod +x app

expect 0 'collective           mode         ranks bytes from   calls/rank     s/rank  of run waiting
bcast                blocking         2         64         10.0      4.000' \
    profile --library tuned -- ./app
expect 0 'allreduce            persistent       2         8K          3.5      1.000' \
    profile --library tuned -- ./app
expect 0 'Collectives take 5.500 s of ' profile --library tuned -- ./app
expect 0 'Of that 9.1 % is time beyond the shortest calls' profile --library tuned -- ./app
expect 0 'and 2 lines that take less time' profile --library tuned --lines 1 -- ./app
[ ! -e "$(cat path)" ] || { echo "FAILED: the profile is kept" && failed=1; }
expect 0 'colltune measure -o RUN --from-profile kept.csv' profile -o kept.csv --library tuned -- ./app
[ "$(wc -l <kept.csv)" -eq 5 ] || { echo "FAILED: the profile is not kept" && failed=1; }
expect 2 'kept.csv: exists already' profile -o kept.csv --library tuned -- ./app
expect 0 "--from-profile 'it'\\''s (kept).csv'" profile -o "it's (kept).csv" --library tuned -- ./app

touch parts.csv.7
expect 2 'parts.csv.7: exists already: a part of an earlier profile' \
    profile -o parts.csv --library tuned -- ./app

# --- runs that fail ---
LEAVES=nothing expect 1 "'./app' does not load the tuned library" profile --library tuned -- ./app
LEAVES=nothing CODE=3 expect 1 "'./app' ended with exit code 3 and left no profile" \
    profile --library tuned -- ./app
LEAVES=nothing CODE=127 expect 1 "'./app' ended with exit code 127, by which shells say that a program was" \
    profile --library tuned -- ./app
LEAVES=parts CODE=3 expect 1 "bcast                blocking         2         64         10.0     20.000" \
    profile --library tuned -- ./app
LEAVES=parts CODE=3 expect 1 "'./app' ended with exit code 3: the profile may lack calls" \
    profile --library tuned -- ./app
LEAVES=header expect 1 "'./app' calls no collective" profile --library tuned -- ./app
HEADER=rank,collective expect 2 "wrong header: expected" profile --library tuned -- ./app
expect 2 'nowhere/lib/libcolltuned.so: does not exist' profile --library nowhere -- ./app
rm path
expect 1 'nowhere/profile.csv: cannot be written: No such' \
    profile -o nowhere/profile.csv --library tuned -- ./app
[ ! -e path ] || { echo 'FAILED: the application runs for a profile that cannot be written' && failed=1; }
expect 1 './missing: cannot be started' profile --library tuned -- ./missing
expect 2 'an argument is missing' profile
[ $failed -eq 0 ]
