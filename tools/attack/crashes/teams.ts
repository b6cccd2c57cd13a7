import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withProgress } from '../../../api/src/ops/progress.ts';
import { createClient, type Client } from '../world/client.ts';
import { openDatabase, type Database } from '../world/database.ts';
import { launch, type OwnServer } from '../world/own-server.ts';
import type { Settings } from '../../site/server.ts';
import { addToken, packRelease } from './team-release.ts';
import { untilSealed } from '../oracles/until-sealed.ts';

/** Each team with a page of its unit. */
const TEAMS = { 'key-system': '/key-system-1?hwid=device-of-the-soak&zone=soak', tools: '/privacy-policy' };
type Unit = keyof typeof TEAMS;

/** How long another server may take to notice a channel change. */
const NOTICED_MS = 1000;
const LOADERS = 4;

export interface TeamsReport {
  rounds: number;
  changes: number;
  requests: number;
  findings: { changes: string[] };
}

interface Site {
  servers: { server: OwnServer; client: Client }[];
  database: Database;
  findings: string[];
  /** Audited channel changes that were acknowledged. */
  changes: number;
  /** What each team has made stable last. */
  stable: Record<string, string>;
}

/**
 * Two teams publish, open canaries, promote and roll back at the same time, on two servers that share a database and
 * the folder of releases, while visitors load pages. No request may fail, the next request after an answer has to get
 * what was changed, and all changes have to be there in the end. The servers must not end meanwhile.
 */
export async function playTeams({
  rounds,
  postgres,
}: {
  rounds: number;
  postgres: { url: string };
}): Promise<TeamsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'teams-'));
  const database = await openDatabase({ folder, postgresUrl: postgres.url });
  const site: Site = { servers: [], database, findings: [], changes: 0, stable: {} };
  let requests = 0;
  let isOver = false;

  async function load(nth: number): Promise<void> {
    for (; !isOver; nth++) {
      const { client } = at(site, nth);
      for (const path of Object.values(TEAMS)) {
        const page = await client.ask(path);
        const [, script = '/no-script'] = /href="([^"]*remoteEntry[^"]*)"/.exec(page.text) ?? [];
        const { status } = await client.ask(script);
        if (page.status !== 200 || status !== 200)
          site.findings.push(`A visitor got ${page.status} from ${path} and ${status} from ${script}`);
        requests += 2;
      }
    }
  }

  try {
    await openServers(site, folder);
    const loading = Array.from({ length: LOADERS }, (_, nth) => load(nth));
    await withProgress(
      'Two teams',
      () => Promise.all(Object.keys(TEAMS).map((unit, nth) => playTeam(site, unit as Unit, rounds, nth))),
      () => `${site.changes} channel changes`,
    );
    isOver = true;
    await Promise.all(loading);
    await examine(site);
    return { rounds, changes: site.changes, requests, findings: { changes: site.findings } };
  } finally {
    isOver = true;
    for (const { server, client } of site.servers) {
      client.close();
      await server.end('SIGTERM');
    }
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

/** One team: a release in each round, and in every second one a rollback. Its changes alternate between the servers. */
async function playTeam(site: Site, unit: Unit, rounds: number, nth: number): Promise<void> {
  const token = await addToken(site.database, unit);
  const send = async (round: number, method: string, path: string, body: Uint8Array<ArrayBuffer> | object) => {
    const isFile = body instanceof Uint8Array;
    const answer = await fetch(at(site, round + nth).client.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': isFile ? 'application/gzip' : 'application/json' },
      body: isFile ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok)
      site.findings.push(`${unit}, round ${round}: ${method} ${path} was answered ${answer.status} ${text}`);
  };
  const change = async (round: number, body: object) => {
    await send(round, 'PATCH', `/api/channels/${unit}`, body);
    site.changes += 1;
  };

  for (let round = 0; round < rounds; round++) {
    const version = `1.${round}.0`;
    const before = site.stable[unit];
    await send(round, 'PUT', `/api/releases/${unit}/${version}`, packRelease(unit, version).body);
    await change(round, { action: 'canary', version, percent: 10 });
    await change(round, { action: 'promote' });
    await expectServed(site, unit, version, round + nth);
    if (before === undefined || round % 2 === 0) continue;

    await change(round, { action: 'rollback' });
    await expectServed(site, unit, before, round + nth);
  }
}

/** The server that was asked has to serve a version at once, the other one soon. */
async function expectServed(site: Site, unit: Unit, version: string, nth: number): Promise<void> {
  site.stable[unit] = version;
  const served = async ({ client }: { client: Client }) => {
    const { units } = JSON.parse((await client.ask('/api/federation/resolution')).text) as {
      units: Record<string, { version: string }>;
    };
    return units[unit]?.version;
  };
  const [here, other] = [at(site, nth), at(site, nth + 1)];
  const now = await served(here);
  if (now !== version)
    site.findings.push(`After the channel change of ${unit} to ${version} the next request got ${now}`);

  const movedAt = Date.now();
  while ((await served(other)) !== version && Date.now() - movedAt < NOTICED_MS) await wait(20);
  if (Date.now() - movedAt >= NOTICED_MS)
    site.findings.push(`The other server did not serve ${unit}@${version} in time`);
}

async function examine({ servers, database, findings, changes, stable }: Site): Promise<void> {
  const rows = await database.rows<{ unit: string; stable: string }>('SELECT unit, stable FROM channel');
  for (const [unit, version] of Object.entries(stable)) {
    const found = rows.find((row) => row.unit === unit)?.stable;
    if (found !== version) findings.push(`${unit} ends with ${found} instead of ${version}`);
  }
  await untilSealed(database);
  const [audited] = await database.rows<{ count: number }>(
    `SELECT count(*) AS count FROM audit_event WHERE kind = 'channel' AND detail NOT LIKE '%"by":"start"%'`,
  );
  if (Number(audited?.count) !== changes)
    findings.push(`${changes} channel changes were answered, and ${audited?.count} are in the audit`);
  for (const { server } of servers) {
    const ended = await Promise.race([server.ended.then(({ said }) => said), wait(0)]);
    if (ended !== undefined) findings.push(`A server ended: ${ended}`);
  }
}

/** Starts two servers. The second one has the secrets of the first, and a name of its own. */
async function openServers(site: Site, folder: string): Promise<void> {
  const settings = { ...site.database.settings, RELEASES_DIR: join(folder, 'releases') };
  for (const name of ['one', 'two']) {
    const DATA_DIR = join(folder, name);
    const secrets = name === 'two' ? readSecrets(join(folder, 'one/secrets')) : {};
    const server = launch({ ...settings, ...secrets, DATA_DIR });
    const url = await server.listening;
    if (url === undefined) throw new Error(`The server does not start: ${(await server.ended).said}`);
    site.servers.push({ server, client: createClient(url) });
  }
}

/** The secrets that a server has generated, as settings of another one. */
function readSecrets(folder: string): Settings {
  return {
    HWID_PEPPER: readFileSync(join(folder, 'hwid-pepper'), 'utf8'),
    SIGNING_KEY_FILE: join(folder, 'signing-key.json'),
  };
}

function at({ servers }: Site, nth: number): Site['servers'][number] {
  const found = servers[nth % servers.length];
  if (!found) throw new Error('There is no server');
  return found;
}
