#!/bin/sh
# Unpacks Patroni and etcd of Debian 13 into a folder, with the libraries of this Debian that Patroni needs. The system
# stays as it is.
set -eu
folder=$1
suite=trixie
. /etc/os-release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/packages" "$(dirname "$folder")"
touch "$work/status"

ask() {
    apt-get -qq -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work" -o APT::Sandbox::User=root \
        -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null "$@"
}
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sed -n "s/ $VERSION_CODENAME\$//p" | head -n 1)
for each in $suite "$VERSION_CODENAME"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $each main"
done | sort -u >"$work/sources.list"
ask update
names=$(
    for name in patroni etcd-server etcd-client python3-ydiff; do echo "$name/$suite"; done
    for name in psycopg2 yaml urllib3 dateutil prettytable psutil click six wcwidth etcd dnspython; do echo "python3-$name/$VERSION_CODENAME"; done
)
(cd "$work/packages" && ask download $names)
for each in "$work"/packages/*.deb; do dpkg -x "$each" "$work/unpacked"; done
# What is half copied has another name.
rm -rf "$folder.new" && mv "$work/unpacked" "$folder.new" && mv "$folder.new" "$folder"
