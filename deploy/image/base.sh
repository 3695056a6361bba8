#!/usr/bin/env bash
# Makes a base for the image where no registry of images can be reached: Debian by debootstrap, with the Node that
# package-lock.json pins and npm, both of the npm registry. As root, with buildah and debootstrap, after `npm run bootstrap`:
#   bash deploy/image/base.sh localhost/concours-base
#   buildah bud --format docker --build-arg BASE=localhost/concours-base -f deploy/image/Containerfile -t concours .
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
name=${1:?the name of the base}
root=$(mktemp -d /tmp/concours-base.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT

# Node needs the two libraries.
debootstrap --variant=minbase --include=libatomic1,libstdc++6 bookworm "$root" >&2
rm -rf "$root"/var/{cache,log,lib/apt/lists}/* "$root"/usr/share/{info,locale,man,zoneinfo}/*
find "$root/usr/share/doc" -type f ! -name copyright -delete
cp node_modules/.bin/node "$root/usr/local/bin/node"
# Without its symbols, Node is 33 MB smaller.
! command -v strip >/dev/null || strip "$root/usr/local/bin/node"
npm install --global --prefix "$root/usr/local" --no-audit --no-fund npm@11.19.1 >&2

container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / >/dev/null
buildah commit --quiet --format docker --rm "$container" "$name"
