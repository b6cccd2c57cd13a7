import { openCluster } from '../tools/cluster/open-cluster.ts';
import { buildOutdated } from '../tools/units/build-units.ts';

/**
 * node scripts/launch.mjs cluster
 * Brings up nginx, two servers, a primary and two standbys on this machine, to look at and to try commands on. Ctrl+C ends
 * all of it and removes its data.
 */
await buildOutdated();
console.log('Starting PostgreSQL three times, two servers and nginx …');
const { url, servers, databases, folder, close } = await openCluster();
const [primary, ...standbys] = databases.hosts;
console.log(`
  The site       ${url}/
  A key run      ${url}/key-system-1?hwid=demo-device-0001&zone=demo-zone
  The servers    ${servers.map((server) => `${server.url} (process ${server.pid()})`).join(', ')}
  The primary    ${primary?.address}
  The standbys   ${standbys.map(({ address }) => address).join(', ')}
  All files      ${folder}

  To promote a standby once the primary is gone:
  PGPASSFILE=${primary?.passFile} deploy/postgresql/promote.sh ${standbys.map(({ address }) => address).join(' ')}

Ctrl+C ends all of it.
`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().then(() => process.exit(0)));
