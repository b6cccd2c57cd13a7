import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { containerNameOf, type Release, releaseSchema, SERVER_BUNDLE, SERVER_MAP } from '@app/contracts/release';
import { SHELL, type Unit } from '@app/contracts/unit';
import { packTar as pack } from 'modern-tar';
import * as v from 'valibot';
import { buildRelease, buildRoute } from './build-release.ts';

export type ReleaseFiles = Map<string, Buffer>;

/**
 * Makes a release that can be published: one script, with both of its precompressed variants, and a stylesheet. That of
 * `tools` has the page `/portfolio`.
 * @param changes members of its `release.json` that differ
 */
export function makeRelease(unit: Unit, version: string, changes: Partial<Release> = {}): ReleaseFiles {
  const entry = unit === SHELL ? 'static/js/shell.js' : 'remoteEntry.js';
  const container = unit === SHELL ? '' : registers(containerNameOf(unit, version));
  const script = Buffer.from(container + `console.log('${unit} ${version}');`.repeat(20));
  const sheet = Buffer.from('.a { color: red }');
  const release = buildRelease(unit, {
    version,
    entry: {
      file: entry,
      integrity: `sha384-${hashOf(script)}`,
      ...(unit !== SHELL && { globalName: containerNameOf(unit, version) }),
    },
    css: ['static/css/a.css'],
    routes: unit === 'tools' ? [buildRoute('/portfolio')] : [],
    files: { [entry]: list(script), 'static/css/a.css': list(sheet) },
    ...changes,
  });

  return new Map([
    [entry, script],
    [`${entry}.br`, brotliCompressSync(script)],
    [`${entry}.gz`, gzipSync(script)],
    ['static/css/a.css', sheet],
    ['release.json', Buffer.from(JSON.stringify(release, null, 2))],
  ]);
}

/** The code of an entry whose container has every page. */
export function registers(globalName: string): string {
  const remote = `{ routes: new Proxy({}, { get: () => 'page' }), pages: { page() {} } }`;
  return `var ${globalName} = { init() {}, get: async () => () => ({ default: ${remote} }) };\n`;
}

export function withEntry(files: ReleaseFiles, code: string): ReleaseFiles {
  const release = v.parse(releaseSchema, JSON.parse(String(files.get('release.json'))));
  const { file } = release.entry;
  const script = Buffer.from(code);
  release.files[file] = list(script);
  release.entry.integrity = `sha384-${hashOf(script)}`;
  const others = [...files].filter(([name]) => !name.startsWith(file));
  return new Map([...others, [file, script], ['release.json', Buffer.from(JSON.stringify(release))]]);
}

/** Gives a release the code that renders its pages, and its source map. */
export function withServerBundle(files: ReleaseFiles, code: string, map?: string): ReleaseFiles {
  const release = v.parse(releaseSchema, JSON.parse(String(files.get('release.json'))));
  const added = new Map([[SERVER_BUNDLE, Buffer.from(code)]]);
  if (map !== undefined) added.set(SERVER_MAP, Buffer.from(map));
  for (const [name, content] of added) release.files[name] = list(content);
  return new Map([...files, ...added, ['release.json', Buffer.from(JSON.stringify(release, null, 2))]]);
}

export function withFile(files: ReleaseFiles, name: string, content: Buffer): ReleaseFiles {
  const release = v.parse(releaseSchema, JSON.parse(String(files.get('release.json'))));
  release.files[name] = list(content);
  return new Map([...files, [name, content], ['release.json', Buffer.from(JSON.stringify(release))]]);
}

export function list(content: Buffer): Release['files'][string] {
  return { sha384: hashOf(content), bytes: content.length };
}

/** Packs files as a tar that is not compressed yet. */
export async function packTar(files: Iterable<readonly [string, Buffer]>): Promise<Buffer> {
  const entries = [...files].map(([name, body]) => ({ header: { name, size: body.length, mtime: new Date(0) }, body }));
  return Buffer.from(await pack(entries));
}

function hashOf(content: Buffer): string {
  return createHash('sha384').update(content).digest('base64');
}
