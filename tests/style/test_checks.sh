#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Feeds each check a small tree in order, which must pass, and the same with one thing wrong, which must not.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
failures=0
read -r -a compiler <<<"${CC:-cc}" # may have arguments

licence='SPDX-License-Identifier: BSD-3-Clause'

# put FILE LINE...: a source that begins with its licence.
put() {
    local file=$tree/$1
    shift
    mkdir -p "$(dirname "$file")"
    printf '%s\n' "/* $licence */" "$@" >"$file"
}

# descriptor NAME: the beginning of a descriptor, whose end no check looks at.
descriptor() {
    echo "const struct ct_descriptor ct_$1 = {"
}

barriers='COLLECTIVE(barrier, CT_COLLECTIVE_BARRIER)'
bcasts='COLLECTIVE(bcast, CT_COLLECTIVE_BCAST)'
gathers='COLLECTIVE(gather, CT_COLLECTIVE_GATHER)'
gathervs='COLLECTIVE(gatherv, CT_COLLECTIVE_GATHERV)'
linear=("$bcasts" 'ALGORITHM(bcast, linear)')
ring=("$gathers" 'ALGORITHM(gather, ring)')

sound_tree() {
    rm -rf "$tree"
    put base/error.h '#ifndef BASE_ERROR_H' '#define BASE_ERROR_H' 'int fail(void);' '#endif'
    put base/error.c '#include "base/error.h"' '' '#include <stdio.h>'
    put base/xml.h '#ifndef BASE_XML_H' '#define BASE_XML_H' '#include <libxml/tree.h>' '#endif'
    put algorithms/registry.def "$barriers" "${linear[@]}" "${ring[@]}" 'ALGORITHM(gather, chain)' \
        "$gathervs" 'FORM(gatherv, gather, ring)' 'VARIANT(gatherv, gather, chain)'
    put algorithms/gather/gather_ring.c "$(descriptor gather_ring)"
    put algorithms/gather/gather_chain.c "$(descriptor gather_chain)" "$(descriptor gatherv_chain)"
    put algorithms/bcast/bcast_linear.c '#include "base/error.h"' '' "$(descriptor bcast_linear)"
    put decision/tree/tree.h '#ifndef TREE_H' '#define TREE_H' '#include <stddef.h>' \
        'size_t leaves(void);' '#endif'
    put samples/run.h '#ifndef RUN_H' '#define RUN_H' 'int run(void);' '#endif'
    put library/executor.c '#include "base/error.h"' '#include "decision/tree/tree.h"' '' '#include <mpi.h>'
    put measure/benchmark/benchmark_main.c '#include "library/executor.h"' '' '#include <mpi.h>'
    put cli/main.c '#include "samples/run.h"'
}

# expect CHECK OUTCOME WORDS WHAT: CHECK of the tree ends so and says the words.
expect() {
    local outcome=pass
    "$here/$1" "$tree" >"$work/output" 2>&1 || outcome=fail
    if [ "$outcome" = "$2" ] && [[ $(<"$work/output") == *"$3"* ]]; then
        echo "ok: $1, $4"
    else
        echo "FAILED: $1, $4: expected it to $2 and to say '$3'; it said:"
        sed 's/^/    /' "$work/output"
        failures=$((failures + 1))
    fi
}

# broken CHECK WORDS WHAT: after the tree was broken; then makes it sound again.
broken() {
    expect "$1" fail "$2" "$3"
    sound_tree
}

sound_tree
for check in check_circles check_layers check_style check_registry check_alone; do
    # Its headers of other libraries may be missing here.
    [ "$check" != check_alone ] || rm "$tree/base/xml.h"
    expect "$check" pass '' 'a tree in order'
done
sound_tree

put base/one.h '#ifndef ONE_H' '#define ONE_H' '#include "base/two.h"' 'int ct_one(void);' '#endif'
put base/one.c '#include "base/one.h"' '' 'int ct_one(void)' '{' '    return ct_two();' '}'
put base/two.h '#ifndef TWO_H' '#define TWO_H' 'int ct_two(void);' '#endif'
put base/two.c '#include "base/two.h"' '' 'int ct_two(void)' '{' '    return 2; /* not ct_one() */' '}'
expect check_circles pass '' 'a file that uses another'
put base/two.c '#include "base/two.h"' '#include "base/one.h"' '' 'int ct_two(void)' '{' '    return 2;' '}'
broken check_circles 'base/one: uses base/two (base/two.h), which uses base/one (base/one.h)' \
    'two files that include the headers of one another'
