#!/bin/sh
# Patroni calls it on the first primary, once, with the address of the new database.
exec psql -X -v ON_ERROR_STOP=1 -d "$1" \
    -c "create role site login password '$SITE_PASSWORD'" -c 'create database site owner site'
