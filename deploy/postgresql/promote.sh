#!/bin/sh
# Makes the standby that has received most of the newest timeline the new primary, and has the other standbys follow it.
#
#   promote.sh pg2:5432 pg3:5432
#
# Name all standbys. The primary has confirmed what any one of them has, so without one of them something may be lost;
# say --without-the-others if you accept that. It connects as PGUSER (default: postgres) with the password in ~/.pgpass.
# Each standby connects to the new primary as "replicator", with the password in the ~/.pgpass of its own user.
# When it did not end, run it again with the same hosts: it goes on from where it was.
set -eu
export PGUSER="${PGUSER:-postgres}" PGDATABASE=postgres PGCONNECT_TIMEOUT=5

all=1
[ "${1:-}" != --without-the-others ] || { all=0; shift; }
[ $# -gt 0 ] || { echo "Usage: promote.sh [--without-the-others] <host:port>…" >&2; exit 2; }
[ $all = 0 ] || [ $# -gt 1 ] || { echo "Name all standbys. One alone may lack what was confirmed." >&2; exit 2; }

ask() { psql -X -q -A -t -v ON_ERROR_STOP=1 -h "${1%:*}" -p "${1##*:}" -c "$2"; }
line_to() { echo "host=${1%:*} port=${1##*:} user=replicator"; }

# Changes a setting of a host at once. It also removes what an operator has said while there was no standby, which each
# copy of that host has as well.
set_line() {
    ask "$1" "alter system set primary_conninfo = '$2'"
    ask "$1" 'alter system reset synchronous_standby_names'
    ask "$1" 'select pg_reload_conf()' >/dev/null
}

# The one that an earlier run has promoted, if that run did not end.
newest=''
for host in "$@"; do
    is_standby=$(ask "$host" 'select pg_is_in_recovery()') || { echo "$host cannot be reached; nothing was changed." >&2; exit 1; }
    [ "$is_standby" = f ] || continue
    [ -z "$newest" ] || { echo "$newest and $host are both primaries; nothing was changed." >&2; exit 1; }
    newest=$host
done
if [ -n "$newest" ]; then
    for host in "$@"; do
        line=$(ask "$host" "select current_setting('primary_conninfo')")
        [ -z "$line" ] || [ "$host" != "$newest" -a "$line" = "$(line_to "$newest")" ] ||
            { echo "$newest is no standby, and $host does not follow it; nothing was changed." >&2; exit 1; }
    done
fi

ended=0
say() {
    [ $ended = 1 ] || echo "This did not end. Standbys may follow nobody, and then no write is confirmed. Run it again with the same hosts." >&2
}
trap say EXIT
trap 'exit 1' HUP INT TERM

if [ -z "$newest" ]; then
    # From here on no standby takes anything from the former primary, so that one confirms nothing more, even if it lives.
    for host in "$@"; do set_line "$host" ''; done
    for host in "$@"; do
        while :; do
            # One that waits takes nothing, and stays where its primary is of another timeline.
            receivers=$(ask "$host" "select count(*) from pg_stat_wal_receiver where status <> 'waiting'")
            [ "$receivers" != 0 ] || break
            sleep 0.1
        done
        # A standby that was started without its primary has received nothing, and knows what it has when it has replayed it.
        echo "$host replays what it has"
        while :; do
            waits_for=$(ask "$host" "select wait_event from pg_stat_activity where backend_type = 'startup'")
            [ "$waits_for" != RecoveryRetrieveRetryInterval ] || break
            is_standby=$(ask "$host" 'select pg_is_in_recovery()')
            [ "$is_standby" = t ] || { echo "$host was promoted meanwhile." >&2; exit 1; }
            sleep 0.1
        done
    done

    # The newest timeline counts first. A former primary that was made a standby without a copy may have more, but nobody
    # has confirmed that, and it follows nobody.
    most='0, 0'
    for host in "$@"; do
        # The host then writes down which timeline it has replayed.
        ask "$host" checkpoint
        has=$(ask "$host" "select greatest(timeline_id, min_recovery_end_timeline) || ', ' ||
            pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')
            from pg_control_checkpoint(), pg_control_recovery()")
        echo "$host has received ${has#*, } bytes, of timeline ${has%,*}"
        # The numbers may be larger than the shell's.
        has_more=$(ask "$host" "select ($has) > ($most)")
        [ "$has_more" != t ] || { most=$has newest=$host; }
    done
    ask "$newest" 'select pg_promote(true, 60)' | grep -qx t
fi

for host in "$@"; do [ "$host" = "$newest" ] || set_line "$host" "$(line_to "$newest")"; done
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
ended=1