functions() {
    local file
    for file in one:two two:three three:"$1"; do
        put "base/${file%:*}.c" "int ct_${file%:*}(void)" '{' "    return ct_${file#*:}();" '}'
    done
}
functions four
expect check_circles pass '' 'three files in a row'
functions one
broken check_circles \
    'base/one: uses base/two (ct_two), which uses base/three (ct_three), which uses base/one (ct_one)' \
    'three files that call one another in a circle'
put algorithms/registry.c '#define ALGORITHM(folder, name) &ct_##folder##_##name,' \
    'const struct ct_descriptor *const ct_registry[] = {' '#include "algorithms/registry.def"' '};'
expect check_circles pass '' 'a table of what a list names'
put algorithms/bcast/bcast_linear.c "$(descriptor bcast_linear)" '    .next = ct_registry,' '};'
broken check_circles 'algorithms/bcast/bcast_linear: uses algorithms/registry (ct_registry), which uses' \
    'an algorithm that uses the table of algorithms'

put base/error.c '#include "samples/run.h"'
broken check_layers 'base/error.c:2: base/ may not use samples/' 'an arrow backwards'
put cli/main.c '#include "library/executor.h"'
broken check_layers 'cli/main.c:2: cli/ may not use library/' 'a command that uses the library'
put cli/main.c '#include <mpi.h>'
broken check_layers 'cli/main.c:2: mpi.h belongs' 'mpi.h in a command'
put measure/sweep/sweep.c '' '#include <mpi.h>'
broken check_layers 'measure/sweep/sweep.c:3: mpi.h belongs' 'mpi.h beside the benchmark program'
put measure/sweep/sweep.c '#include "library/executor.h"'
broken check_layers 'measure/sweep/sweep.c:2: measure/sweep/ may not use library/' \
    'the library beside the benchmark program'
put decision/table.h '#ifndef TABLE_H' '#define TABLE_H' '#endif'
put library/executor.c '#include "decision/table.h"'
broken check_layers 'library/executor.c:2: library/ may not use decision/' \
    'more of decision/ than trees in the library'
put decision/tree/tree.c '#include "samples/run.h"'
broken check_layers 'decision/tree/tree.c:2: decision/tree/ may not use samples/' \
    'an arrow out of a folder in another'
put library/executor.c '  #  include <libxml/tree.h>'
broken check_layers 'library/executor.c:2: <libxml/tree.h>' 'XML in the library'
put library/executor.c '#include "base/xml.h"'
broken check_layers 'base/xml.h:4: <libxml/tree.h>' 'XML in what the library uses'
put library/executor.c 'INTERPOSED int MPI_Init(void);' 'int one(void) { return PMPI_Init(); }'
expect check_layers pass '' 'a library that calls MPI by PMPI_ names'
put library/executor.c 'int one(void) { return MPI_Init(); }'
broken check_layers 'library/executor.c:2: library/ calls MPI by its PMPI_ names' \
    'a library that calls MPI_Init'
put library/interpose/fortran_openmpi.c 'static void init(void) { MPI_Init(); }'
expect check_layers pass '' 'Fortran procedures that call what the library interposes'
put base/error.c '#include "base/error.h"' '#include <gsl/gsl_math.h>'
broken check_layers 'base/error.c:3: <gsl/gsl_math.h>' 'GSL in the source of a header the library uses'

put base/error.c "$(printf 'int\tx;')"
broken check_style 'base/error.c:2: a tab' 'a tab'
put base/error.c 'int x; '
broken check_style 'base/error.c:2: blanks at the end' 'trailing blanks'
printf 'int x;' >>"$tree/base/error.c"
broken check_style 'base/error.c: no newline' 'no final newline'
echo 'int x;' >"$tree/base/error.c"
broken check_style 'base/error.c:1: expected the SPDX line' 'no licence'
echo 'end program' >"$tree/base/program.F90"
broken check_style 'base/program.F90:1: expected the SPDX line' 'a Fortran program without a licence'
printf '#!/bin/sh\necho\n' >"$tree/script"
broken check_style 'script:2: expected the SPDX line' 'a script without a licence'
put base/error.c "/* $(printf 'x%.0s' {1..120}) */"
broken check_style 'base/error.c:2: longer than' 'a long line'
mkdir "$tree/docs"
long=$(printf 'word %.0s' {1..25})word
printf '%s\n' "short, [a link](https://$long)" "| $long |" "    $long" '```' "$long" '```' \
    >"$tree/docs/page.md"
