import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import * as v from 'valibot';
import { OpsError } from '../../../api/src/ops/command.ts';
import {
  containerNameOf,
  HASHED_NAME,
  releaseSchema,
  releaseUrl,
  versionSchema,
} from '../../../shared/contracts/src/release.ts';
import { FEDERATION_MANIFEST, HOST_API_VERSION } from '../../../shared/contracts/src/unit.ts';
import { compressFile, listFiles, writeRelease } from '../../build/write-release.ts';
import type { OwnUnit } from './own-unit.ts';

const EXPOSED_MODULE = './remote';

/** The entry of a build that has no manifest: webpack's own plugin writes none. */
const DEFAULT_ENTRY = 'remoteEntry.js';

/** What a build makes besides, and no page asks for. */
const UNSERVED_PATTERN = /(^|\/)\.|\.(br|gz|html|map|zip|d\.ts)$|^(release|mf-stats)\.json$/;

const entrySchema = v.object({ name: v.string(), path: v.optional(v.string(), ''), type: v.optional(v.string()) });
const assetsSchema = v.object({ sync: v.array(v.string()), async: v.array(v.string()) });
const manifestSchema = v.object({
  metaData: v.object({
    globalName: v.string(),
    publicPath: v.optional(v.string(), 'auto'),
    remoteEntry: entrySchema,
    /** Vite's, of which `remoteEntry` is an ES module. */
    varRemoteEntry: v.optional(entrySchema),
  }),
  shared: v.array(v.object({ name: v.string(), version: v.string(), assets: v.object({ js: assetsSchema }) })),
  exposes: v.array(v.object({ path: v.string(), assets: v.object({ css: assetsSchema }) })),
});

interface Built extends Pick<OwnUnit, 'unit' | 'pages'> {
  version: string;
  commit: string | null;
}

/**
 * Writes the `release.json` of what another builder has made, from its `mf-manifest.json` and the pages that package.json
 * lists, and compresses its files.
 * @throws OpsError with a sentence for each thing that the site could not load
 */
export function describeBuild(folder: string, { unit, version, commit, pages = {} }: Built): void {
  const { metaData, shared, exposes } = readManifest(folder, containerNameOf(unit, version));
  const { name, path, type = 'global' } = metaData.varRemoteEntry ?? metaData.remoteEntry;
  const file = join(path, name).replaceAll(sep, '/');
  const names = findFiles(folder);
  const exposed = exposes.find((one) => one.path === EXPOSED_MODULE);

  const base = releaseUrl({ unit, version }, '');
  const container = containerNameOf(unit, version);
  const problems = [
    metaData.globalName !== container &&
      `The container is named ${metaData.globalName}: set name in the federation plugin to ${container}`,
    type === 'module' &&
      `${file} is an ES module, which the site does not load: set varFilename: 'remoteEntry.var.js' (Vite), or leave library and output.module out (webpack, Rspack)`,
    !['auto', ''].includes(metaData.publicPath) &&
      `The build looks for its files at ${metaData.publicPath}, and they are at ${base}: set output.publicPath to 'auto' (webpack, Rspack), output.assetPrefix to 'auto' (Rsbuild), or base to './' (Vite)`,
    HASHED_NAME.test(file) &&
      `${file} has a hash in its name, without which its chunks are looked for: set filename in the federation plugin to ${DEFAULT_ENTRY}`,
    !names.includes(file) &&
      `${join(folder, file)} is missing: build first, or name the folder of the build with --from`,
    ...findMisplaced(folder, names),
    !exposed &&
      `The container has no ${EXPOSED_MODULE}: set exposes in the federation plugin to { '${EXPOSED_MODULE}': … }`,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new OpsError(problems.join('\n'));

  const files = listFiles(folder, names);
  const css = exposed?.assets.css.sync ?? [];
  // What a build has no files of comes from the page.
  const fromPage = shared.filter(({ assets: { js } }) => js.sync.length + js.async.length === 0);
  const release = v.safeParse(releaseSchema, {
    unit,
    version,
    commit,
    contract: {
      version: HOST_API_VERSION,
      requires: Object.fromEntries(fromPage.map((one) => [one.name, ['*']])),
      versions: Object.fromEntries(
        fromPage
          .filter((one) => !one.name.startsWith('@app/') && v.is(versionSchema, one.version))
          .map((one) => [one.name, one.version]),
      ),
    },
    entry: { file, globalName: container, integrity: `sha384-${files[file]?.sha384 ?? ''}` },
    css,
    routes: Object.entries(pages).map(([address, page]) => ({
      shareTitle: page['title'],
      picture: 'tools',
      canonical: null,
      ...page,
      path: address,
      // The builder's own runtime fetches the rest, and takes no preloads with a hash.
      preload: [file],
      css,
    })),
    files,
  });
  if (!release.success)
    throw new OpsError(`"pages" in package.json is not complete: ${v.summarize([release.issues[0]])}`);

  for (const one of names) compressFile(join(folder, one));
  writeRelease(folder, release.output);
}

/** Finds files of the build that its scripts and styles look for at the root of the site. */
function findMisplaced(folder: string, names: readonly string[]): string[] {
  return names
    .filter((name) => /\.(?:m?js|css)$/.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(folder, name), 'utf8');
      const found = names.find((one) => ['"', "'", '`', '('].some((before) => code.includes(`${before}/${one}`)));
      return found === undefined
        ? []
        : `${name} looks for ${found} at the root of the site: set base to './' (Vite), and import it from src instead of public`;
    });
}

function readManifest(folder: string, container: string): v.InferOutput<typeof manifestSchema> {
  const path = join(folder, FEDERATION_MANIFEST);
  if (!existsSync(path))
    return {
      metaData: { globalName: container, publicPath: 'auto', remoteEntry: { name: DEFAULT_ENTRY, path: '' } },
      shared: [],
      exposes: [{ path: EXPOSED_MODULE, assets: { css: { sync: [], async: [] } } }],
    };

  try {
    return v.parse(manifestSchema, JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new OpsError(`${path} is no manifest of Module Federation: ${error instanceof Error ? error.message : ''}`);
  }
}

function findFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((name) => !UNSERVED_PATTERN.test(name));
}
