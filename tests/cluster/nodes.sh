#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A cluster in a box, for tests of what needs several hosts: nodes n1, n2, ... on one machine, for root. Each
# has a network, a host name, /tmp and /dev/shm of its own, and a clock where that is asked for. They share
# the other files, as by a network file system, and the CPUs. A test takes this file in, first of all, and
# calls cluster_make, which makes a folder for it.
# shellcheck disable=SC2016,SC2034 # bash on a node expands; tests look at `failed`
#
# A node is a process that holds namespaces. They have no names outside the test, and the test itself is the
# first process of a namespace: when it ends or is killed, the kernel ends what it has started and removes all
# nodes with their devices.

# cluster_skip REASON: ends a test that cannot be run here.
cluster_skip()
{
    echo "skipped: $1"
    exit 77
}

# cluster_need PROGRAM...: ends the test where one is not installed.
cluster_need()
{
    local program
    for program; do
        command -v "$program" >/dev/null || cluster_skip "$program is not installed"
    done
}

fail()
{
    echo "FAILED: $*"
    failed=1
}

# must COMMAND...: a command that must succeed; what it says is shown if it does not.
must()
{
    "$@" >log 2>&1 || fail "$*: $(cat log)"
}

# expect WORDS FILE: the file has a line with these words.
expect()
{
    grep -q -e "$1" "$2" || fail "'$1' was expected: $(cat "$2")"
}

if [ -z "$CLUSTER_INSIDE" ]; then
    cluster_need ip tc unshare nsenter pgrep
    [ "$(id -u)" = 0 ] || cluster_skip 'namespaces need root'
    unshare --mount --pid --fork --mount-proc unshare --net --uts --ipc \
        ip link add probe type veth peer name other 2>/dev/null ||
        cluster_skip 'this kernel has no namespaces, or no veth devices'
    export CLUSTER_INSIDE=1 CLUSTER_SOURCES CLUSTER_BUILD
    CLUSTER_SOURCES=$(realpath "$(dirname "$0")/../..") CLUSTER_BUILD=$(realpath ../..)
    exec unshare --mount --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi

# cluster_hold NAME NAMESPACE...: starts the process that holds a node's namespaces, and notes its id.
cluster_hold()
{
    local name=$1
    shift
    unshare --net --uts --ipc --mount "$@" bash -c 'exec sleep infinity' </dev/null &
    disown $! # its end needs no message
    echo $! >"$cluster/$name.pid"
    # It has its namespaces once it is `sleep`.
    until [ "$(cat "/proc/$!/comm" 2>/dev/null)" = sleep ]; do
        kill -0 $! 2>/dev/null || cluster_skip "the kernel refuses a node's namespaces: unshare $*"
        sleep 0.02
    done
}

# Within a node: its name, and what it does not share. Folders of /tmp that the test needs stay: the
# compiler's cache, the sources, and the build folder, in which the test works.
cluster_furnish()
{
    local kept at=0
    hostname "$1"
    ip link set lo up
    mount --bind "$cluster/etc-hosts" /etc/hosts
    for kept in "$CCACHE_DIR" "$CLUSTER_SOURCES" "$CLUSTER_BUILD"; do
        at=$((at + 1))
        case $kept in
        /tmp/?*) mkdir -p "$kept" "$cluster/kept$at" && mount --bind "$kept" "$cluster/kept$at" ;;
        esac
    done
    mkdir -p "$cluster/tmp.$1"
    mount -t tmpfs node-tmp "$cluster/tmp.$1"
    chmod 1777 "$cluster/tmp.$1"
    at=0
    for kept in "$CCACHE_DIR" "$CLUSTER_SOURCES" "$CLUSTER_BUILD"; do
        at=$((at + 1))
        case $kept in
        /tmp/?*) mkdir -p "$cluster/tmp.$1/${kept#/tmp/}" &&
            mount --bind "$cluster/kept$at" "$cluster/tmp.$1/${kept#/tmp/}" ;;
        esac
    done
    mount --rbind "$cluster/tmp.$1" /tmp
    mount -t tmpfs node-shm /dev/shm
    chmod 1777 /dev/shm
}