expect check_style pass '' 'a long row of a table, link and quotation'
printf '%s\n' '```' "$long" '```' "$long" >"$tree/docs/page.md"
broken check_style 'docs/page.md:4: longer than' 'a long line of a page'
put cli/error.c
broken check_style 'error.c: a file name that stands more than once' 'two files of one name'
put base/error.c "/* as in /ho""me/someone/notes */"
broken check_style 'base/error.c:2: a path of one machine' 'a path of one machine'
put base/error.c "/* TO""DO: later */"
broken check_style 'base/error.c:2: work left over' 'work left over'
put base/error.c "/* $(printf '\xe2\x80\x8b') */"
broken check_style 'base/error.c:2: an invisible character' 'an invisible character'
put library/node/board.c 'static int count;'
put library/node/lane.c 'static struct lane lanes[8], *count;'
put measure/benchmark/bench.c 'static int count;'
broken check_style 'library/node/lane.c:2: another file that is compiled with it has an object' 'objects'
put library/node/lane.c 'static int count(void);' '} lanes;'
put library/node/board.c 'static int *lanes[8][MOST];'
broken check_style 'library/node/lane.c:3: another file that is compiled with it has an object' 'an array'
if command -v clang-format >/dev/null; then
    echo 'BasedOnStyle: LLVM' >"$tree/.clang-format"
    put base/error.c 'int    x  ;'
    broken check_style 'base/error.c: not as clang-format' 'a file that is not formatted'
fi

put algorithms/bcast/bcast_ring.c "$(descriptor bcast_ring)"
broken check_registry 'bcast_ring.c: its descriptor ct_bcast_ring is not in' \
    'an algorithm that is not registered'
put algorithms/registry.def "${linear[@]}" 'ALGORITHM(bcast, chain)'
broken check_registry 'registry.def:4: bcast/chain is not there' 'a line without its file'
put algorithms/registry.def "${linear[@]}" 'ALGORITHM(bcast, linear)'
broken check_registry 'bcast/linear stands here twice' 'a line that stands twice'
put algorithms/bcast/bcast_flat.c "$(descriptor bcast_linear)"
broken check_registry 'to be named like its file' 'a descriptor in another file'
put algorithms/registry.def "${linear[@]}" "$bcasts"
broken check_registry 'bcast/native stands here twice' 'a collective that stands twice'
put algorithms/registry.def 'COLLECTIVE(bcast, CT_COLLECTIVE_BARRIER)' 'ALGORITHM(bcast, linear)'
broken check_registry 'registry.def:2: expected COLLECTIVE(bcast, CT_COLLECTIVE_BCAST)' \
    'a constant of another'
put algorithms/registry.def "${ring[@]}" 'ALGORITHM(bcast, linear)'
broken check_registry 'registry.def:4: expected bcast/linear behind COLLECTIVE(bcast, CT_COLLECTIVE_BCAST)' \
    'a line among those of another collective'

put algorithms/registry.def "${linear[@]}" "${ring[@]}" "$gathervs" 'FORM(gatherv, gather, chain)'
broken check_registry 'ct_gatherv_chain is not in algorithms/registry.def: expected VARIANT(gatherv' \
    'a descriptor that a form does not use'
put algorithms/registry.def "${ring[@]}" "$gathervs" 'VARIANT(gatherv, gather, ring)'
broken check_registry 'expected algorithms/gather/gather_ring.c with the descriptor ct_gatherv_ring' \
    'a variant without its descriptor'
put algorithms/registry.def "${ring[@]}" "$gathervs" 'FORM(gatherv, gather, ring)' \
    'FORM(gatherv, gather, ring)'
broken check_registry 'gatherv/ring stands here twice' 'a form that stands twice'
put algorithms/registry.def "${ring[@]}" "$gathervs" 'ALGORITHM(gatherv, ring)'
broken check_registry 'expected algorithms/gatherv/gatherv_ring.c' \
    'a form registered as an algorithm of its own'
