import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withProgress } from '../../../api/src/ops/progress.ts';
import { createServer } from '../../site/server.ts';
import { makeSharedSecrets } from '../../site/shared-secrets.ts';
import { untilSealed } from '../oracles/run-oracle.ts';
import { noFindings, type Report } from '../report.ts';
import { openDatabase } from '../world/database.ts';
import { addToken, packRelease } from './team-release.ts';

/** Each team with a page of its unit. */
const TEAMS = { 'key-system': '/key-system-1?hwid=device-of-the-soak&zone=soak', tools: '/privacy-policy' };

/** How long another server may take to notice a channel change. */
const NOTICED_MS = 1000;
const LOADERS = 4;

/**
 * Two teams publish, open canaries, promote and roll back at the same time, on two servers that share a database and
 * the folder of releases, while visitors load pages. No request may fail, the next request after an answer has to get
 * what was changed, and all changes have to be there in the end. The servers must not end meanwhile.
 */
export async function playTeams({ rounds, postgres }: { rounds: number; postgres: { url: string } }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'teams-'));
  const database = await openDatabase(folder, postgres.url);
  const shared = { ...database.settings, ...makeSharedSecrets(folder), RELEASES_DIR: join(folder, 'releases') };
  const servers = ['one', 'two'].map((name) =>
    createServer({ folder: join(folder, name), settings: shared, limits: {} }),
  );
  const findings = noFindings();
  const urls: string[] = [];
  /** What each team has made stable last. */
  const stable: Record<string, string> = {};
  /** Audited channel changes that were acknowledged. */
  let changes = 0;
  let requests = 0;
  let isOver = false;

  const urlOf = (nth: number) => urls[nth % urls.length] ?? '';

  async function load(nth: number): Promise<void> {
    for (; !isOver; nth++) {
      for (const path of Object.values(TEAMS)) {
        const page = await fetch(urlOf(nth) + path);
        const [, script = '/no-script'] = /href="([^"]*remoteEntry[^"]*)"/.exec(await page.text()) ?? [];
        const { status } = await fetch(urlOf(nth) + script);
        if (page.status !== 200 || status !== 200)
          findings.changes.push(`A visitor got ${page.status} from ${path} and ${status} from ${script}`);
        requests += 2;
      }
    }
  }

  /** One team: a release in each round, and in every second one a rollback. Its changes alternate between the servers. */
  async function playTeam(unit: string, first: number): Promise<void> {
    const token = await addToken(database, unit);
    const send = async (nth: number, method: string, path: string, body: Uint8Array<ArrayBuffer> | string) => {
      const type = typeof body === 'string' ? 'application/json' : 'application/gzip';
      const headers = { authorization: `Bearer ${token}`, 'content-type': type };
      const answer = await fetch(urlOf(nth) + path, { method, headers, body });
      const text = await answer.text();
      if (!answer.ok) findings.changes.push(`${unit}: ${method} ${path} was answered ${answer.status} ${text}`);
    };
    const change = async (nth: number, body: object) => {
      await send(nth, 'PATCH', `/api/channels/${unit}`, JSON.stringify(body));
      changes += 1;
    };

    for (let round = 0; round < rounds; round++) {
      const nth = first + round;
      const version = `1.${round}.0`;
      const before = stable[unit];
      await send(nth, 'PUT', `/api/releases/${unit}/${version}`, packRelease(unit, version).body);
      await change(nth, { action: 'canary', version, percent: 10 });
      await change(nth, { action: 'promote' });
      await expectServed(unit, version, nth);
      if (before === undefined || round % 2 === 0) continue;

      await change(nth, { action: 'rollback' });
      await expectServed(unit, before, nth);
    }
  }

  /** The server that was asked has to serve a version at once, the other one soon. */
  async function expectServed(unit: string, version: string, nth: number): Promise<void> {
    stable[unit] = version;
    const served = async (at: number) => {
      const { units } = (await (await fetch(`${urlOf(at)}/api/federation/resolution`)).json()) as {
        units: Record<string, { version: string }>;
      };
      return units[unit]?.version;
    };
    const now = await served(nth);
    if (now !== version)
      findings.changes.push(`After the channel change of ${unit} to ${version} the next request got ${now}`);

    const movedAt = Date.now();
    while ((await served(nth + 1)) !== version && Date.now() - movedAt < NOTICED_MS) await wait(20);
    if (Date.now() - movedAt >= NOTICED_MS)
      findings.changes.push(`The other server did not serve ${unit}@${version} in time`);
  }

  async function examine(): Promise<void> {
    const rows = await database.rows<{ unit: string; stable: string }>('select unit, stable from channel');
    for (const [unit, version] of Object.entries(stable)) {
      const found = rows.find((row) => row.unit === unit)?.stable;
      if (found !== version) findings.changes.push(`${unit} ends with ${found} instead of ${version}`);
    }
    await untilSealed(database);
    const [audited] = await database.rows<{ count: number }>(
      `select count(*) as count from audit_event where kind = 'channel' and detail not like '%"by":"start"%'`,
    );
    if (Number(audited?.count) !== changes)
      findings.changes.push(`${changes} channel changes were answered, and ${audited?.count} are in the audit`);
    for (const server of servers) if (!server.isRunning()) findings.changes.push(`A server ended: ${server.logTail()}`);
  }

  try {
    for (const server of servers) urls.push(await server.start());
    const loading = Array.from({ length: LOADERS }, (_, nth) => load(nth));
    await withProgress(
      'Two teams',
      () => Promise.all(Object.keys(TEAMS).map(playTeam)),
      () => `${changes} channel changes`,
    );
    isOver = true;
    await Promise.all(loading);
    await examine();
    return {
      summary: `Two teams on two servers: ${rounds} rounds each, ${changes} channel changes under ${requests} requests of visitors`,
      findings,
    };
  } finally {
    isOver = true;
    for (const server of servers) await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}
