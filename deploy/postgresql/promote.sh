#!/bin/sh
# Makes the standby that has received most the new primary, and has the other standbys follow it.
#
#   promote.sh pg2:5432 pg3:5432
#
# Name all standbys. The primary has confirmed what any one of them has, so without one of them something may be lost;
# say --without-the-others if you accept that. It connects as PGUSER (default: postgres) with the password in ~/.pgpass.
# Each standby connects to the new primary as "replicator", with the password in the ~/.pgpass of its own user.
set -eu
export PGUSER="${PGUSER:-postgres}" PGDATABASE=postgres PGCONNECT_TIMEOUT=5

all=1
[ "${1:-}" != --without-the-others ] || { all=0; shift; }
[ $# -gt 0 ] || { echo "Usage: promote.sh [--without-the-others] <host:port>…" >&2; exit 2; }
[ $all = 0 ] || [ $# -gt 1 ] || { echo "Name all standbys. One alone may lack what was confirmed." >&2; exit 2; }

ask() { psql -X -q -A -t -v ON_ERROR_STOP=1 -h "${1%:*}" -p "${1##*:}" -c "$2"; }

for host in "$@"; do
    [ "$(ask "$host" 'select pg_is_in_recovery()')" = t ] || { echo "$host is no standby; nothing was changed." >&2; exit 1; }
done

# From here on no standby takes anything from the former primary, so that one confirms nothing more, even if it lives.
for host in "$@"; do
    ask "$host" "alter system set primary_conninfo = ''"
    ask "$host" 'select pg_reload_conf()' >/dev/null
done
for host in "$@"; do
    until [ "$(ask "$host" 'select count(*) from pg_stat_wal_receiver')" = 0 ]; do sleep 0.1; done
done

newest='' most=-1
for host in "$@"; do
    has=$(ask "$host" "select pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')")
    echo "$host has received $has bytes"
    # The numbers may be larger than the shell's.
    [ "$(ask "$host" "select $has > $most")" != t ] || { most=$has newest=$host; }
done

ask "$newest" 'select pg_promote(true, 60)' | grep -qx t
for host in "$@"; do
    [ "$host" != "$newest" ] || continue
    ask "$host" "alter system set primary_conninfo = 'host=${newest%:*} port=${newest##*:} user=replicator'"
    ask "$host" 'select pg_reload_conf()' >/dev/null
done
echo "$newest is the primary"
[ $all = 1 ] || echo "No standby follows yet, so no write is confirmed: add one, or say that none is needed (docs/deploy.md)."

# A checkpoint writes the new timeline down on each host. A server that finds it knows a former primary that was started again.
ask "$newest" checkpoint
timeline=$(ask "$newest" 'select timeline_id from pg_control_checkpoint()')
for host in "$@"; do
    tries=0
    until [ "$(ask "$host" checkpoint; ask "$host" 'select timeline_id from pg_control_checkpoint()')" = "$timeline" ]; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "$host does not follow $newest yet; see its log." >&2; exit 1; }
        sleep 0.1
    done
done
