# SPDX-License-Identifier: BSD-3-Clause
# The tables of simulated_comparison from its samples, which are lines
# SIDE,PLATFORM,RANKS,COLLECTIVE,BYTES,METHOD,SECONDS,STATUS. Variables: lists of platforms, ranks,
# collectives and selectors, and the file for the points.

function size_text(bytes) {
    return bytes >= 1048576 ? bytes / 1048576 "M" : bytes >= 1024 ? bytes / 1024 "K" : bytes ""
}

function microseconds(seconds) {
    return sprintf("%.1f", 1e6 * seconds)
}

# Cells of a table are kept until their widths are known.
function begin_table(heads) {
    table_columns = split(heads, table_heads, ",")
    table_rows = 0
    for (c = 1; c <= table_columns; c++)
        table_width[c] = length(table_heads[c])
}

function add_row() {
    table_rows++
    table_column = 0
}

function add_cell(text) {
    table[table_rows, ++table_column] = text
    if (length(text) > table_width[table_column])
        table_width[table_column] = length(text)
}

# `left`: so many columns are words, the rest are numbers.
function end_table(left,    r, c, line, rule) {
    for (c = 1; c <= table_columns; c++) {
        line = line sprintf(c <= left ? "| %-*s " : "| %*s ", table_width[c], table_heads[c])
        rule = rule sprintf(c <= left ? "|%s-" : "|%s:", dashes(table_width[c] + 1))
    }
    print line "|\n" rule "|"
    for (r = 1; r <= table_rows; r++) {
        line = ""
        for (c = 1; c <= table_columns; c++)
            line = line sprintf(c <= left ? "| %-*s " : "| %*s ", table_width[c], table[r, c])
        print line "|"
    }
    print ""
}

function dashes(count,    text) {
    while (length(text) < count)
        text = text "-"
    return text
}

# Of equals the one with the shorter name, but any rather than a selector.
function is_nicer(method, than) {
    if ((method ~ /^coll-selector=/) != (than ~ /^coll-selector=/))
        return than ~ /^coll-selector=/
    return length(method) < length(than)
}

# The fastest of each side at a point, and a selector's own time.
function keep(side, place, seconds, method) {
    if (!((side, place) in time) || seconds < time[side, place] ||
        (seconds == time[side, place] && is_nicer(method, name[side, place]))) {
        time[side, place] = seconds
        name[side, place] = method
    }
}

BEGIN {
    FS = ","
    platform_count = split(platforms, platform_of, ",")
    rank_count = split(ranks, ranks_of, ",")
    selector_count = split(selectors, selector_of, ",")
    collective_count = split(collectives, collective_of, " ")
    for (i = 1; i <= platform_count; i++)
        chosen["platform", platform_of[i]]
    for (i = 1; i <= rank_count; i++)
        chosen["ranks", ranks_of[i]]
    for (i = 1; i <= collective_count; i++)
        chosen["collective", collective_of[i]]
}

!(("platform", $2) in chosen) || !(("ranks", $3) in chosen) || !(("collective", $4) in chosen) { next }

$8 != "ok" {
    what = $4 SUBSEP $6 SUBSEP $8
    if (!(what in failures))
        failed[++failed_count] = what
    failures[what]++
    if (!((what, $3) in failed_at)) {
        failed_at[what, $3]
        failed_ranks[what] = failed_ranks[what] (failed_ranks[what] ? "," : "") $3
    }
    next
}

{
    place = $2 SUBSEP $3 SUBSEP $4 SUBSEP $5
    gsub(";", ",", $6)
    keep($1, place, $7, $6)
    if ($1 == "native" && $6 ~ /^coll-selector=/)
        keep(substr($6, length("coll-selector=") + 1), place, $7, $6)
    if (!($5 in size_seen)) {
        size_seen[$5]
        for (i = ++size_count; i > 1 && size_of[i - 1] + 0 > $5 + 0; i--)
            size_of[i] = size_of[i - 1]
        size_of[i] = $5
    }
}

