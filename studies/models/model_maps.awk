# SPDX-License-Identifier: BSD-3-Clause
# The rectangles of model_maps: lines LEFT ROW WIDTH KIND COLOUR in FOLDER/WAY-MODEL, where kind 0 is the
# method and 1 the penalty; FOLDER/xtics and ytics for the axes; FOLDER/legend with a colour and a method in
# each line; FOLDER/extent with the numbers of columns and rows. Cells come in the order of way, model, ranks
# and size; those that look alike beside one another are one rectangle.
BEGIN {
    split("3381759 15625216 10354588 3969604 15899224 9273087 4474111 12434877 8947848 16757115 5635925 " \
          "11184810 13408614 6710886 30583 16738740", palette, " ")
    bands = split("16777215 16706490 16624205 14702652 11741231 6291469", shade, " ")
    split("0.05 0.1 0.25 0.5 1", most, " ")
}

{
    line[NR] = $0
    wins[$5]++
    if (!($3 in rank_seen)) {
        rank_seen[$3] = 1
        ranks[++rank_count] = $3 + 0
    }
    if (!($4 in size_seen)) {
        size_seen[$4] = 1
        sizes[++size_count] = $4 + 0
    }
}

function sort(values, count,    i, j, kept) {
    for (i = 2; i <= count; i++)
        for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
            kept = values[j]
            values[j] = values[j - 1]
            values[j - 1] = kept
        }
}

function size_text(size) {
    return size < 1024 ? size : size / 1024 "K"
}

# Labels at every fourth place.
function write_tics(values, count, file,    i) {
    for (i = 1; i <= count; i += 4)
        printf "%s\"%s\" %d", (i > 1 ? "," : ""), size_text(values[i]), i - 1 >(folder "/" file)
}

# Methods by falling number of cells have the colours in order.
function give_colours(    method, top) {
    do {
        top = ""
        for (method in wins)
            if (!(method in colour) && (top == "" || wins[method] > wins[top] ||
                                        (wins[method] == wins[top] && method < top)))
                top = method
        if (top != "") {
            colour[top] = palette[++methods]
            method = top
            gsub(";", ",", method)
            print colour[top], method >(folder "/legend")
        }
    } while (top != "")
}

function shade_of(penalty,    band) {
    for (band = 1; band < bands && penalty > most[band]; band++)
        ;
    return shade[band]
}

function write_rectangles(kind,    i, x, file, row, left, width, look, now) {
    for (i = 1; i <= NR + 1; i++) {
        split(line[i], x, ",")
        now = kind ? shade_of(x[6]) : colour[x[5]]
        if (width > 0 && i <= NR && x[1] "-" x[2] == file && row_of[x[3]] == row && now == look &&
            column_of[x[4]] == left + width) {
            width++
            continue
        }
        if (width > 0)
            print left, row, width, kind, look >>(folder "/" file)
        file = x[1] "-" x[2]
        row = row_of[x[3]]
        left = column_of[x[4]]
        look = now
        width = 1
    }
}

END {
    sort(ranks, rank_count)
    sort(sizes, size_count)
    for (i = 1; i <= rank_count; i++)
        row_of[ranks[i]] = i - 1
    for (i = 1; i <= size_count; i++)
        column_of[sizes[i]] = i - 1
    write_tics(sizes, size_count, "xtics")
    write_tics(ranks, rank_count, "ytics")
    give_colours()
    write_rectangles(0)
    write_rectangles(1)
    print size_count, rank_count >(folder "/extent")
}
