import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openDatabase, type Database } from './database.ts';
import { createRandom } from './random.ts';
import { createServer } from './server.ts';

/** The unit that is published, one of its pages, and how many files a release of it has. */
const UNIT = 'tools';
const PAGE = '/portfolio';
const FILES = 30;

const DAY_S = 24 * 60 * 60;

export interface PublicationReport {
  database: string;
  seed: number;
  kills: number;
  /** How many publications were answered before the kill. */
  answered: number;
  findings: { published: string[] };
}

interface Manifest {
  contract: { version: string };
  files: Record<string, { sha384: string }>;
}

/**
 * Kills the server (SIGKILL) at random moments of publications. After each kill the registry may know the release or
 * not; if it does, all its files are on the disk. The same publication then succeeds, and pages are served all the time.
 */
export async function playPublications({
  seed,
  kills,
  postgres,
}: {
  seed: number;
  kills: number;
  postgres?: { url: string } | undefined;
}): Promise<PublicationReport> {
  const random = createRandom(seed).fork('publications');
  const folder = mkdtempSync(join(tmpdir(), 'publications-'));
  const database = await openDatabase({ folder, postgresUrl: postgres?.url });
  const server = createServer({ folder, settings: database.settings, limits: {} });
  const releases = join(folder, 'data', 'releases');
  const findings: string[] = [];
  let answered = 0;

  try {
    const url = await server.start();
    const token = await addToken(database);
    const shell = (await listManifests(database)).get('shell');
    if (!shell) throw new Error('The server has published no shell');
    const contract = { version: shell.contract.version };

    const publish = (version: string, body: Uint8Array<ArrayBuffer>) =>
      fetch(`${url}/api/releases/${UNIT}/${version}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body,
      }).then(
        ({ status }) => status,
        () => undefined,
      );

    let lastMs = await timed(() => publish('9.0.0', pack('9.0.0', contract)));
    for (let kill = 1; kill <= kills; kill++) {
      const version = `9.0.${kill}`;
      const body = pack(version, contract);
      const afterMs = random.int(Math.ceil(lastMs * 1.2));
      const what = `${version}, killed ${afterMs} ms after its publication began`;

      const publishing = publish(version, body);
      await wait(afterMs);
      await server.kill();
      const status = await publishing;
      if (status !== undefined) answered++;
      await server.start();

      const manifests = await listManifests(database);
      if (status === 201 && !manifests.has(`${UNIT}@${version}`))
        findings.push(`${what}: it was acknowledged and is lost`);
      findings.push(...findLost(releases, manifests).map((lost) => `${what}: ${lost}`));
      const isKnown = manifests.has(`${UNIT}@${version}`);
      const before = await statusOf(`${url}/releases/${UNIT}/${version}/remoteEntry.js`);
      if (before !== (isKnown ? 200 : 404)) findings.push(`${what}: its code is answered with ${before}`);
      const page = await statusOf(url + PAGE);
      if (page !== 200) findings.push(`${what}: a page is answered with ${page}`);

      let repeated: number | undefined;
      lastMs = await timed(async () => (repeated = await publish(version, body)));
      if (repeated !== (isKnown ? 200 : 201)) findings.push(`${what}: its repeat is answered with ${repeated}`);
      findings.push(...findLost(releases, await listManifests(database)).map((lost) => `${what}, repeated: ${lost}`));
    }

    const incoming = join(releases, '.incoming');
    const yesterday = Date.now() / 1000 - DAY_S;
    for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), yesterday, yesterday);
    await server.stop();
    await server.start();
    for (const name of readdirSync(incoming)) findings.push(`${name} of a dead publication is still there a day later`);

    return { database: database.name, seed, kills, answered, findings: { published: findings } };
  } finally {
    await server.kill();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

/** Adds a deploy token to the tables, and returns it. */
async function addToken(database: Database): Promise<string> {
  const token = `deploy_${randomBytes(24).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  await database.write(
    `insert into deploy_token (id, unit, hash, label, created_at, created_by, expires_at)
     values ('soak', '${UNIT}', '${hash}', 'soak', 0, 'soak', ${Date.now() + DAY_S * 1000})`,
  );
  return token;
}

/** What the registry knows, by `unit@version`, and the stable shell as `shell`. */
async function listManifests(database: Database): Promise<Map<string, Manifest>> {
  const rows = await database.rows<{ unit: string; version: string; manifest: string }>(
    'select unit, version, manifest from "release"',
  );
  return new Map(
    rows.flatMap(({ unit, version, manifest }) => {
      const parsed = JSON.parse(manifest) as Manifest;
      return [[`${unit}@${version}`, parsed] as const, ...(unit === 'shell' ? [['shell', parsed] as const] : [])];
    }),
  );
}

/** Finds files of known releases that the disk does not have as they were published. */
function findLost(releases: string, manifests: Map<string, Manifest>): string[] {
  return [...manifests]
    .filter(([name]) => name.startsWith(`${UNIT}@9.`))
    .flatMap(([name, { files }]) => {
      const folder = join(releases, ...name.split('@'));
      return Object.entries(files)
        .filter(
          ([file, { sha384 }]) =>
            !existsSync(join(folder, file)) || hashOf(readFileSync(join(folder, file))) !== sha384,
        )
        .map(([file]) => `the registry knows ${name}, and the disk has no sound ${file}`);
    });
}

/** Packs a release of a unit as a tar.gz. The same version has the same bytes. */
function pack(version: string, contract: { version: string }): Uint8Array<ArrayBuffer> {
  const files = Array.from({ length: FILES }, (_, nth): [string, Buffer] => {
    const name = nth === 0 ? 'remoteEntry.js' : `static/js/${nth}.js`;
    return [name, Buffer.from(`console.log('${version} ${nth}');`.repeat(500))];
  });
  const listed = files.map(([name, content]) => [name, { sha384: hashOf(content), bytes: content.length }] as const);
  const [entry] = listed;
  const manifest = {
    unit: UNIT,
    version,
    commit: null,
    contract,
    entry: {
      file: 'remoteEntry.js',
      globalName: `${UNIT}__${version.replaceAll('.', '_')}`,
      integrity: `sha384-${entry?.[1].sha384}`,
    },
    css: [],
    routes: [],
    files: Object.fromEntries(listed),
  };
  const all: [string, Buffer][] = [...files, ['release.json', Buffer.from(JSON.stringify(manifest))]];
  return new Uint8Array(
    gzipSync(Buffer.concat([...all.flatMap(([name, content]) => tarEntry(name, content)), Buffer.alloc(1024)])),
  );
}

/** A file in a tar of the format ustar. */
function tarEntry(name: string, content: Buffer): Buffer[] {
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(content.length, 11)}\0${octal(0, 11)}\0        0`, 124);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0`,
    148,
  );
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}

function hashOf(content: Buffer): string {
  return createHash('sha384').update(content).digest('base64');
}

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