# cluster_make COUNT [SECONDS]: makes the nodes n1 to nCOUNT; the clock of node I is (I - 1) * SECONDS ahead.
# Makes the folder $cluster with the program `ssh`, which launchers use, and the file `hosts`, a name a line.
# The folder $cluster/work becomes the test's.
cluster_make()
{
    local i clock
    cluster=$(mktemp -d "$PWD/cluster.XXXXXX") || exit 1
    failed=0
    trap cluster_remove EXIT
    trap 'exit 1' INT TERM HUP
    echo '127.0.0.1 localhost' >"$cluster/etc-hosts"
    for ((i = 1; i <= $1; i++)); do
        echo "10.77.0.$i n$i" >>"$cluster/etc-hosts"
        echo "n$i" >>"$cluster/hosts"
    done
    cat >"$cluster/ssh" <<SCRIPT
#!/bin/bash
# ssh [OPTION...] HOST COMMAND...: as by ssh, the command has a shell and a fresh environment.
while [[ \$1 == -* ]]; do shift; done
[ -e "$cluster/\$1.pid" ] || { echo "ssh: no host \$1" >&2; exit 255; }
id=\$(cat "$cluster/\$1.pid")
shift
exec nsenter --target "\$id" --net --uts --ipc --mount --time env -i HOME="\$HOME" PATH="\$PATH" sh -c "\$*"
SCRIPT
    chmod +x "$cluster/ssh"
    cluster_hold switch
    nsenter -t "$(cat "$cluster/switch.pid")" --net \
        sh -c 'ip link add bridge type bridge && ip link set bridge up' || exit 1
    for ((i = 1; i <= $1; i++)); do
        clock=
        [ -z "$2" ] || clock="--time --monotonic $(((i - 1) * $2))"
        # shellcheck disable=SC2086 # no option, or several
        cluster_hold "n$i" $clock
        ip link add eth0 netns "$(cat "$cluster/n$i.pid")" type veth peer name "n$i" \
            netns "$(cat "$cluster/switch.pid")" || exit 1
        nsenter -t "$(cat "$cluster/switch.pid")" --net ip link set "n$i" master bridge up || exit 1
        cluster_furnish_node "n$i" "10.77.0.$i" || exit 1
    done
    # what hydra and Open MPI start other nodes with
    export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$cluster/ssh OMPI_MCA_plm_rsh_agent=$cluster/ssh
    # UCX finds memory that ranks of different nodes share, since they have one kernel.
    export UCX_TLS=tcp,self
    # All nodes have the same two CPUs or so, which the ranks of one do not know of the others.
    export COLLTUNE_WAIT=yield
    mkdir "$cluster/work"
    cd "$cluster/work" || exit 1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

cluster_furnish_node()
{
    export cluster
    export -f cluster_furnish
    on "$1" bash -e -c 'cluster_furnish "$0"; ip address add "$1/24" dev eth0; ip link set eth0 up' "$1" "$2"
}

# on NODE COMMAND...: runs a command there, in this folder and environment.
on()
{
    local node=$1
    shift
    # shellcheck disable=SC2016 # expanded there
    nsenter --target "$(cat "$cluster/$node.pid")" --net --uts --ipc --mount --time \
        bash -c 'cd "$0" && exec "$@"' "$PWD" "$@"
}

# cluster_rate NODE RATE: limits a node's link in both directions.
cluster_rate()
{
    # shellcheck disable=SC2086 # several words
    local limit="root tbf rate $2 burst 16kb latency 400ms"
    # shellcheck disable=SC2086
    nsenter -t "$(cat "$cluster/$1.pid")" --net tc qdisc replace dev eth0 $limit &&
        nsenter -t "$(cat "$cluster/switch.pid")" --net tc qdisc replace dev "$1" $limit
}

# The processes on a node.
cluster_processes()
{
    local process network
    network=$(readlink "/proc/$(cat "$cluster/$1.pid")/ns/net")
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/ns/net" 2>/dev/null)" != "$network" ] || echo "${process#/proc/}"
    done
}

# cluster_kill NODE: the node dies, with all that runs there.
cluster_kill()
{
    local processes
    processes=$(cluster_processes "$1")
    rm "$cluster/$1.pid"
    # shellcheck disable=SC2086 # several words
    kill -KILL $processes 2>/dev/null
}

cluster_remove()
{
    local code=$? name
    trap - EXIT
    cd /
    for name in "$cluster"/*.pid; do
        [ ! -e "$name" ] || cluster_kill "$(basename "$name" .pid)"
    done
    rm -rf "$cluster"
    exit "$code"
}