put algorithms/registry.def "${ring[@]}" "$gathervs" 'FORM(gatherv, bcast, ring)'
broken check_registry 'registry.def:5: gatherv/ring is not there: expected algorithms/bcast/bcast_ring.c' \
    'a form in the folder of another collective'
put algorithms/registry.def "$gathervs" 'FORM(gatherv, gather, ring)'
broken check_registry 'expected ALGORITHM(gather, ring)' 'a form whose algorithm is not registered'
put algorithms/gather/gather_ring.c "$(descriptor gather_ring)" "$(descriptor gatherv_tree)"
broken check_registry 'defines ct_gatherv_tree' 'a variant with another name'

put algorithms/registry.def
broken check_registry 'lists no algorithms' 'an empty registry'

rm "$tree/base/xml.h"
put decision/tree/tree.h '#ifndef TREE_H' '#define TREE_H' 'size_t leaves(void);' '#endif'
broken check_alone 'decision/tree/tree.h: does not compile alone' 'a header that needs another before it'
rm "$tree/base/xml.h"
put decision/tree/tree.h 'struct leaf {' '    int method;' '};'
broken check_alone 'decision/tree/tree.h: does not compile alone' 'a header without a guard'
rm "$tree/base/xml.h"
put library/channel.c 'int rank_of(const struct channel *channel)' '{' '    return channel->rank;' '}'
broken check_alone 'library/channel.c: does not compile alone' 'a source that needs another before it'

# libraries LINE...: libraries of one source each, for check_symbols.
libraries() {
    printf '%s\n' "$@" >"$work/source.c"
    "${compiler[@]}" -c -fPIC "$work/source.c" -o "$work/source.o"
    rm -f "$work/sound.a"
    ar rcs "$work/sound.a" "$work/source.o"
    "${compiler[@]}" -shared "$work/source.o" -o "$work/sound.so"
}

# symbols OUTCOME WORDS WHAT LIBRARY...: check_symbols of these ends so and says the words.
symbols() {
    local outcome=pass wanted=$1 words=$2 what=$3
    shift 3
    "$here/check_symbols" "$@" >"$work/output" 2>&1 || outcome=fail
    if [ "$outcome" = "$wanted" ] && [[ $(<"$work/output") == *"$words"* ]]; then
        echo "ok: check_symbols, $what"
    else
        echo "FAILED: check_symbols, $what: expected it to $wanted and to say '$words'; it said:"
        sed 's/^/    /' "$work/output"
        failures=$((failures + 1))
    fi
}

interposed='int MPI_Bcast(void) { return 0; } int colltuned_counters; static int table; int *ct_list(void);'
libraries "$interposed" '__attribute__((visibility("hidden"))) int *ct_list(void) { return &table; }'
symbols pass '' 'libraries in order' "$work/sound.a" "$work/sound.so"
libraries "$interposed" 'int *ct_list(void) { return &table; }'
symbols pass '' 'an archive whose parts use one another' "$work/sound.a"
symbols fail 'ct_list: expected' 'a shared library that shows its parts' "$work/sound.so"
libraries "$interposed" 'int *list(void) { return &table; }'
symbols fail 'sound.a: list: expected' 'a function of any name' "$work/sound.a"
libraries "$interposed" 'int counters;'
symbols fail 'sound.so: counters: expected' 'a variable of any name' "$work/sound.so"
libraries "$interposed" 'void mpi_bcast_(void) {} void mpi_bcast_f08_(void) {}'
symbols pass '' 'procedures in Fortran' "$work/sound.so"
libraries "$interposed" 'void mpi_bcast(void) {}'
symbols fail 'sound.so: mpi_bcast: expected' 'a function that libraries in C have, too' "$work/sound.so"
libraries "$interposed" '__attribute__((weak)) void MPIX_Init(void) {}'
symbols fail 'MPIX_Init: expected' 'a weak function of any name' "$work/sound.a"
libraries 'static int table; int *ct_list(void);'
symbols fail 'defines nothing' 'a library of nothing' "$work/sound.a"
symbols fail 'defines nothing' 'a library that is not there' "$work/missing.a"

[ "$failures" -eq 0 ]
