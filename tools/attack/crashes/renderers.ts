import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { createClient, type Client } from '../world/client.ts';
import { openDatabase } from '../world/database.ts';
import { createRandom, type Random } from '../world/random.ts';
import { createServer } from '../../site/server.ts';
import { addToken, packRelease } from './team-release.ts';

/** The unit that is published, and pages that visitors load meanwhile. */
const UNIT = 'tools';
const PAGES = ['/portfolio', '/v5', '/key-system-1?hwid=device-of-the-soak&zone=soak'];

/** What the code of a release does to its renderer, and what the team is then told. */
const CODES = {
  // It may come too late; then there is nothing to tell.
  killed: { code: '', told: '' },
  hung: { code: 'for (;;);', told: 'It took too long' },
  'out of memory': { code: 'const kept = []; for (;;) kept.push(new Array(1e6).fill(0));', told: 'The renderer' },
};
type Fate = keyof typeof CODES;

const LOADERS = 4;
/** An answer that takes longer has waited for a renderer. */
const LONGEST_ANSWER_MS = 5000;
/** A renderer that hangs is ended by then, though the team has had its answer before. */
const LONGEST_RENDERING_MS = 25_000;

export interface RendererReport {
  seed: number;
  fates: Record<Fate, number>;
  requests: number;
  findings: { renderers: string[] };
}

/**
 * Publishes releases whose renderer is killed, hangs or runs out of memory, while visitors load pages. Each release is
 * published nevertheless, with a notice; no request of a visitor fails or waits.
 * @param rounds how many renderers meet each fate
 */
export async function playRenderers({ seed, rounds }: { seed: number; rounds: number }): Promise<RendererReport> {
  const random = createRandom(seed).fork('renderers');
  const folder = mkdtempSync(join(tmpdir(), 'renderers-'));
  const database = await openDatabase({ folder, postgresUrl: undefined });
  const server = createServer({ folder, settings: database.settings, limits: {} });
  const renderers: string[] = [];
  let requests = 0;
  let isOver = false;

  async function load(client: Client): Promise<void> {
    for (let nth = 0; !isOver; nth++) {
      const path = PAGES[nth % PAGES.length] ?? '/';
      const askedAt = performance.now();
      const status = await client.ask(path).then(
        (page) => page.status,
        (error: unknown) => String(error),
      );
      const ms = performance.now() - askedAt;
      if (status !== 200) renderers.push(`A visitor got ${status} from ${path}`);
      if (ms > LONGEST_ANSWER_MS) renderers.push(`A visitor waited ${Math.round(ms)} ms for ${path}`);
      requests++;
    }
  }

  try {
    const url = await server.start();
    const token = await addToken(database, UNIT);
    const client = createClient(url);
    const loading = Array.from({ length: LOADERS }, () => load(client));
    await repeatedly('Renderers', rounds, async (round) => {
      for (const [nth, fate] of (Object.keys(CODES) as Fate[]).entries()) {
        const version = `9.${nth}.${round}`;
        const publishing = publish({ url, token, version, code: CODES[fate].code });
        if (fate === 'killed') await killRenderer(server.pid() ?? 0, random);
        const { status, text } = await publishing;
        if (status !== 201 || !text.includes(CODES[fate].told))
          renderers.push(`A release whose renderer was ${fate} was answered with ${status} ${text}`);
      }
    });
    isOver = true;
    await Promise.all(loading);
    client.close();
    const endsBy = performance.now() + LONGEST_RENDERING_MS;
    while (listRenderers(server.pid() ?? 0).length > 0 && performance.now() < endsBy) await wait(100);
    const left = listRenderers(server.pid() ?? 0).length;
    if (left > 0) renderers.push(`${left} renderers are left`);
    return {
      seed,
      fates: { killed: rounds, hung: rounds, 'out of memory': rounds },
      requests,
      findings: { renderers },
    };
  } finally {
    isOver = true;
    await server.kill();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

async function publish({ url, token, version, code }: Record<'url' | 'token' | 'version' | 'code', string>) {
  const { body } = packRelease(UNIT, version, code);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/releases/${UNIT}/${version}`, { method: 'PUT', headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** Waits for a process that renders, and kills it at a random moment of its first tenth of a second. */
async function killRenderer(server: number, random: Random): Promise<void> {
  let pids = listRenderers(server);
  while (pids.length === 0) {
    await wait(5);
    pids = listRenderers(server);
  }
  await wait(random.int(100));
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
}

/** The processes below a server that run code of releases. */
function listRenderers(server: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [Number(pid), parentOf(pid)]),
  );
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid) ?? 0;
    return parent === server || (parent > 1 && isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

/** The parent of a process; 0 when it has ended. Source: proc_pid_stat(5). */
function parentOf(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return 0;
  }
}
