import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCluster } from '../tools/cluster/open-cluster.ts';
import { buildOutdated } from '../tools/units/build-units.ts';

/**
 * node scripts/launch.mjs cluster
 * Brings up nginx, two servers with HAProxy, and three hosts with PostgreSQL, Patroni and etcd on this machine, to look at
 * and to try commands on. Ctrl+C ends all of it and removes its data.
 */
await buildOutdated();
console.log('Starting etcd, Patroni and PostgreSQL three times, two servers and nginx …');
const { url, servers, databases, folder, close } = await openCluster();
const command = join(folder, 'patronictl');
const words = databases.hosts[0]?.patronictl.flat() ?? [];
writeFileSync(command, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`, { mode: 0o755 });
console.log(`
  The site       ${url}/
  A key run      ${url}/key-system-1?hwid=demo-device-0001&zone=demo-zone
  The servers    ${servers.map((server) => `${server.url} (process ${server.pid()})`).join(', ')}
  The database   ${databases.hosts.map(({ name, patroni }) => `${name} (Patroni is process ${patroni.pid()})`).join(', ')}
  All files      ${folder}

  What is killed is started again, as systemd does it.
  ${command} list
  ${command} switchover
  ${command} show-config

Ctrl+C ends all of it.
`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().then(() => process.exit(0)));
