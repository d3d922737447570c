#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test_bad_input.sh COLLTUNE TOP: each kind of bad input through each command that reads it ends with one
# line that says what is wrong, where, and what was expected; without a crash, a hang, or a file half-written.
set -uo pipefail

# shellcheck disable=SC2034 # readers are found by their names
colltune=$(realpath "$1") top=$(realpath "$2")
# shellcheck source=bad_input.sh disable=SC1091
. "$top/tests/cli/bad_input.sh"

# who reads a kind: of the command's words @ is the file, and what stands there as it is good
readers_of_run=(
    'map @'
    'map @ --format csv'
    'learn @ -o out'
    'learn @ -o out --learner penalty'
    'learn @ -o out --learner quadtree'
    'learn @ -o out --learner c45'
    'learn @ -o out --learner run_lengths'
    'score ../table.xml @'
    'score ../table.xml @ --cross-launches'
    'score --cross-validate sizes @'
    'score --cross-validate runs ../run @'
    'export-c45 @ -o out'
    'import-c45 ../report --stem ../cases --run @ -o out'
    'import run @ -o out'
    'supplement @ ../model.xml -o out'
    'report @ ../table.xml -o out'
    'compare @ ../run'
    'compare ../run @ -o out'
)
readers_of_table=(
    'score @ ../run'
    'build @ -o out'
    'report ../run @ -o out'
    'show @'
    'show @ --format csv'
    'compare @ ../table.xml'
    'compare ../table.xml @ --on ../run'
)
for format in c c-map c-source table text ompi ompi-json mpich-cvar intel 'mpich --base ../base.json'; do
    readers_of_table+=("generate @ -o out --format $format")
done
readers_of_model=(
    'predict @ -o out'
    'supplement ../run @ -o out'
    'report ../run --model @ -o out'
    'generate @ --format model-c -c bcast -o out'
)
readers_of_times=("import csv @ -o out -c bcast --map $map --methods native=native,linear=linear,chain=chain")
readers_of_osu=('import osu @ --comm-size 4 -o out')
readers_of_imb=('import imb @ -o out')
readers_of_base=('generate ../table.xml --format mpich --base @ -o out')
readers_of_points=('fit @ -o out')
readers_of_report=('import-c45 @ --stem ../cases -o out')
readers_of_stem=('c45 -f @' 'import-c45 ../report --stem @ -o out')
readers_of_prefix=('validate @ -o out')
readers_of_validation=('report ../run --validation @ -o out')

