#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# From a model to a decision: test_predict.sh COLLTUNE MODEL.xml.
colltune=$(realpath "$1")
model=$(realpath "$2")
# shellcheck source=../../expect.sh disable=SC1091
. "$(dirname "$(realpath "$0")")/../../expect.sh"
cd "$folder" || exit 1

# A run like others.
expect 0 'run has 62 cells' predict "$model" -o run -c barrier,bcast --comm-sizes 2-32 --msg-sizes 8K
grep -q '<backend kind="predicted" launcher="grig-tcp"/>' run/run.xml || failed=1
grep -q 'sync="evaluation/plogp"' run/run.xml || failed=1
expect 0 'split_binary' map run -c bcast
expect 0 'bcast: ' learn run -o table.xml -c bcast
expect 0 '' generate table.xml --format c -o decisions.h
grep -q 'run run: predicted, grig-tcp' decisions.h || failed=1
expect 2 'exists already' predict "$model" -o run -c bcast --comm-sizes 2 --msg-sizes 8

# With shared links a rank's two messages at once are both late; the run says so.
for links in '' --no-share-links; do
    expect 0 '1 prediction:' predict "$model" -o "links$links" $links \
        --cost-model loggp -c bcast --comm-sizes 3 \
        --msg-sizes 64K --methods linear
done
grep -q '<property name="prediction.links" value="shared"/>' links/run.xml || failed=1
cmp -s links/samples.csv links--no-share-links/samples.csv && failed=1

# A topology of the model counts: two messages between the same leaf switches share a link.
tree='<topology shape="fattree:2;2,2;1,1;1,1" latency="0" hops="2"/>'
sed -e 's/version="1"/version="3"/' -e "s|<work|$tree<work|" "$model" >tree.xml
for machine in "$model" tree.xml; do
    expect 0 '1 prediction:' predict "$machine" -o "$(basename "$machine" .xml)-ways" \
        -c allreduce --comm-sizes 4 \
        --msg-sizes 1M --methods recursive_doubling --cost-model loggp
done
cmp -s grig-tcp-ways/samples.csv tree-ways/samples.csv && failed=1
expect 2 '5 ranks on 5 nodes: the topology fattree:2;2,2;1,1;1,1 has 4' predict tree.xml -o none -c bcast \
    --comm-sizes 5 --msg-sizes 8 --methods binomial:

# One message under each model: tables 4.12 and 4.13. Without shared links the digits are the formula's.
for time in hockney=0.00011065 loggp=0.0001456 plogp=0.0001456; do
    kind=${time%=*}
    expect 0 '1 prediction:' predict "$model" -o "$kind" \
        --no-share-links --cost-model "$kind" -c barrier --comm-sizes 2 \
        --methods dissemination:
    grep -q "barrier,dissemination,2,1,2,0,0,,,0,${time#*=}" "$kind/samples.csv" || {
        echo "FAILED: $kind: expected ${time#*=}"
        cat "$kind/samples.csv"
        failed=1
    }
done

# What reductions do not take is said, alone and beside others; so is a link that the model does not have.
expect 0 '2 cells were left out: reductions sum doubles' predict "$model" -o uneven -c bcast,allreduce \
    --comm-sizes 2,4 --msg-sizes 8,12
expect 2 'nothing to predict: reductions sum doubles' predict "$model" -o no -c allreduce --msg-sizes 1
for ppn in 1 2; do
    "$colltune" predict "$model" -o "ppn$ppn" --ppn $ppn -c bcast --comm-sizes 4 --msg-sizes 8 2>ppn$ppn.log
done
if grep -q 'within a node' ppn1.log ||
    ! grep -q 'no PLogP parameters for messages within a node' ppn2.log; then
    echo "FAILED: a model without the link node: $(cat ppn2.log)"
    failed=1
fi
sed -e 's|<link kind="network"|<link kind="node"|' "$model" | sed -n '/<link/,/<\/link>/p' >link
sed '/<\/link>/r link' "$model" >two.xml
if "$colltune" predict two.xml -o two --ppn 2 -c bcast --comm-sizes 4 --msg-sizes 8 2>&1 |
    grep 'within a node'; then
    echo "FAILED: a model with the link node"
    failed=1
fi

