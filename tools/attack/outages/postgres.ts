import pg from 'pg';
import {
  ask,
  expectBusy,
  expectRefused,
  expectWell,
  reads,
  STATE,
  type Outage,
  type Postgres,
  type PostgresSite,
} from './outage.ts';

/** Calls a function while another connection holds a lock on the tables. */
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

/** The outages that this PostgreSQL server allows. Some need a server that can be paused. */
export function postgresOutages(postgres: Postgres): Outage[] {
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
    name: 'another client locks the tables, and holds all connections with them',
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
      // A folder is for one server.
      const other = { ...own, DATA_DIR: `${own.DATA_DIR}-other` };
      await expectRefused(
        { ...other, DATABASE_URL: noSuch },
        /^DATABASE_URL: the database cannot be used \(database "no_such_database" does not exist\)/,
        expect,
      );
      await expectRefused(
        { ...other, DATABASE_URL: wrongPassword },
        /^DATABASE_URL: the database cannot be used \(password authentication failed/,
        expect,
      );
    },
  },
];