# bad KIND FILE WORDS: the first bad file of a kind is refused by all who read that kind, and what they do to
# files that are there is looked at. They share one reader, so each later flaw is shown to two of them in
# turn.
declare -A turn
bad() {
    local -n readers=readers_of_$1
    local first=${turn[$1]:-} step words
    states=absent
    local asked=(0 1)
    if [ -z "$first" ]; then
        first=0 states='absent present'
        asked=("${!readers[@]}")
    fi
    for step in "${asked[@]}"; do
        [ "$step" -lt ${#readers[@]} ] || break
        IFS=' ' read -ra words <<<"${readers[(first + step) % ${#readers[@]}]//@/../$2}"
        refuses '1 2' "$3" "${words[@]}"
    done
    turn[$1]=$(((first + ${#asked[@]}) % ${#readers[@]}))
}

# --- XML that is none, or too much ---

for kind in run table model; do
    whole=$kind.xml
    [ $kind != run ] || whole=run/run.xml
    with_type $whole external.xml "$external" e
    with_type $whole laughs.xml "$laughs" a9
    awk 'BEGIN { for (i = 0; i < 100000; i++) printf "<a>"; print "" }' >nested.xml
    : >empty.xml
    head -c 300 $whole >cut.xml
    printf 'words\n' >words.xml
    sed 's/version="[0-9]*"/version="99"/' $whole >version.xml
    for flaw in external laughs nested empty cut words version; do
        file=$flaw.xml
        if [ $kind = run ]; then
            rm -rf "run-$flaw" && cp -r run "run-$flaw" && mv "$file" "run-$flaw/run.xml"
            file=run-$flaw
        fi
        case $flaw in
        external | laughs) bad $kind "$file" 'a document type is not allowed here' ;;
        version) bad $kind "$file" '; expected ' ;;
        *) bad $kind "$file" 'expected well-formed XML' ;;
        esac
    done
done

mkdir folder
for reader in "${readers_of_table[@]}" "${readers_of_model[@]}"; do
    [[ $reader != compare* ]] || continue # takes it for a run
    IFS=' ' read -ra words <<<"${reader//@/../folder}"
    refuses '1 2' 'folder: is a folder: expected a file' "${words[@]}"
done

another='a file of another kind: it begins with'
refuses '1 2' "model.xml:[0-9]*: $another <model>; expected <decision-table>" show ../model.xml
refuses '1 2' "table.xml:[0-9]*: $another <decision-table>; expected <model>" predict ../table.xml -o out

# a run and a file in each other's place
refuses 2 '../run is a run and ../table.xml is a table; expected them in the order TABLE.xml RUN' \
    score ../run ../table.xml
refuses 2 '../run is a run and ../table.xml is a table; expected them in the order RUN \[TABLE' \
    report ../table.xml ../run -o out
for file in table model; do
    refuses 2 "../run is a run and ../$file.xml is a $file; expected them in the order RUN MODEL.xml" \
        supplement ../$file.xml ../run -o out
done

# the folder of all results of tuning in the place of one of them
mkdir -p tuned/library/lib/pkgconfig
cp -r run table.xml tuned
touch tuned/library/lib/pkgconfig/colltuned.pc
all='is a folder with all results of tuning; expected ../tuned'
for words in map 'learn -o out' 'score ../table.xml' 'report -o out' 'compare ../run'; do
    IFS=' ' read -ra words_of <<<"$words"
    refuses 2 "$all/run (see" "${words_of[@]}" ../tuned/
done
refuses 2 "$all/run (see" supplement ../tuned ../model.xml -o out
for words in show 'build -o out' 'generate --format c -o out' 'report -o out ../run'; do
    IFS=' ' read -ra words_of <<<"$words"
    refuses 2 "$all/table.xml (see" "${words_of[@]}" ../tuned
done
refuses 2 "$all/library (see" validate ../tuned
refuses 2 "$all/library (see" try ../tuned true
rm -r tuned/run
refuses 2 '../tuned: not a run: expected a folder with run.xml and samples.csv' map ../tuned

# --- lines of an old Mac ---

for file in times.csv cases.names cases.data; do
    tr '\n' '\r' <$file >mac-$file
done
returns='the lines end in a carriage return alone, as on old Macs: expected newlines'
IFS=' ' read -ra words <<<"${readers_of_times[0]//@/../mac-times.csv}"
refuses 2 "$returns" "${words[@]}"
refuses 2 "$returns" fit ../mac-times.csv -o out
cp -r run run-mac
tr '\n' '\r' <run/samples.csv >run-mac/samples.csv
refuses 2 "$returns" map ../run-mac
cp mac-cases.names mac.names
refuses 2 "$returns" c45 -f ../mac

# --- runs ---

spoil_samples run-header '2,$d'
for reader in "${readers_of_run[@]}"; do
    case $reader in
    'supplement '* | 'import run '* | 'score '*) continue ;;
    esac
    IFS=' ' read -ra words <<<"${reader//@/../run-header}"
    refuses '1 2' '' "${words[@]}"
done

# NAME | what sed does to samples.csv | what is said
while IFS='|' read -r name change words; do
    spoil_samples "run-$name" "$change"
    bad run "run-$name" "run-$name/samples.csv:$words"
done <<'END'
nan|3s/1e-06/nan/|3: seconds 'nan': expected a finite decimal number greater than 0
negative|3s/1e-06/-1e-06/|3: seconds '-1e-06': expected a finite decimal number greater than 0
zero|3s/1e-06/0/|3: seconds '0': expected a finite decimal number greater than 0
endless|3s/1e-06/inf/|3: seconds 'inf': expected a finite decimal number greater than 0
huge|3s/1e-06/1e999/|3: seconds '1e999': expected a finite decimal number greater than 0
twice|2p|3: rep 0 of 'native' follows rep 0 in the same cell: expected rising ones
again|/commit$/{p;s/.*/0,bcast,linear,1,4,4,0,64,,,0,7e-06,ok/}|7: a row of another cell
unknown|3s/linear/moon/|3: unknown algorithm 'moon': bcast has native, linear
beyond|3s/,64,/,9223372036854775809,/|3: msg_bytes '9223372036854775809': expected a whole number from 0
further|3s/,64,/,99999999999999999999,/|3: msg_bytes '99999999999999999999': expected a whole number from 0
ranks|3s/,4,4,0/,4,99999999999999999999,0/|3: comm_size '99999999999999999999': expected a whole number
short|3s/,ok//|3: 12 fields: expected 13, which are launch,collective
torn|$d|34: the file ends within a cell, because the sweep was killed: expected a commit row
END
while IFS='|' read -r name change words; do
    spoil_description "run-$name" "$change"
    bad run "run-$name" "run-$name/run.xml:$words"
done <<'END'
method|s,bcast/linear,bcast/moon,|12: unknown algorithm 'bcast/moon': bcast has native
twin|s,bcast/chain,bcast/linear,|13: the method 'bcast/linear' is given twice
size|s,>64\,,>9223372036854775808\,,|8: '9223372036854775808' in <msg-sizes>: expected sizes from 0 to
no-collective|s/collective name="bcast"/collective name="moon"/|6: unknown collective 'moon'
END
mkdir run-nothing
bad run run-nothing 'run-nothing: not a run: expected a folder with run.xml and samples.csv'
bad run nowhere 'nowhere: does not exist: expected a folder with run.xml and samples.csv'

# --- tables ---

# test_of FEATURE THRESHOLD: with two leaves; leaf_of METHOD [OTHERWISE]
test_of() {
    echo "<split feature=\"$1\" at-most=\"$2\"><leaf method=\"linear\"/><leaf method=\"chain\"/></split>"
}
leaf_of() {
    echo "<leaf method=\"$1\"${2:+ fallback=\"$2\"}/>"
}

# NAME | the tree | what is said
while IFS='|' read -r name nodes words; do
    IFS=' ' read -ra words_of <<<"$nodes"
    "${words_of[0]}_of" "${words_of[@]:1}" | with_tree "$name.xml"
    bad table "$name.xml" "$name.xml:16: $words"
done <<'END'
unknown|leaf moon|unknown algorithm 'moon'
parameter|leaf scatter_allgather:seg=8K|'seg=8K' in the method 'scatter_allgather:seg=8K': bcast/scatter_allg
no-feature|test moon 1|unknown feature 'moon'
edge|test msg_bytes 9223372036854775808|msg_bytes <= 9223372036854775808: expected a threshold below 2^63
further|test comm_size 99999999999999999999|at-most="99999999999999999999": expected a smaller number
negative|test comm_size -1|Element split failed to validate attributes; expected
nan|test comm_size nan|Element split failed to validate attributes; expected
constraint|leaf scatter_allgather_ring linear|scatter_allgather_ring always applies: no fallback expected
END
{ echo '<split feature="comm_size" at-most="4">'; test_of comm_size 8; leaf_of chain; echo '</split>'; } |
    with_tree settled.xml
bad table settled.xml 'settled.xml:17: comm_size <= 8 always holds here'
nested 10001 | with_tree deep.xml
bad table deep.xml 'nested more than 10003 deep'
sed '/<tree /,/<\/tree>/d' table.xml >treeless.xml
bad table treeless.xml 'expected '
awk '/<tree /, /<\/tree>/ { tree = tree $0 "\n" } /<\/decision-table>/ { printf "%s", tree } { print }' \
    table.xml >twin.xml
bad table twin.xml 'a second tree for bcast: expected at most one'
spoil collective.xml table.xml 's/collective="bcast"/collective="moon"/'
bad table collective.xml "collective.xml:13: unknown collective 'moon'"
spoil penalty.xml table.xml 's/mean="5"/mean="nan"/'
bad table penalty.xml '; expected '

# --- the other kinds ---

# KIND | FILE it is made of | what sed does | what is said
number=0
while IFS='|' read -r kind file change words; do
    number=$((number + 1))
    spoil "spoilt-$number" "$file" "$change"
    bad "$kind" "spoilt-$number" "$words"
done <<'END'
times|times.csv|2,$d|holds nothing to import: expected tables, of values
times|times.csv|d|holds nothing to import: expected tables, of values
times|times.csv|2s/9$/nun/|spoilt-3:2: 'nun' in the column 'us': expected a number
times|times.csv|2s/9$/-9/|spoilt-4:2: a time of -9e-06 s: expected more than 0
times|times.csv|2s/9$/0/|spoilt-5:2: a time of 0 s: expected more than 0
times|times.csv|2s/9$/1e400/|spoilt-6:2: '1e400' in the column 'us': expected a number
times|times.csv|2s/native/moon/|spoilt-7:2: the method 'moon' is not in the list of methods
times|times.csv|2s/,64,/,9223372036854775809,/|spoilt-8:2: msg_bytes is 9.22337e+18: expected a whole number
times|times.csv|2s/,64,/,99999999999999999999,/|spoilt-9:2: msg_bytes is 1e+20: expected a whole number from 0
times|times.csv|2s/,4,/,99999999999999999999,/|spoilt-10:2: comm_size is 1e+20: expected a whole number from 1
times|times.csv|2s/,9$//|spoilt-11:2: 3 fields: expected 4
times|times.csv|1s/us/bytes/|spoilt-12:1: the column 'bytes' of the map occurs 2 times
osu|times.csv|d|holds nothing to import: expected output of the OSU micro-benchmarks
osu|times.csv|1s/us/u/|holds nothing to import: expected output of the OSU micro-benchmarks
imb|times.csv|d|holds nothing to import: expected output of the Intel MPI Benchmarks
imb|times.csv|1s/us/u/|holds nothing to import: expected output of the Intel MPI Benchmarks
base|base.json|d|the text ends too early: expected the rest of its JSON
base|base.json|$d|the text ends too early: expected the rest of its JSON
base|base.json|s/MPIR_own_bcast//|bcast: "algorithm=": expected an algorithm MPIR_
base|base.json|s/bcast/moon/|"collective=bcast" is missing
points|times.csv|1s/us/u/|:1: expected a file that begins with 'colltune point-to-point 1: '
report|report|/saved/d|Tree saved
report|report|s/msg_bytes <=/moon <=/|:13: 'moon <= 64 : bcast/linear (3.0)': expected a test of an attribute
report|report|s/<= 64/<= nan/|:13: 'msg_bytes <= nan : bcast/linear (3.0)': expected a number
report|report|s/> 64/> 1e30/;s/<= 64/<= 1e30/|1e+30 is no value of the data; expected the data of this report
report|report|s/bcast.linear/bcast\/moon/|:13: 'msg_bytes <= 64 : bcast/moon (3.0)': expected a class
model|model.xml|s/alpha="[^"]*"/alpha="nan"/|:6: Element hockney failed to validate attributes; expected
model|model.xml|s/alpha="[^"]*"/alpha="-1"/|:6: Element hockney failed to validate attributes; expected
model|model.xml|s/bytes="[1-9][0-9]*"/bytes="99999999999999999999"/|:15: <gap>: point 2: 1e+20 bytes: expected
validation|times.csv|1s/us/u/|:1: wrong header: expected 'collective,comm_size
validation|times.csv|d|:1: the file is empty: expected the header 'collective,comm_size
END
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "{\"comm_size=any\":"; print "" }' >deep.json
bad base deep.json 'nest'
mkdir prefix
bad prefix prefix 'expected'
refuses 1 '/times.csv: is a file: expected a folder' build ../table.xml -o ../times.csv

