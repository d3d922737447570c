# SPDX-License-Identifier: BSD-3-Clause
# One row of the tables of studies: of the CSV of `colltune score`, first on the run that was learned from, then
# across communicator sizes and across message sizes, where these are given. WHICH line of each counts from 1.
# CURVE, where it is not empty, is "FILE NAME": a point "NAME LEAVES MEAN MEAN MEAN" is added to that file.
FNR == 1 {
    file++
    for (i = 1; i <= NF; i++)
        at[$i] = i
}

FNR == which + 1 {
    for (name in at)
        value[file, name] = $at[name]
}

function percent(file, name) {
    return sprintf("%.2f", 100 * value[file, name])
}

END {
    if (value[1, "cells"] == 0)
        exit
    if (which == 3)
        title = title ": " value[1, "method"]
    row = "| " title " | "
    row = row (which == 1 ? value[1, "leaves"] : 1) " | "
    row = row (which > 1 ? "0" : value[1, "depth_min"] " / " sprintf("%.2f", value[1, "depth_mean"]) " / " \
                                 value[1, "depth"])
    split("min mean median p95 max", names, " ")
    for (i = 1; i <= 5; i++)
        row = row " | " percent(1, names[i])
    row = row sprintf(" | %.1f | %.1f | ", 100 * value[1, "best"], 100 * value[1, "within_5_percent"])
    if (which == 1 && value[1, "speedup_cells"] > 0)
        row = row sprintf("%.2f", value[1, "speedup_geometric_mean"])
    for (i = 2; i <= 3; i++)
        row = row (i <= file ? " | " percent(i, "mean") " | " percent(i, "p95") : " |  | ")
    print row " |"
    if (split(curve, word, " ") == 2)
        print word[2], value[1, "leaves"], percent(1, "mean"), percent(2, "mean"), percent(3, "mean") >>word[1]
}
