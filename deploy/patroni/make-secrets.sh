#!/bin/sh
# Makes the passwords of the database, and certificates by an authority of its own: a folder with the secrets of each host.
#
#   make-secrets.sh pg1 pg2 pg3
#
# Keep ca.key where no host is. With it there, a further host gets a certificate of the same authority.
set -eu
umask 077
make_key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc'

[ -e ca.key ] || openssl req -x509 $make_key -days 3650 -subj '/CN=database' -keyout ca.key -out ca.crt 2>/dev/null
[ -e passwords.env ] || for name in PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD SITE_PASSWORD; do
    echo "$name=$(openssl rand -hex 24)"
done >passwords.env

for host in "$@"; do
    mkdir -p "$host"
    openssl req $make_key -subj "/CN=$host" -keyout "$host/host.key" 2>/dev/null \
        -addext "subjectAltName=DNS:$host,DNS:localhost,IP:127.0.0.1" |
        openssl x509 -req -CA ca.crt -CAkey ca.key -copy_extensions copy -days 3650 -out "$host/host.crt" 2>/dev/null
    cp ca.crt passwords.env "$host"
done