# --- results that cannot be written: said before anything is measured or learned ---

place=../times.csv/place
for command in 'build ../table.xml' 'compare ../run ../run' 'export-c45 ../run' fit \
    'generate ../table.xml --format c' 'import osu /dev/null --comm-size 4' \
    'import-c45 ../report --stem ../cases --run ../run' 'import-rules ../table.xml' 'learn ../run' measure \
    'predict ../model.xml' 'report ../run ../table.xml' 'supplement ../run ../model.xml' tune \
    'validate ../run'; do
    # shellcheck disable=SC2086 # words of a command
    refuses 1 '../times.csv: is a file: expected a folder' $command -o "$place"
done
refuses 1 '../times.csv: is a file: expected a folder' fit -o out --samples "$place"
for command in 'learn ../run' fit; do
    # shellcheck disable=SC2086 # words of a command
    refuses 1 'nowhere/place: cannot be written: No such file or directory' $command -o nowhere/place
done

# --- cases of C4.5 ---

for flaw in 's/^4,64,/nan,64,/' 's/^4,64,/4,-,/' 's/^4,64,bcast.linear/4,64,moon/' 's/^4,64,/4,/' \
    's/^4,64,/4,64,64,/'; do
    cp cases.names stem.names
    spoil stem.data cases.data "$flaw"
    refuses '1 2' 'stem.data:1: ' c45 -f ../stem