# The model of one machine knows messages within a node alone. As long as all ranks share one, it predicts,
# fills in and learns what the same parameters of a network do, by plans and by formulas. Within a node
# no links are shared.
sed 's|<link kind="network"|<link kind="node"|' "$model" >one.xml
between='one.xml: no Hockney parameters for messages between nodes; measure with colltune fit on two nodes'
for by in plans formulas; do
    for links in network node; do
        machine=$model ppn=1
        [ $links = network ] || machine=one.xml ppn=16
        expect 0 '18 predictions' predict "$machine" -o "$links-$by" --ppn $ppn -c bcast --comm-sizes 2,5,16 \
            --msg-sizes 8,1M --methods binomial:,linear,pipeline: --by $by --cost-model loggp --no-share-links
        cut -d, -f3,6,8,12 "$links-$by/samples.csv" >$links.times
    done
    cmp network.times node.times || failed=1
done
expect 2 "$between, or pass --ppn 64 to predict within one node" predict one.xml -o wrong --comm-sizes 2-64*2
expect 2 "$between, or pass --ppn 16 to predict" predict one.xml -o wrong --ppn 8 --comm-sizes 2-16
expect 0 '4 predictions' predict one.xml -o voted-node --ppn 4 -c bcast --comm-sizes 2,4 --msg-sizes 8 \
    --methods binomial:,linear --vote hockney,loggp=2
for run in node-plans network-plans; do
    sed -i 's/backend kind="predicted"/backend kind="real"/' $run/run.xml
done
expect 0 '27 predicted samples; 9 cells are' supplement node-plans one.xml -o filled-node --comm-sizes 8,32 \
    --msg-sizes 1K
expect 2 "$between" supplement network-plans one.xml -o wrong
expect 0 'bcast: ' learn node-plans -o one-table.xml --learner interpolate --model one.xml
expect 2 'one.xml: no PLogP parameters for messages between nodes; measure with' learn network-plans \
    -o wrong --learner interpolate --model one.xml
expect 0 '' generate one.xml --format model-c -c bcast -o one.c
grep -q 'all ranks on one node' one.c || failed=1

# A vote; nodes; too many messages.
expect 0 '36 cells' predict "$model" -o voted --vote hockney=1,loggp=2,plogp=2 -c bcast --comm-sizes 2-7 \
    --msg-sizes 8-32K*8,1M
grep -q 'sync="vote/hockney=1,loggp=2,plogp=2"' voted/run.xml || failed=1
expect 0 '1 prediction:' predict "$model" -o nodes --ppn 2 -c barrier --comm-sizes 6 --methods two_level:
grep -q 'barrier,two_level,3,2,6,' nodes/samples.csv || failed=1
expect 0 'left out, and 2 cells: more than 30 messages' predict "$model" -o few \
    --max-messages 30 -c bcast --comm-sizes 4,32 --msg-sizes 8,1M --methods chain:seg=1K,knomial:radix=3
expect 2 'every prediction needs more than 3 messages' predict "$model" -o none --max-messages 3 -c bcast \
    --comm-sizes 5 --msg-sizes 8 --methods knomial:radix=3
[ ! -e none ] || failed=1

# Closed formulas: where plans take too much, or everywhere.
expect 0 '4 predictions: 1 by plans, 3 by formulas' predict "$model" -o stand --max-messages 30 -c bcast \
    --comm-sizes 4,32 --msg-sizes 8,1M --methods pipeline:seg=1K
grep -q 'name="prediction.by-formula" value="3"' stand/run.xml || failed=1
expect 0 '1 method was left out: no formula' predict "$model" -o formulas --by formulas -c bcast \
    --comm-sizes 8 --msg-sizes 64K --methods pipeline:,knomial:radix=3
grep -q 'sync="formulas/plogp"' formulas/run.xml || failed=1
expect 2 'none of the methods has a formula' predict "$model" -o none --by formulas -c bcast \
    --methods knomial:radix=3
[ ! -e none ] || failed=1

# Segments of sizes that no sweep has; a table of them is one like others.
expect 0 '2 predictions' predict "$model" -o listed -c bcast --comm-sizes 8 --msg-sizes 64K \
    --segments 5102,9K --methods pipeline
