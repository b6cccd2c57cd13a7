import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { solve, tokenOf, type Challenge } from './captcha.ts';
import { launch, type OwnServer } from './own-server.ts';
import type { Settings } from './server.ts';

/** A PostgreSQL; one of our own can be crashed and stopped. */
interface Postgres {
  url: string;
  crash?: () => Promise<void>;
  pause?: () => void;
  resume?: () => void;
}

/** What a visitor reads of an answer; in place of the status may be why none came. */
interface Answer {
  status: number | string;
  headers: Headers;
}

/** A server in an outage. */
interface Site {
  url: string;
  /** Its environment. */
  own: Settings & { DATA_DIR: string };
  folder: string;
  server: OwnServer;
  /** Notes what is not so. */
  expect: (isSo: boolean, what: string) => void;
}

interface Outage<Where = Site> {
  name: string;
  /** Code that runs in the server before its own. */
  preload?: (folder: string) => string;
  play: (site: Where) => Promise<void>;
  /** How the server ends, where that is not in good order after SIGTERM. */
  afterwards?: (site: Where) => Promise<void>;
}

type PostgresSite = Site & { postgres: Postgres };

export interface OutageReport {
  database: string;
  outages: string[];
  findings: { outages: string[] };
}

/** An answer that takes longer has not come; milliseconds. */
const PATIENCE_MS = 15_000;
/** Requests at once: more than a pool has connections. */
const CROWD = 30;
/** Captchas at once: fewer than one address may ask for. */
const WRITERS = 5;

const STATE = '/api/keysystem/state?hwid=device-1234&zone=zone-1';

/** A solved captcha that is still to be handed in, which writes. */
async function prepareWrite(url: string, nth: number): Promise<() => Promise<Answer>> {
  const hwid = `writer-${nth}234`;
  const given = await fetch(`${url}/api/captcha/challenge?hwid=${hwid}&os=android`);
  const challenge = (await given.json()) as Challenge;
  const body = JSON.stringify({
    'g-recaptcha-response': tokenOf(challenge, solve(challenge)),
    hwid,
    OS: 'android',
    advertiser: 'linkvertise',
  });
  return () =>
    ask(url, '/api/v2/verify-captcha', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/**
 * Takes away what the server stands on: the lock, the disk, the server of the database. Visitors are to be told in time
 * to come again (503 with Retry-After, never 500), health is to be answered at once, and the end is to be a clean one.
 */
export async function playOutages({ postgres }: { postgres?: Postgres | undefined }): Promise<OutageReport> {
  const findings: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'outages-'));
  const outages = postgres ? postgresOutages(postgres) : SQLITE_OUTAGES;

  try {
    for (const [nth, outage] of outages.entries()) {
      // One PostgreSQL knows one signing key, which lies in the folder.
      const DATA_DIR = join(folder, postgres ? 'data' : String(nth));
      await playOutage(outage, {
        own: { DATA_DIR, TEST_CAPTCHA_COST: '1', ...(postgres && { DATABASE_URL: postgres.url }) },
        folder,
        expect: (isSo, what) => void (isSo || findings.push(`${outage.name}: ${what}`)),
      });
    }
    return {
      database: postgres ? 'PostgreSQL' : 'SQLite',
      outages: outages.map(({ name }) => name),
      findings: { outages: findings },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function playOutage({ name, preload, play, afterwards }: Outage, given: Omit<Site, 'url' | 'server'>) {
  const server = launch(given.own, { preload: preload?.(given.folder) });
  try {
    const url = await server.listening;
    if (!url) throw new Error(`${name}: the server does not start: ${(await server.ended).said}`);

    const site = { ...given, url, server };
    await play(site);
    if (afterwards) await afterwards(site);
    else given.expect((await server.end('SIGTERM')).code === 0, 'it did not end cleanly');
  } finally {
    await server.end('SIGKILL');
  }
}

function ask(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  return fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS), ...init }).catch(
    (error: unknown) => ({ status: String(error), headers: new Headers() }),
  );
}

/** As many as a crowd asks for, each for another device. */
const reads = (url: string) =>
  Array.from({ length: CROWD }, (_, nth) => () => ask(url, STATE.replace('1234', `${nth}234`)));

/** Many at once ask for what cannot be had, and somebody for the process's health in between. */
async function expectBusy({ url, expect }: Site, asks: readonly (() => Promise<Answer>)[]): Promise<void> {
  const asking = asks.map((each) => each());
  let isAnswered = false;
  void Promise.race(asking).then(() => (isAnswered = true));
  expect((await ask(url, '/healthz')).status === 200 && !isAnswered, 'health waited for the database');

  for (const { status, headers } of await Promise.all(asking)) {
    expect(
      status === 503 && Number(headers.get('retry-after')) > 0,
      `the answer was ${status}, retry-after ${headers.get('retry-after')}`,
    );
  }
  expect((await ask(url, '/readyz')).status === 503, 'it says that it is ready');
}

async function expectWell({ url, expect }: Site): Promise<void> {
  expect((await ask(url, STATE)).status === 200, 'afterwards it does not answer');
  expect((await ask(url, '/readyz')).status === 200, 'afterwards it is not ready');
}