done
cp cases.data stem.data
for flaw in 's/continuous/moon/' 's/bcast.linear,//' 's/msg_bytes/comm_size/' d; do
    spoil stem.names cases.names "$flaw"
    refuses '1 2' 'stem.' c45 -f ../stem
done

# --- what looks bad and is legal: one cell, one method, the deepest tree, cells that disagree ---

formats=(c c-map c-source table text ompi ompi-json mpich-cvar intel mpich)

# generated TABLE FORMAT: every format takes the table; MPICH's own selections are laid under.
generated() {
    local base=()
    [ "$2" != mpich ] || base=(--base base.json)
    rm -f generated
    accepts '' generate "$1" -o generated --format "$2" "${base[@]}"
    [ -s generated ] || complain "$1 as $2: nothing"
}

head -n 2 times.csv >cell.csv
grep 'method\|linear' times.csv >method.csv
for legal in cell method; do
    import $legal.csv -o $legal 2>/dev/null || complain "the run of one $legal"
    only=$([ $legal = cell ] && echo native || echo linear)
    accepts "A  $only" map $legal
    for learner in surrogate interpolate penalty quadtree c45 run_lengths; do
        rm -f one.xml
        accepts 'bcast: 1 leaf, depth 0, mean slowdown 0.00 %' learn $legal -o one.xml --learner $learner
        [ "$(grep -c "<leaf method=\"$only\"/>" one.xml)" = 1 ] || complain "$learner from one $legal"
        accepts 'bcast: 1 leaf, depth 0' score --verbose one.xml $legal
        for format in "${formats[@]}"; do
            generated one.xml "$format"
            [ "$format" != table ] || tail -n 1 generated | grep -qx $only || complain "$legal as $format"
        done
    done
    accepts index.html report $legal one.xml -o report-$legal
