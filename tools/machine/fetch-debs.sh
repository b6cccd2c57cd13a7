#!/bin/sh
# fetch-debs.sh <folder> <package>[/<suite>] …
# Unpacks packages into a folder: those of Debian 13 with `/trixie` behind the name, others of this Debian. The system
# stays as it is.
set -eu
folder=$1
shift
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
for each in trixie "$VERSION_CODENAME"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $each main"
done | sort -u >"$work/sources.list"
ask update
names=$(for each in "$@"; do case $each in */*) echo "$each" ;; *) echo "$each/$VERSION_CODENAME" ;; esac; done)
(cd "$work/packages" && ask download $names)
for each in "$work"/packages/*.deb; do dpkg -x "$each" "$work/unpacked"; done
# What is half copied has another name.
rm -rf "$folder.new" && mv "$work/unpacked" "$folder.new" && mv "$folder.new" "$folder"