# Geometric mean over the sizes of t(side) / t(ours), "-" where there is none.
function mean_ratio(side, where,    i, place, sum, count) {
    for (i = 1; i <= size_count; i++) {
        place = where SUBSEP size_of[i]
        if (("ours", place) in time && (side, place) in time) {
            sum += log(time[side, place] / time["ours", place])
            count++
        }
    }
    total[side] += sum
    total_count[side] += count
    return mean_text(sum, count)
}

function mean_text(sum, count) {
    return count ? sprintf("%.2f", exp(sum / count)) : "-"
}

function short_name(word) {
    sub(/^coll-selector=/, "selector ", word)
    sub(/^[a-z_]*=/, "", word)
    return word
}

# A row, or the rows of points, for each place in order.
function each_place(which,    p, r, c) {
    for (p = 1; p <= platform_count; p++)
        for (r = 1; r <= rank_count; r++)
            for (c = 1; c <= collective_count; c++)
                if (which == "ratios")
                    ratio_row(platform_of[p], ranks_of[r], collective_of[c])
                else
                    point_rows(platform_of[p], ranks_of[r], collective_of[c])
}

function ratio_row(platform, ranks, collective,    s, where) {
    where = platform SUBSEP ranks SUBSEP collective
    add_row()
    add_cell(platform)
    add_cell(collective)
    add_cell(ranks)
    for (s = 1; s <= selector_count; s++)
        add_cell(mean_ratio(selector_of[s], where))
    add_cell(mean_ratio("native", where))
    add_cell(mean_ratio("charged", where))
}

function point_rows(platform, ranks, collective,    i, s, place, line) {
    for (i = 1; i <= size_count; i++) {
        place = platform SUBSEP ranks SUBSEP collective SUBSEP size_of[i]
        if (!(("ours", place) in time))
            continue
        line = platform "," ranks "," collective "," size_of[i] ",\"" name["ours", place] "\"," \
            time["ours", place] "," time["charged", place]
        for (s = 1; s <= selector_count; s++)
            line = line "," time[selector_of[s], place]
        print line "," short_name(name["native", place]) "," time["native", place] >points
        point_count++
        if (!(("native", place) in time) || time["ours", place] <= 1.02 * time["native", place])
            continue
        add_row()
        add_cell(platform)
        add_cell(collective)
        add_cell(short_name(name["native", place]))
        add_cell(name["ours", place])
        add_cell(ranks)
        add_cell(size_text(size_of[i]))
        add_cell(microseconds(time["native", place]))
        add_cell(microseconds(time["ours", place]))
        add_cell(sprintf("%.2f", time["native", place] / time["ours", place]))
    }
}

function show_ratios(    s) {
    print "Times of the simulator's own over our best, geometric means over the sizes:\n"
    begin_table("platform,collective,ranks," selectors ",best,charged")
    each_place("ratios")
    add_row()
    add_cell("all")
    add_cell("")
    add_cell("")
    for (s = 1; s <= selector_count; s++)
        add_cell(mean_text(total[selector_of[s]], total_count[selector_of[s]]))
    add_cell(mean_text(total["native"], total_count["native"]))
    add_cell(mean_text(total["charged"], total_count["charged"]))
    end_table(2)
}

function show_lost() {
    begin_table("platform,collective,its,ours,ranks,size,its us,our us,ratio")
    each_place("points")
    printf "One of its own is more than 2 %% faster than all of ours at %d of %d points%s\n\n", table_rows,
        point_count, table_rows ? ":" : "."
    if (table_rows)
        end_table(4)
}

function show_failed(    i, part) {
    if (!failed_count)
        return
    print "Left out, because they failed:\n"
    begin_table("collective,method,how,ranks,times")
    for (i = 1; i <= failed_count; i++) {
        split(failed[i], part, SUBSEP)
        add_row()
        add_cell(part[1])
        add_cell(short_name(part[2]))
        add_cell(part[3])
        add_cell(failed_ranks[failed[i]])
        add_cell(failures[failed[i]])
    }
    end_table(4)
}

END {
    if (!size_count) {
        print "no samples" >"/dev/stderr"
        exit 1
    }
    header = "platform,ranks,collective,bytes,ours,ours_seconds,charged_seconds"
    for (s = 1; s <= selector_count; s++)
        header = header "," selector_of[s] "_seconds"
    print header ",best,best_seconds" >points
    show_ratios()
    show_lost()
    show_failed()
}