async function expectRefused(settings: Settings, sentence: RegExp, expect: Site['expect']): Promise<void> {
  const { code, said } = await launch(settings).ended;
  expect(
    code === 1 && sentence.test(said) && said.trim().split('\n').length === 1,
    `a start was to be refused with ${sentence}, and ended with ${code}: ${said}`,
  );
}

/** What is there once the disk is to fail. */
const FAILING = 'the-disk-fails';

const SQLITE_OUTAGES: Outage[] = [
  {
    name: 'another program holds the write lock',
    async play(site) {
      const writes = await Promise.all(Array.from({ length: WRITERS }, (_, nth) => prepareWrite(site.url, nth)));
      const holder = new SqliteDatabase(join(site.own.DATA_DIR, 'app.sqlite'));
      holder.exec('begin immediate');
      site.expect((await ask(site.url, STATE)).status === 200, 'reading does not go on');
      await expectBusy(site, writes);
      holder.exec('rollback');
      holder.close();
      await expectWell(site);
    },
  },
  {
    name: 'a second server on the same file',
    async play(site) {
      await expectRefused(site.own, /^DATA_DIR: another server works with /, site.expect);
      await expectWell(site);
    },
  },
  {
    name: 'the disk takes no more of the log',
    preload: (folder) => `
      import { existsSync } from 'node:fs';
      import { open } from 'node:fs/promises';
      const handle = await open(process.execPath);
      const files = Object.getPrototypeOf(handle);
      await handle.close();
      const { datasync } = files;
      files.datasync = function () {
        return existsSync(${JSON.stringify(join(folder, FAILING))}) ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : datasync.call(this);
      };`,
    async play(site) {
      await expectWell(site);
      const write = await prepareWrite(site.url, 1);
      writeFileSync(join(site.folder, FAILING), '');
      const { status } = await write();
      site.expect(status !== 200, `what may be lost was acknowledged with ${status}`);
    },
    async afterwards({ server, expect }) {
      const { code, logged } = await server.ended;
      expect(code === 74 && /"level":60.*the disk has failed/.test(logged), `it ended with ${code}`);
    },
  },
];

const locked = async (postgresUrl: string, use: () => Promise<void>) => {
  const client = new pg.Client({ connectionString: postgresUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table run, device, licence, reset_request, captcha_pass in access exclusive mode');
    await use();
  } finally {
    await client.end();
  }
};

/** Those of them that this PostgreSQL can be put through. */
function postgresOutages(postgres: Postgres): Outage[] {
  return POSTGRES_OUTAGES.filter(({ name }) => !name.includes('stopped') || postgres.pause).map(
    ({ name, play, afterwards }) => ({
      name,
      play: (site) => play({ ...site, postgres }),
      ...(afterwards && { afterwards: (site) => afterwards({ ...site, postgres }) }),
    }),
  );
}

const POSTGRES_OUTAGES: Outage<PostgresSite>[] = [
  {
    name: 'somebody holds the tables, and all connections with them',
    async play(site) {
      await locked(site.postgres.url, async () => {
        const asking = reads(site.url).map((read) => read());
        site.expect((await ask(site.url, '/healthz')).status === 200, 'health waited for the database');
        for (const { status, headers } of await Promise.all(asking))
          site.expect(status === 503 && headers.get('retry-after') !== null, `the answer was ${status}`);
      });
      await expectWell(site);
    },
  },
  {
    name: 'the database is stopped in the middle of everything',
    async play(site) {
      await expectWell(site);
      site.postgres.pause?.();
      try {
        await expectBusy(site, reads(site.url));
      } finally {
        site.postgres.resume?.();
      }
      await expectWell(site);
    },
  },
  {
    name: 'the server is to end while the database is stopped',
    async play({ url, postgres }) {
      await ask(url, STATE);
      postgres.pause?.();
      void ask(url, STATE);
    },
    async afterwards({ server, postgres, expect }) {
      const { code, logged } = await server.end('SIGTERM');
      expect(code === 0 && /"stopped"/.test(logged), `it ended with ${code}`);
      postgres.resume?.();
    },
  },
  {
    name: 'the database is gone, and comes again',
    async play(site) {
      await expectWell(site);
      if (!site.postgres.crash) return;
      let isBack = false;
      const crashing = site.postgres.crash().then(() => (isBack = true));
      for (let nth = 0; !isBack; nth++) {
        const { status } = await ask(site.url, STATE.replace('1234', `gone-${nth}`));
        site.expect(status === 200 || status === 503, `the answer was ${status}`);
      }
      await crashing;
      await expectWell(site);
    },
  },
  {
    name: 'a database that cannot be had',
    async play({ own, postgres, expect }) {
      const wrongPassword = Object.assign(new URL(postgres.url), { password: 'wrong-password' }).href;
      const noSuch = Object.assign(new URL(postgres.url), { pathname: '/no_such_database' }).href;
      await expectRefused(
        { ...own, DATABASE_URL: noSuch },
        /^DATABASE_URL: the database cannot be used \(database "no_such_database" does not exist\)/,
        expect,
      );
      await expectRefused(
        { ...own, DATABASE_URL: wrongPassword },
        /^DATABASE_URL: the database cannot be used \(password authentication failed/,
        expect,
      );
    },
  },
];
