import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from '../../site/server.ts';
import { noFindings, type Report } from '../report.ts';
import { openDatabase, type Database } from '../world/database.ts';
import { DAY_MS } from '../world/product.ts';
import { killAtRandom, type KillOptions } from './kill-at-random.ts';

/** The unit that is published, and one of its pages. */
const UNIT = 'tools';
const PAGE = '/portfolio';

/** Some kills come only after the answer. */
const LONGER_THAN_THE_WORK = 1.2;

interface Manifest {
  entry: { file: string; globalName: string };
  files: Record<string, unknown>;
}

/**
 * Kills the server (SIGKILL) at random moments of publications. After each kill the registry may know the release or
 * not; if it does, all its files are on the disk. The same publication then succeeds, and pages are served all the time.
 */
export async function playPublications({ seed, kills, postgres }: KillOptions): Promise<Report> {
  const findings = noFindings();
  const folder = mkdtempSync(join(tmpdir(), 'publications-'));
  const database = await openDatabase(folder, postgres?.url);
  const server = createServer({ folder, settings: database.settings, limits: {} });
  let answered = 0;

  try {
    const url = await server.start();
    const token = await addToken(database);
    const statusOf = async (path: string) => {
      const answer = await fetch(url + path);
      await answer.arrayBuffer();
      return answer.status;
    };

    /** Returns the status of the answer; undefined without one. */
    const publish = async (version: string) => {
      const { body, entry } = packRelease(version);
      const beganAt = performance.now();
      const headers = { authorization: `Bearer ${token}` };
      const status = await fetch(`${url}/api/releases/${UNIT}/${version}`, { method: 'PUT', headers, body }).then(
        (answer) => answer.status,
        () => undefined,
      );
      return { status, entry, workMs: (performance.now() - beganAt) * LONGER_THAN_THE_WORK };
    };

    const title = `Publications, ${database.name}`;
    const { workMs } = await publish('9.0.0');
    await killAtRandom({ title, seed, kills, workMs }, async (round, afterMs) => {
      const version = `9.1.${round}`;
      const what = `${version}, killed ${afterMs} ms after its publication began`;
      const expect = (isSo: boolean, problem: string) => void (isSo || findings.published.push(`${what}: ${problem}`));

      const publishing = publish(version);
      await wait(afterMs);
      await server.kill();
      const { status, entry } = await publishing;
      if (status !== undefined) answered++;
      await server.start();

      const isKnown = (await listPublished(database)).has(version);
      expect(isKnown || status !== 201, 'it was acknowledged and is lost');
      for (const lost of await findLost(database, folder)) expect(false, lost);
      const before = await statusOf(`/releases/${UNIT}/${version}/${entry}`);
      expect(before === (isKnown ? 200 : 404), `its code is answered with ${before}`);
      const page = await statusOf(PAGE);
      expect(page === 200, `a page is answered with ${page}`);

      const repeated = await publish(version);
      expect(repeated.status === (isKnown ? 200 : 201), `its repeat is answered with ${repeated.status}`);
      for (const lost of await findLost(database, folder)) expect(false, lost);
      return repeated.workMs;
    });
    return {
      summary: `${title}, seed ${seed}: ${kills} kills during publications, ${answered} of them after the answer`,
      findings,
    };
  } finally {
    await server.kill();
    await database.drop();
    rmSync(folder, { recursive: true });
  }
}

/** The hashes of the files of each version that the registry knows. */
async function listPublished(database: Database): Promise<Map<string, Record<string, { sha384: string }>>> {
  const rows = await database.rows<{ version: string; manifest: string }>(
    `select version, manifest from "release" where unit = '${UNIT}' and version like '9.%'`,
  );
  return new Map(
    rows.map(({ version, manifest }) => [
      version,
      (JSON.parse(manifest) as { files: Record<string, { sha384: string }> }).files,
    ]),
  );
}

/** Finds files of known releases that the disk does not have as they were published. */
async function findLost(database: Database, folder: string): Promise<string[]> {
  return [...(await listPublished(database))].flatMap(([version, files]) =>
    Object.entries(files)
      .map(([name, { sha384 }]) => ({ name, sha384, path: join(folder, 'data/releases', UNIT, version, name) }))
      .filter(({ path, sha384 }) => !existsSync(path) || hashOf(readFileSync(path)) !== sha384)
      .map(({ name }) => `the registry knows ${UNIT}@${version}, and the disk has no sound ${name}`),
  );
}

/**
 * Packs the built release of the unit under another version, without source maps and precompressed variants.
 * @returns the tar.gz that `PUT /api/releases/:unit/:version` takes, and the name of the entry in it
 */
function packRelease(version: string): { body: Uint8Array<ArrayBuffer>; entry: string } {
  const built = readdirSync(join('dist', UNIT)).find((name) => /^\d/.test(name));
  if (built === undefined) throw new Error(`${UNIT} is not built`);

  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    cpSync(join('dist', UNIT, built), folder, { recursive: true });
    const text = readFileSync(join(folder, 'release.json'), 'utf8');
    const { entry } = JSON.parse(text) as Manifest;
    // The name of the container has the version, so the entry has other content, and another hash in its name.
    const globalName = `${UNIT}__${version}`.replace(/[^A-Za-z0-9]/g, '_');
    const code = readFileSync(join(folder, entry.file), 'utf8').replaceAll(entry.globalName, globalName);
    const file = entry.file.replace(/\.[0-9a-f]{8}\./, `.${hashOf(code, 'hex').slice(0, 8)}.`);
    writeFileSync(join(folder, file), code);
    const manifest = JSON.parse(text.replaceAll(entry.file, file)) as Manifest;

    const names = Object.keys(manifest.files).filter((name) => !name.endsWith('.map'));
    const describeFile = (name: string) => {
      const content = readFileSync(join(folder, name));
      return [name, { sha384: hashOf(content), bytes: content.length }];
    };
    const release = {
      ...manifest,
      version,
      entry: { file, globalName, integrity: `sha384-${hashOf(code)}` },
      files: Object.fromEntries(names.map(describeFile)) as object,
    };
    writeFileSync(join(folder, 'release.json'), JSON.stringify(release));
    const how = ['-C', folder, '--format=ustar', '-cz', 'release.json', ...names];
    return { body: new Uint8Array(execFileSync('tar', how, { maxBuffer: 2 ** 28 })), entry: file };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hashOf(content: string | Buffer, encoding: 'base64' | 'hex' = 'base64'): string {
  return createHash('sha384').update(content).digest(encoding);
}

async function addToken(database: Database): Promise<string> {
  const token = `deploy_${randomBytes(24).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  await database.write(
    `insert into deploy_token (id, unit, hash, label, created_at, created_by, expires_at)
     values ('${UNIT}', '${UNIT}', '${hash}', 'soak', 0, 'soak', ${Date.now() + DAY_MS})`,
  );
  return token;
}
