/**
 * The import rules of docs/architecture.md, "What may import what". tools/checks/boundaries.test.ts has a violation of each.
 */

/** @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule */

const REMOTE = '^remotes/([^/]+)/';
/** What runs before the packages are installed. */
const BEFORE_INSTALLATION = String.raw`^(scripts/(launch\.mjs|run-npm\.mjs|install\.ts)|tools/machine/(die-with-parent\.mjs|lock\.ts))$`;
const TEST = String.raw`\.test\.tsx?$|/test/`;

const layersOf = (/** @type {string} */ text) => text.split(' < ').map((layer) => layer.split(' '));

/**
 * The modules of the API in layers, the lowest first. A module imports itself and lower layers, but no other module of
 * its layer. The same is true for types.
 */
const API_LAYERS = layersOf('foundation < product delivery < server ops signer');

/** The modules within them, in layers as well. */
const MODULE_LAYERS = {
  foundation: layersOf('settings < jobs telemetry < crypto db < audit secrets visitors < http webhooks'),
  product: layersOf(
    'limits < advertisers apps content devices downloads mail openapi resellers < captcha keys < licences < codes key-system payments < purchases stats < status sweeper',
  ),
  delivery: layersOf(
    'store < registry < deploy-tokens rendering serving < pages qa replication < channels < canary publishing',
  ),
};

/**
 * A rule: what is in the first place imports nothing in the second.
 * @param {string} name
 * @param {string | Rule['from']} from
 * @param {string | Rule['to']} to
 * @returns {Rule}
 */
const forbid = (name, from, to) => ({
  name,
  severity: 'error',
  from: typeof from === 'string' ? { path: from } : from,
  to: typeof to === 'string' ? { path: to } : to,
});

/** A shared package imports these of the others, and nothing else of ours. */
const sharedPackage = (/** @type {string} */ rule, /** @type {string} */ name, others = '') =>
  forbid(rule, `^shared/${name}/`, `^(shell|remotes|api|e2e)/|^shared/(?!(${name}${others})/)`);