grep -q 'bcast,pipeline:seg=5102,' listed/samples.csv || failed=1
for way in formula search; do
    expect 0 ' 12 predictions' predict "$model" -o "$way" -c bcast --comm-sizes 8-32*2 \
        --msg-sizes 64K,1M --segments "$way" --methods pipeline,split_binary
    expect 0 'bcast: ' learn "$way" -o "$way.xml" --learner quadtree
    expect 0 '100.0 %' score -v "$way.xml" "$way"
    expect 0 '' generate "$way.xml" --format c -o "$way.h"
    grep -q 'pipeline:seg=[0-9]*[1-9]' "$way.xml" || failed=1
done

# A run with holes: half of a sweep, and sizes that it has not.
expect 0 '24 predictions' predict "$model" -o sparse -c bcast,reduce --comm-sizes 4,16 --msg-sizes 8,1K,64K \
    --methods binomial:,pipeline:
sed -i 's/backend kind="predicted"/backend kind="real"/' sparse/run.xml
expect 0 'has 24 measured and 36 predicted samples; 18 cells are new' supplement sparse "$model" \
    -o filled --comm-sizes 4,8 --msg-sizes 32K,1M
grep -q 'name="supplement.samples" value="36"' filled/run.xml || failed=1
[ "$(grep -c ',predicted$' filled/samples.csv)" -eq 36 ] || failed=1
expect 0 'Not all is measured: 18 times are predicted, and in 9 of 15 cells' map filled -c bcast
[ "$("$colltune" map filled -c bcast --format csv | grep -c ',predicted,')" -eq 18 ] || failed=1
[ "$("$colltune" map filled -c bcast --format csv | grep -c ',measured,')" -eq 12 ] || failed=1
[ "$("$colltune" map run --format csv | grep -c ',measured,')" -eq 0 ] || failed=1
expect 0 'bcast: ' learn filled -o filled.xml
expect 2 'was supplemented already' supplement filled "$model" -o wrong
expect 2 'exists already' supplement sparse "$model" -o filled
expect 2 '--comm-sizes: 1 is out of range; expected 2' supplement sparse "$model" -o wrong --comm-sizes 1
expect 2 'expected RUN MODEL.xml' supplement sparse -o wrong
expect 2 'nothing' supplement nothing "$model" -o wrong
# Predictions corrected by predictions of the same model are these predictions.
expect 0 '6 predictions' predict "$model" -o again -c bcast --comm-sizes 8 --msg-sizes 8,1K,64K \
    --methods binomial:,pipeline:
for row in binomial,8,1,8,0,8 pipeline,8,1,8,0,1024; do
    told=$(grep "bcast,$row," again/samples.csv | cut -d, -f12)
    filled=$(grep "bcast,$row," filled/samples.csv | cut -d, -f12)
    awk "BEGIN { exit !($told > 0 && ($filled / $told - 1) ^ 2 < 1e-20) }" || failed=1
done

# What is wrong is said.
expect 2 "--by 'guess': expected plans or formulas" predict "$model" -o wrong --by guess
expect 2 "1x" predict "$model" -o wrong --segments 1x
expect 2 "expected sweep, formula, search or sizes: 'formulas'" predict "$model" -o wrong --segments formulas
expect 2 "--cost-model 'logp': did you mean 'loggp'? expected hockney" predict "$model" -o wrong \
    --cost-model logp
expect 2 'expected a weight above 0' predict "$model" -o wrong --vote loggp=0
expect 2 'loggp is given twice' predict "$model" -o wrong --vote loggp=1,loggp=2
expect 2 '--vote: cannot be combined with --cost-model' predict "$model" -o wrong --vote loggp \
    --cost-model plogp
expect 2 'it has no single message size' predict "$model" -o wrong -c gatherv
expect 2 '--comm-sizes: 1 is out of range; expected 2 to' predict "$model" -o wrong --comm-sizes 1
expect 2 '--msg-sizes: 0 is out of range; expected 1 to' predict "$model" -o wrong --msg-sizes 0
expect 2 'native cannot be predicted' predict "$model" -o wrong -c bcast --methods native
expect 2 '--output is missing' predict "$model"
expect 2 'expected MODEL.xml' predict -o wrong
expect 1 'nothing.xml' predict nothing.xml -o wrong
[ ! -e wrong ] || failed=1
exit $failed
