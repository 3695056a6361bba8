#!/usr/bin/env bash
# npm run test:wide [-- PATTERN...]: installs what the tests of test/wide need, and runs them. Debian 12 or later, as root.
# Without a pattern, it also runs the long model. `.ci/run` runs none of this.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# In seconds. A run takes 20 to 40 minutes.
readonly run_limit=4800
source scripts/machine.sh

step 'packages of the machine' bash -euo pipefail -c 'install_packages "$@"' - chromium-headless-shell redis-server \
  postgresql pgbouncer patroni etcd-server haproxy radosgw ceph-mon ceph-osd ceph-common curl python3 unzip prometheus \
  buildah debootstrap binutils nginx-light caddy
for client in x402-clients mcp-clients generated-clients bun deploy; do
  step "the packages of test/$client" npm ci --ignore-scripts --prefer-offline --prefix "test/$client"
done
start_ceph
PATH=$PWD/node_modules/.bin:$PATH
# The model repeats a failure by its seed, which it prints.
(($#)) || step 'the long model' node test/model/main.ts --steps 10000
run_tests 'test/wide' node scripts/test.ts --wide "$@"