/** Makes one rule for each layer: a module in it imports no other module of its layer, and none of a higher one. */
const importOnlyBelow = (
  /** @type {string} */ parent,
  /** @type {string[][]} */ layers,
  /** @type {string[]} */ always,
) =>
  layers.map((layer, index) =>
    forbid(
      `layer-of-${String(layer[0])}-imports-only-below`,
      { path: `^${parent}/(${layer.join('|')})/`, pathNot: TEST },
      {
        path: '^api/src/',
        pathNot: [
          `^${parent}/$1/`,
          ...layers.slice(0, index).map((below) => `^${parent}/(${below.join('|')})/`),
          ...always,
        ],
      },
    ),
  );

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('no-circles', {}, { circular: true }),
    forbid('remotes-do-not-know-each-other', REMOTE, { path: REMOTE, pathNot: '^remotes/$1/' }),
    forbid('remotes-do-not-know-the-shell', '^remotes/', '^shell/'),
    forbid('shell-meets-remotes-at-run-time-only', '^shell/', '^remotes/'),
    forbid('browser-does-not-import-the-api', '^(shell|remotes|shared)/', '^api/'),
    forbid(
      'api-imports-contracts-and-nothing-else-of-ours',
      '^api/src/',
      '^(shell|remotes|e2e)/|^shared/(?!contracts/)',
    ),
    sharedPackage('contracts-stand-alone', 'contracts'),
    sharedPackage('design-system-stands-alone', 'design-system'),
    sharedPackage('platform-imports-contracts-and-nothing-else-of-ours', 'platform', '|contracts'),
    sharedPackage(
      'brand-ui-imports-design-system-platform-and-contracts',
      'brand-ui',
      '|design-system|platform|contracts',
    ),
    forbid(
      'only-platform-imports-the-router',
      {
        path: '^(shell|remotes|shared)/',
        pathNot: '^(shared/(platform|testing)/|shell/src/render\\.tsx|.*\\.test\\.tsx)',
      },
      'node_modules/react-router',
    ),
    // Pages connect features. Only the key system's run may use its captcha and device.
    forbid(
      'features-are-islands',
      { path: '^(shell|remotes/[^/]+)/src/features/([^/]+)/', pathNot: '^remotes/key-system/src/features/run/' },
      { path: '^(shell|remotes/[^/]+)/src/features/', pathNot: '^$1/src/features/$2/' },
    ),
    forbid('features-do-not-import-pages', '/src/features/', '/src/pages/'),
    forbid(
      'sql-stays-in-repositories',
      {
        path: '^api/src/(product|delivery|server|foundation/(audit|visitors|webhooks))/',
        pathNot: String.raw`\.repository\.ts$|${TEST}`,
      },
      'node_modules/kysely/',
    ),
    ...importOnlyBelow('api/src', API_LAYERS, []),
    ...Object.entries(MODULE_LAYERS).flatMap(([module, layers]) =>
      importOnlyBelow(`api/src/${module}`, layers, module === 'foundation' ? [] : ['^api/src/foundation/']),
    ),
    forbid(
      'every-module-of-the-api-has-its-layer',
      {
        path: String.raw`^api/src/(((${Object.keys(MODULE_LAYERS).join('|')})/)?[^/]+/|[^/]+$)`,
        pathNot: [
          ...Object.entries(MODULE_LAYERS).map(
            ([module, layers]) => `^api/src/${module}/(${layers.flat().join('|')})/`,
          ),
          ...Object.keys(MODULE_LAYERS).map((module) => `^api/src/${module}/[^/]+$`),
          `^api/src/(${API_LAYERS.flat()
            .filter((module) => !(module in MODULE_LAYERS))
            .join('|')})/`,
          TEST,
        ],
      },
      '^api/src/',
    ),
    forbid(
      'only-seal-audit-extends-the-chain',
      { path: '^api/src/', pathNot: String.raw`^api/src/foundation/audit/seal-audit(\.test)?\.ts$` },
      String.raw`^api/src/foundation/audit/sealing.repository\.ts$`,
    ),
    forbid(
      'services-know-no-http',
      String.raw`^api/src/.*\.service\.ts$`,
      String.raw`node_modules/express/|\.routes\.ts$`,
    ),
    forbid('repositories-know-no-services', String.raw`\.repository\.ts$`, String.raw`\.(service|routes)\.ts$`),
    forbid(
      'product-code-knows-no-tests',
      { path: '^(shell|remotes|api|shared)/', pathNot: `${TEST}|^shared/testing/` },
      `${TEST}|node_modules/(vitest|@playwright|@electric-sql)/`,
    ),
    // App authors copy the client and the verifier into their apps.
    forbid('samples-import-nothing-but-their-verifier', String.raw`^samples/typescript/[^/]+$`, {
      pathNot: String.raw`^samples/typescript/verify-key\.mjs$`,
    }),
    forbid('samples-import-nothing-of-ours', '^samples/', '^(shell|remotes|api|shared|e2e|scripts|tools)/'),
    forbid(
      'journeys-import-nothing-of-ours',
      { path: '^e2e/', pathNot: '^e2e/(hosts|remotes)/src/' },
      {
        path: '^(shell|remotes|api|shared|scripts|tools)/',
        pathNot: String.raw`^(shared/contracts/src/oldest-browsers\.ts$|tools/machine/)`,
      },
    ),
    // As another team would, from the packs.
    forbid('other-teams-take-the-packs', '^e2e/(hosts|remotes)/', {
      path: '^(shell|remotes|api|shared|scripts|tools)/',
      pathNot: '^shared/(platform|contracts)/',
    }),
    forbid('product-code-knows-no-tools', { path: '^(shell|remotes|api|shared)/', pathNot: TEST }, '^(scripts|tools)/'),
    forbid('tools-know-no-commands', '^tools/', '^scripts/'),
    // The launcher imports tools by import(), after the installation.
    forbid('the-installation-needs-node-alone', BEFORE_INSTALLATION, {
      dynamic: false,
      pathNot: BEFORE_INSTALLATION,
      dependencyTypesNot: ['core'],
    }),
    forbid(
      'build-editing-and-host-api-import-contracts-and-nothing-else-of-ours',
      { path: String.raw`^(tools/(build|against|budgets)/|scripts/host-api\.ts$)`, pathNot: TEST },
      '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)',
    ),
    // Everybody can read packs. Those commands import nothing of the server but the format of archives.
    forbid(
      'packs-take-the-commands-for-another-site-alone',
      { path: '^tools/packs/', pathNot: TEST },
      {
        path: '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)',
        pathNot: String.raw`^api/src/(ops/(release/)?[a-z-]+|delivery/store/release-archive)\.ts$`,
      },
    ),
    // Tools that attack or measure use no product code. The tool that lists the host API takes its version, and the one
    // that lints the reference builds it. The one that runs builders reads what they write as a journey reads ours.
    forbid(
      'tools-see-the-product-from-outside',
      {
        path: '^(scripts|tools)/',
        pathNot: String.raw`^(tools/(build|against|budgets|packs)/|tools/compatibility/builders\.ts$|scripts/(host-api|lint-openapi)\.ts$)|${TEST}`,
      },
      { path: '^(shell|remotes|api|shared|e2e)/', pathNot: String.raw`^api/src/ops/progress\.ts$` },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/|rspack\\.config|vitest\\.config' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
