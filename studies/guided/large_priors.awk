# SPDX-License-Identifier: BSD-3-Clause
# Reads samples.csv of a simulated run and then of its prediction; commas in methods are semicolons. Prints
# what sweeps cost and lose that simulate in each cell only native and the methods that are predicted to take
# at most so many times as long as the best; and what is lost by as many methods that are drawn at random, in
# the mean. The simulated run comes first, since methods on which the simulator gave up do not count.
BEGIN {
    FS = ","
    factor_count = split("4 2 1.5 1.2 1.1 1.05 1.02 1", factors, " ")
}
FNR == 1 { file++; next }
{ cell = $2 "," $6 "," $8 }
function add_slot() {
    slots[cell]++
    methods[cell, slots[cell]] = $3
}
file == 1 && $13 != "ok" { gave_up[cell, $3] = 1; next }
file == 1 {
    seconds[cell, $3] = $12
    if (!(cell in best) || $12 < best[cell])
        best[cell] = $12
}
file == 1 && $3 == "native" { # always simulated
    add_slot()
    predicted[cell, $3] = 0
}
file == 2 && $13 == "ok" && !((cell, $3) in gave_up) {
    add_slot()
    predicted[cell, $3] = $12
    if (!(cell in least) || $12 < least[cell])
        least[cell] = $12
    if (!((cell, $3) in seconds)) # the model takes it for slow
        seconds[cell, $3] = $12
}

# The mean of the shortest of `count` of the cell's times, all draws being alike.
function by_chance(cell, count,    i, k, n, sum, share, sorted) {
    n = slots[cell]
    for (i = 1; i <= n; i++) {
        for (k = i; k > 1 && sorted[k - 1] > seconds[cell, methods[cell, i]]; k--)
            sorted[k] = sorted[k - 1]
        sorted[k] = seconds[cell, methods[cell, i]]
    }
    share = count / n # the first one is drawn
    for (i = 1; i <= n - count + 1; i++) {
        sum += share * sorted[i]
        # The next one is drawn and none before it.
        share *= (n - i - count + 1) / (n - i > 0 ? n - i : 1)
    }
    return sum
}

END {
    for (f = 1; f <= factor_count; f++) {
        repetitions = all = time = all_time = cells = loss = largest = chance = 0
        for (cell in best) {
            chosen = count = 0
            for (i = 1; i <= slots[cell]; i++) {
                method = methods[cell, i]
                all++
                all_time += seconds[cell, method]
                if (predicted[cell, method] > factors[f] * least[cell])
                    continue
                count++
                time += seconds[cell, method]
                if (!chosen || seconds[cell, method] < chosen)
                    chosen = seconds[cell, method]
            }
            repetitions += count
            cells++
            slowdown = chosen / best[cell] - 1
            loss += slowdown
            largest = slowdown > largest ? slowdown : largest
            chance += by_chance(cell, count) / best[cell] - 1
        }
        printf "| %s | %s | %d | %.1f %% | %.1f %% | %.2f %% | %.1f %% | %.0f %% |\n", name, factors[f],
            repetitions, 100 * repetitions / all, 100 * time / all_time, 100 * loss / cells, 100 * largest,
            100 * chance / cells
    }
}
