import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** @type {{ TRIMMED_PACKAGES: readonly Rule[] }} */
const { TRIMMED_PACKAGES } = await import('../../../scripts/build/trimmed-packages.ts');

/**
 * Exports our pages as a static site. `npm run bench -- peers` copies this folder to dist/.peers, beside Next.js, and
 * compares the units with it.
 */
export default {
  output: 'export',
  outputFileTracingRoot: ROOT,
  // One React for Next and the pages: that of the repository.
  bundlePagesRouterDependencies: true,
  experimental: { externalDir: true },
  // Their types are checked with all others.
  typescript: { ignoreBuildErrors: true },
  webpack(
    /** @type {{ module: { rules: Rule[] }, resolve: { alias: Record<string, string> } }} */ config,
    /** @type {{ isServer: boolean }} */ { isServer },
  ) {
    config.module.rules.push(...TRIMMED_PACKAGES, {
      test: /\/messages\/[a-z-]+\.json$/,
      type: 'json',
      loader: resolve(ROOT, 'scripts/build/message-loader.ts'),
    });
    if (!isServer)
      config.resolve.alias['react-router$'] = resolve(ROOT, 'node_modules/react-router/dist/production/index.mjs');
    // In a stylesheet Next takes the name of a package for that of a folder beside it.
    for (const name of ['@fontsource-variable', 'simple-icons'])
      config.resolve.alias[`./${name}`] = resolve(ROOT, 'node_modules', name);
    config.module.rules.forEach(allowOurStyles);
    return config;
  },
};

/**
 * What is read and changed of a rule of webpack.
 * @typedef {{ loader?: string, options?: { modules?: { mode?: string } } }} Use
 * @typedef {{ test?: unknown, type?: string, loader?: string, issuer?: unknown, oneOf?: Rule[], use?: Use | Use[] }} Rule
 */

/**
 * Next refuses stylesheets of packages outside the frame of all pages, and CSS modules that begin with an element. Ours
 * have both, and its loaders read them.
 * @param {Rule} rule
 */
function allowOurStyles(rule) {
  const uses = [rule.use ?? []].flat();
  for (const { options } of uses) if (options?.modules?.mode === 'pure') options.modules.mode = 'local';
  if (rule.test instanceof RegExp && rule.test.test('x.css')) delete rule.issuer;
  if (rule.oneOf) {
    rule.oneOf = rule.oneOf.filter(
      ({ use }) => ![use ?? []].flat().some(({ loader }) => loader?.includes('error-loader')),
    );
    rule.oneOf.forEach(allowOurStyles);
  }
}
