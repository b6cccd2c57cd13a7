#!/bin/sh
# Makes the passwords of the database, and certificates by an authority of its own: a folder with the secrets of each host.
#
#   make-secrets.sh pg1 pg2 pg3
#
# Keep ca.key where no host is. With it there, a further host gets a certificate of the same authority.
set -eu
umask 077
make_key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc'

# Patroni of Debian 13 (Python 3.13) refuses an authority without keyUsage.
[ -e ca.key ] || openssl req -x509 $make_key -days 3650 -subj '/CN=database' -keyout ca.key -out ca.crt \
    -addext keyUsage=critical,keyCertSign,cRLSign
[ -e passwords.env ] || for name in PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD SITE_PASSWORD; do
    echo "$name=$(openssl rand -hex 24)"
done >passwords.env

for host in "$@"; do
    mkdir -p "$host"
    openssl req -x509 $make_key -CA ca.crt -CAkey ca.key -days 3650 -subj "/CN=$host" \
        -keyout "$host/host.key" -out "$host/host.crt" -addext "subjectAltName=DNS:$host,DNS:localhost,IP:127.0.0.1" \
        -addext basicConstraints=critical,CA:FALSE -addext keyUsage=critical,digitalSignature
    cp ca.crt passwords.env "$host"
done
