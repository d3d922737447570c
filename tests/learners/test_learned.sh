#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_learned.sh COLLTUNE RUNS MODELS GOLDEN: trees by lost time of the shipped runs are those of GOLDEN
# where no features are named; further features are learned from, and models followed; and what `colltune
# learn` refuses of them.
set -euo pipefail

colltune=$1 runs=$2 model=$3/simulated-fattree.xml golden=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

# learn NAME ARGUMENTS...: NAME.xml, and its decisions for people without what they come from.
learn() {
    "$colltune" learn "${@:2}" -o "$work/$1.xml" 2>"$work/said" || fail "learn ${*:2}: $(cat "$work/said")"
    "$colltune" generate "$work/$1.xml" --format text -o "$work/$1.txt"
    grep -v '^#' "$work/$1.txt" >"$work/$1.trees"
}

for learner in penalty interpolate; do
    for run in fattree-allgather ethernet100-bcast; do
        learn "$run-$learner" "$runs/$run" --learner "$learner" --max-leaves 11
        echo "$run $learner"
        cat "$work/$run-$learner.trees"
    done
done >"$work/all"
diff "$golden" "$work/all" || fail "trees are not those of $golden"

# Features that are named are told in the table; the usual ones give the same tree.
learn usual "$runs/fattree-allgather" --learner penalty --max-leaves 11 --features comm_size,msg_bytes
sed -i 's/ features=comm_size,msg_bytes//' "$work/usual.xml"
cmp "$work/usual.xml" "$work/fattree-allgather-penalty.xml" || fail "naming the usual features differs"
for learner in penalty interpolate; do
    learn "$learner" "$runs/fattree-allgather" --learner "$learner" --max-leaves 30 \
        --features comm_size,msg_bytes,power_of_two,even --feature 'share=total_bytes/4K'
    grep -q 'features=comm_size,msg_bytes,power_of_two,even feature=share=' "$work/$learner.xml" ||
        fail "$learner does not say its features"
    grep -q 'feature="power_of_two"\|feature="share"\|feature="even"' "$work/$learner.xml" ||
        fail "$learner tests none of the features"
    "$colltune" score "$work/$learner.xml" "$runs/fattree-allgather" >/dev/null || fail "score of $learner"
done

# Models are followed on up to 32 ranks: evaluating plans on more takes long under sanitizers.
small='--without=35,38,41,44,47,50'

# unseen ARGUMENTS...: the mean slowdown on communicator sizes left out, in millionths.
unseen() {
    "$colltune" score --cross-validate sizes "$runs/fattree-allgather" "$small" --format csv "$@" |
        awk -F, '$2 == "learned" { printf "%d", 1000000 * $7 }'
}

# A model tells what communicators between the measured ones do: with it trees lose less than a fifth. Leaves
# that are split for the rules of choice must not forget what it says: then they lose more than a fifth by
# formulas, which prune more than plans. The table says which model.
without=$(unseen --learner interpolate)
for way in plans formulas; do
    with=$(unseen --learner interpolate --model "$model" --by "$way")
    [ $((5 * with)) -lt "$without" ] || fail "with the model by $way: $with, without: $without"
done
learn followed "$runs/fattree-allgather" --learner interpolate --model "$model" --by formulas
grep -q 'options="model=simulated-fattree:plogp by=formulas"' "$work/followed.xml" || fail "no model is told"
learn kept "$runs/ethernet100-bcast" --learner penalty --keep-native
grep -q 'options="keep-native"' "$work/kept.xml" || fail "keep-native is not told"
# unless the user chooses a learner, one is taken that has the option
learn shared "$runs/fattree-allgather" "$small" --model "$model" --no-share-links
grep -q -- '--model: the learner interpolate is used' "$work/said" || fail "the change of learner is not told"
grep -q 'options="model=simulated-fattree:plogp no-share-links"' "$work/shared.xml" ||
    fail "shared links are not told"
# the table does not say which file the model is in
"$colltune" score "$work/shared.xml" "$runs/fattree-allgather" "$small" >/dev/null 2>"$work/said"
grep -q 'not cross-validated: it was learned with the model simulated-fattree:plogp; --cross-validate sizes' \
    "$work/said" || fail "score of a table learned with a model says: $(cat "$work/said")"

# refused TEXT ARGUMENTS...: one line, nothing written.
refused() {
    if "$colltune" learn "$runs/fattree-allgather" -o "$work/none.xml" "${@:2}" 2>"$work/errors"; then
        fail "${*:2} was not refused"
    fi
    grep -q -- "$1" "$work/errors" || fail "${*:2}: $(cat "$work/errors")"
    [ ! -e "$work/none.xml" ] || fail "${*:2}: wrote a table"
}

refused "unknown feature 'moon'" --features comm_size,moon
refused 'divides by 0' --feature 'x=comm_size/0'
refused '--features: not an option of the learner quadtree' --learner quadtree --features even
refused 'expected the learner interpolate' --learner penalty --model "$model"
refused '--model: not an option of the learner c45' --learner c45 --model "$model"
refused 'expected the learner surrogate, interpolate, penalty' --learner quadtree --keep-native
refused 'expected --model' --learner interpolate --no-share-links
refused 'expected --model' --learner interpolate --by formulas
refused 'expected plans or formulas' --learner interpolate --model "$model" --by guess
refused 'no-such-model.xml' --learner interpolate --model "$work/no-such-model.xml"
echo '<model' >"$work/broken.xml"
refused 'broken.xml:' --learner interpolate --model "$work/broken.xml"
echo all right
