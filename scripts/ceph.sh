#!/usr/bin/env bash
# Runs an S3 service for tests: one Ceph monitor, one OSD in memory and the RADOS gateway, all on loopback.
#
#   scripts/ceph.sh start FOLDER   installs what is missing (Debian, apt), starts, creates the bucket, prints the endpoint
#   scripts/ceph.sh stop FOLDER    stops the three daemons that `start` started in FOLDER
#
# If the gateway of FOLDER already runs, `start` only prints its endpoint. S3_TEST_PORT sets the port (default: a free one).
set -Eeuo pipefail

verb=${1:-}
folder=${2:-}
if [[ ! $verb =~ ^(start|stop)$ || -z $folder ]]; then
  sed -n '4,7s/^# *//p' "$0" >&2
  exit 2
fi
export LC_ALL=C
bucket=concours-test
access_key=AKTEST
secret_key=SKTEST1234567890

say() { echo "ceph: $*" >&2; }

# Prints the pid of a pid file, or nothing if another program has that pid by now.
running() {
  local pid
  pid=$(cat "$folder/$1.pid" 2>/dev/null) || return 1
  tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "-c $folder/ceph.conf" || return 1
  echo "$pid"
}

stop() {
  local daemon pid
  for daemon in client.admin osd.0 mon.a; do
    pid=$(running "$daemon") || continue
    # SIGKILL is safe, because the store is in memory only.
    kill -KILL "$pid"
    for _ in $(seq 50); do running "$daemon" >/dev/null || break; sleep 0.1; done
    say "stopped $daemon ($pid)"
  done
}

install_packages() {
  command -v radosgw ceph-mon ceph-osd ceph radosgw-admin curl python3 >/dev/null && return
  local as_root=()
  [[ $(id -u) == 0 ]] || as_root=(sudo)
  say 'installing radosgw, ceph-mon, ceph-osd, ceph-common'
  "${as_root[@]}" apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
    radosgw ceph-mon ceph-osd ceph-common curl >&2
}

free_ports() {
  python3 - "$1" <<'PY'
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held: s.bind(('127.0.0.1', 0))
print(*[s.getsockname()[1] for s in held])
PY
}

# Repeats a command until it succeeds, at most $1 times, every half second.
await() {
  local tries=$1; shift
  for _ in $(seq "$tries"); do "$@" >/dev/null 2>&1 && return; sleep 0.5; done
  say "gave up waiting for: $*"
  return 1
}

write_config() {
  cat >ceph.conf <<C
[global]
fsid = $1
mon host = [v2:127.0.0.1:$2,v1:127.0.0.1:$3]
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 8
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon max pg per osd = 1000
ms bind ipv6 = false
ms mon client mode = crc
ms client mode = crc
public addr = 127.0.0.1
run dir = $folder
# The path of a socket has at most 107 bytes, and the folder of a CI job can be longer. No program uses these sockets.
admin socket =
log file = $folder/\$name.log
pid file = $folder/\$name.pid
keyring = $folder/keyring
[mon]
mon data = $folder/mon
mon cluster log file = $folder/cluster.log
[osd]
osd data = $folder/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd class load list = *
osd class default list = *
[client.admin]
rgw frontends = beast endpoint=127.0.0.1:$4
rgw enable usage log = false
rgw data = $folder/rgw
C
}

start() {
  install_packages
  local fsid osd mon_v2 mon_v1 port
  read -r mon_v2 mon_v1 port < <(free_ports 3)
  port=${S3_TEST_PORT:-$port}
  mkdir -p mon osd rgw
  fsid=$(cat /proc/sys/kernel/random/uuid)
  write_config "$fsid" "$mon_v2" "$mon_v1" "$port"
  local conf=(-c "$folder/ceph.conf")
  say 'starting the monitor'
  ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *' >&2
  ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >&2
  monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_v2,v1:127.0.0.1:$mon_v1]" monmap >&2
  ceph-mon "${conf[@]}" --mkfs -i a --monmap monmap --keyring keyring >&2
  ceph-mon "${conf[@]}" -i a >&2
  say 'starting the object store'
  osd=$(cat /proc/sys/kernel/random/uuid)
  ceph "${conf[@]}" osd new "$osd" >&2
  ceph-osd "${conf[@]}" -i 0 --mkfs --osd-uuid "$osd" >&2
  ceph-osd "${conf[@]}" -i 0 >&2
  await 80 bash -c "ceph -c '$folder/ceph.conf' osd stat | grep -q '1 up'"
  say 'starting the gateway'
  radosgw "${conf[@]}" -n client.admin --ms-mon-client-mode=crc --auth-client-required=none >&2
  await 120 curl -sf -o /dev/null "http://127.0.0.1:$port/"
  radosgw-admin "${conf[@]}" -n client.admin user create --uid=concours --display-name=concours \
    --access-key="$access_key" --secret-key="$secret_key" >radosgw-admin.log
  # curl before version 8 signs a wrong body hash for S3, so pass the hash.
  curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user "$access_key:$secret_key" \
    -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' -X PUT "http://127.0.0.1:$port/$bucket"
  # Write this file last, so that it exists only when the endpoint is ready.
  echo "http://127.0.0.1:$port" >endpoint
}

[[ $verb == start || -d $folder ]] || exit 0
# Empties only a folder that is empty or that this script created.
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
cd "$folder"
if [[ -n $(ls -A) && ! -e concours-ceph ]]; then
  say "$folder holds something else; give an empty folder"
  exit 1
fi
touch concours-ceph

if [[ $verb == stop ]]; then
  stop
  exit
fi
if running client.admin >/dev/null && [[ -s endpoint ]] && curl -sf -o /dev/null --max-time 5 "$(cat endpoint)/"; then
  cat endpoint
  exit
fi
stop
find "$folder" -mindepth 1 ! -name concours-ceph -delete
trap 'say "failed; its logs are in $folder"; stop' ERR
start </dev/null
cat endpoint