done
refuses '1 2' 'the same in all cells' export-c45 ../cell -o out
refuses 2 'expected two collectives with a message size' learn ../cell -o out -l c45 --joint
refuses 2 'no allowed method of bcast was measured' learn ../method -o out -x linear
accepts '9 cases, 2 attributes, 1 class' export-c45 method -o one-class
accepts 'bcast/linear (9.0)' c45 -f one-class

nested 10000 | with_tree deepest.xml
for format in "${formats[@]}"; do
    generated deepest.xml "$format"
done
accepts 'bcast: 10001 leaves, depth 1 to 10000' score --verbose deepest.xml run

# as deep, but with more rules than a file can use: refused where trees become rules
nested 10000 | awk '/<split/ && ++count % 2 { sub("msg_bytes", "comm_size") }
    /chain/ && ++leaves % 4 < 2 { sub("chain", "binomial") } { print }' | with_tree many.xml
limit='more than 1000000 rules'
for format in "${formats[@]}"; do
    case $format in
    c | c-map | c-source | table) generated many.xml "$format" ;;
    mpich) refuses 1 "$limit" generate ../many.xml -o out --format mpich --base ../base.json ;;
    *) refuses 1 "$limit" generate ../many.xml -o out --format "$format" ;;
    esac
done

{ cat times.csv; echo linear,4,64,99; } >twice.csv
import twice.csv -o twice 2>said || complain 'cells that disagree'
grep -q '1 of these differs by more than 1.5 times, at most 99 times' said || complain 'disagreement unsaid'

echo "$checked commands, $failed flaws"
[ $failed -eq 0 ]
