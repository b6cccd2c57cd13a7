import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StatsPlugin } from '@module-federation/manifest';
import { rspack, type Compiler } from '@rspack/core';
import { FEDERATION_MANIFEST, HOST_API_VERSION } from '../../shared/contracts/src/unit.ts';

/** What the package makes beside the manifest. It names source files, and is never requested. */
const STATS_FILE = 'mf-stats.json';

interface ExposedAssets {
  js: { async: string[] };
  css: { async: string[] };
}

export interface ManifestOptions {
  name: string;
  version: string;
  library: { type: 'global'; name: string };
  /** Without it the unit exposes nothing: it is the host. */
  exposes?: Record<string, { import: string; name: string }>;
  shared: readonly string[];
}

/**
 * Writes `mf-manifest.json` into a release, by the package that the federation plugins use for it. Rspack's small
 * container plugin has none of its own (docs/decisions/001-module-federation-composes-the-pages.md). It also
 * names the hashes of the files, for hosts that fetch them ahead (shared/platform/src/hashed-preloads.ts).
 */
export const federationManifest =
  ({ version, shared, exposes, ...options }: ManifestOptions) =>
  (compiler: Compiler) => {
    const plugin = new StatsPlugin(
      {
        ...options,
        ...(exposes && { exposes }),
        shared: Object.fromEntries(shared.map((name) => [name, { singleton: true, import: false }])),
        dts: false,
        manifest: {
          // A host has no modules of remotes to look for, and its shared packages are those of the options.
          disableAssetsAnalyze: !exposes,
          additionalData({ stats }) {
            // The runtime of a host loads what is `sync` itself, as plain scripts, which then know of no entry.
            for (const { assets } of stats.exposes) assets.js.async.unshift(...assets.js.sync.splice(0));
            // Not those of the package.json, which are others in a repository of the unit's own.
            Object.assign(stats.metaData.buildInfo, { buildName: options.name, buildVersion: version });
            stats.shared = stats.shared.map((one) => {
              const built = versionOf(one.name, compiler.context);
              return { ...one, version: built, requiredVersion: `^${built}` };
            });
            return stats;
          },
        },
      },
      { bundler: 'rspack', pluginVersion: rspack.rspackVersion },
    );
    plugin.apply(compiler);

    compiler.hooks.thisCompilation.tap('federation-manifest', (compilation) => {
      const stage = rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'federation-manifest', stage }, () => {
        const made = compilation.getAsset(FEDERATION_MANIFEST);
        if (!made) throw new Error(`The build gave no ${FEDERATION_MANIFEST}`);
        compilation.deleteAsset(STATS_FILE);

        const manifest = JSON.parse(String(made.source.source())) as { exposes: { assets: ExposedAssets }[] };
        const files = manifest.exposes.flatMap(({ assets: { js, css } }) => [...js.async, ...css.async]);
        const integrity = Object.fromEntries(
          files.map((file) => [file, hashOf(compilation.getAsset(file)?.source.buffer() ?? Buffer.of())]),
        );
        const text = JSON.stringify({ ...manifest, integrity });
        compilation.updateAsset(FEDERATION_MANIFEST, new rspack.sources.RawSource(text));
      });
    });
  };

/** As in the elements by which the unit loads its files. */
function hashOf(bytes: Buffer): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
}

/** The version of a shared package that the unit was built with. That of our own package is the host API's. */
export function versionOf(name: string, folder: string): string {
  return name === '@app/platform' ? `${HOST_API_VERSION}.0` : installedVersion(name, folder);
}

function installedVersion(name: string, folder: string): string {
  const [, owner = name] = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name) ?? [];
  const file = createRequire(join(folder, 'package.json')).resolve(`${owner}/package.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
