# What .ci/run and scripts/wide.sh share: they source this file. Debian 12 or later, as root.
# All servers listen on loopback only and keep their data in $work. They end with the script, even if it fails.
export CI=true DEBIAN_FRONTEND=noninteractive npm_config_fund=false npm_config_audit=false
# This Chromium draws no window and therefore starts faster.
export CHROMIUM_PATH=/usr/bin/chromium-headless-shell
work=$(mktemp -d /tmp/concours-tests.XXXXXX)
step_pid=

clean_up() {
  trap - EXIT INT TERM
  if [[ -n $step_pid ]]; then kill -TERM "$step_pid" 2>/dev/null && wait "$step_pid"; fi
  timeout 30 bash scripts/ceph.sh stop "$work/ceph" &>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# step TITLE COMMAND...: runs the command within what is left of $run_limit seconds.
step() {
  local title=$1 began=$SECONDS status=0
  shift
  echo "== $title"
  # In the background, because bash handles a signal at once only while it waits. timeout forwards it to the command.
  timeout --kill-after=15 $((run_limit > SECONDS ? run_limit - SECONDS : 1)) "$@" &
  step_pid=$!
  wait "$step_pid" || status=$?
  step_pid=
  echo "== $title: ended with $status after $((SECONDS - began)) s"
  return "$status"
}

install_packages() {
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  # Debian starts the servers that it installs, unless this file forbids it. The tests start their own servers.
  [[ -e /usr/sbin/policy-rc.d ]] || { printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d; }
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/tmp/concours-apt.log 2>&1 ||
    { tail -n 30 /tmp/concours-apt.log >&2; return 1; }
}
export -f install_packages

start_ceph() {
  bash scripts/ceph.sh start "$work/ceph" >"$work/ceph.endpoint" 2>"$work/ceph.log" || { tail -n 30 "$work/ceph.log" >&2; return 1; }
  S3_TEST_ENDPOINT=$(tail -n 1 "$work/ceph.endpoint")
  export S3_TEST_ENDPOINT
}

# run_tests TITLE COMMAND...: runs tests, and fails if one was skipped: this machine has everything that they need.
run_tests() {
  local status=0
  # Not a pipe, in which `step` would run in a shell of its own and clean_up could not end it.
  step "$@" > >(tee "$work/tests.log") || status=$?
  # Until tee has written the last line.
  for _ in {1..50}; do ! grep -q '^ℹ duration_ms' "$work/tests.log" || break; sleep 0.1; done
  ((status == 0)) || return "$status"
  grep -qx 'ℹ skipped 0' "$work/tests.log" || { echo 'A test was skipped, although this machine has what it needs.' >&2; return 1; }
}
