# SPDX-License-Identifier: BSD-3-Clause
# Reads samples.csv of a prediction and then of the simulated run; commas in methods are semicolons. Prints, for
# each collective and communicator size, how far predictions are off (|predicted / simulated - 1|), and what is
# lost by the methods that are predicted to be the best.
BEGIN { FS = "," }
FNR == 1 { file++; next }
{
    cell = $2 "," $6 "," $8
    key = cell "," $3
}
file == 1 { predicted[key] = $12; next }
$13 != "ok" || $3 == "native" || !(key in predicted) { next }
{
    error = predicted[key] / $12 - 1
    group = $2 "," $6
    groups[group] = 1
    errors[group, ++count[group]] = error < 0 ? -error : error
    if (!(cell in best) || $12 < best[cell])
        best[cell] = $12
    if (!(cell in least) || predicted[key] < least[cell]) {
        least[cell] = predicted[key]
        chosen[cell] = $12
    }
}
END {
    for (cell in best) {
        split(cell, parts, ",")
        group = parts[1] "," parts[2]
        loss[group] = loss[group] > chosen[cell] / best[cell] ? loss[group] : chosen[cell] / best[cell]
    }
    for (group in groups) {
        n = count[group]
        for (i = 2; i <= n; i++) {
            value = errors[group, i]
            for (k = i; k > 1 && errors[group, k - 1] > value; k--)
                errors[group, k] = errors[group, k - 1]
            errors[group, k] = value
        }
        split(group, parts, ",")
        printf "| %s | %s | %s | %d | %.1f %% | %.1f %% | %.1f %% | %.2f |\n", name, parts[1], parts[2], n, \
            100 * errors[group, int((n + 1) / 2)], 100 * errors[group, int(0.95 * n + 0.999)], \
            100 * errors[group, n], loss[group] | "sort -t '|' -k3,3 -k4,4n"
    }
}
