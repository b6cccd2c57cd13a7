/**
 * The import rules of docs/architecture.md, "What may import what". tools/checks/boundaries.test.ts has a violation of each.
 */

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
    'limits < advertisers apps content devices downloads mail openapi resellers < captcha keys < licences < codes key-system payments < purchases stats < sweeper',
  ),
  delivery: layersOf(
    'store < registry < deploy-tokens rendering serving < pages qa replication < channels < canary publishing',
  ),
};

/** Makes one rule for each layer: a module in it imports no other module of its layer, and none of a higher one. */
const importOnlyBelow = (
  /** @type {string} */ parent,
  /** @type {string[][]} */ layers,
  /** @type {string[]} */ always,
) =>
  layers.map((layer, index) => ({
    name: `layer-of-${String(layer[0])}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^${parent}/(${layer.join('|')})/`, pathNot: TEST },
    to: {
      path: '^api/src/',
      pathNot: [
        `^${parent}/$1/`,
        ...layers.slice(0, index).map((below) => `^${parent}/(${below.join('|')})/`),
        ...always,
      ],
    },
  }));

/** Makes a rule for a file of the audit that only one other file imports, and the tests of that one. */
const onlyImporter = (/** @type {string} */ name, /** @type {string} */ importer, /** @type {string} */ file) => ({
  name,
  severity: /** @type {const} */ ('error'),
  from: { path: '^api/src/', pathNot: String.raw`^api/src/foundation/audit/${importer}(\.test)?\.ts$` },
  to: { path: String.raw`^api/src/foundation/audit/${file}\.ts$` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'No file imports itself, not even through other files.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'remotes-do-not-know-each-other',
      severity: 'error',
      from: { path: REMOTE },
      to: { path: REMOTE, pathNot: '^remotes/$1/' },
    },
    {
      name: 'remotes-do-not-know-the-shell',
      severity: 'error',
      from: { path: '^remotes/' },
      to: { path: '^shell/' },
    },
    {
      name: 'shell-meets-remotes-at-run-time-only',
      severity: 'error',
      from: { path: '^shell/' },
      to: { path: '^remotes/' },
    },
    {
      name: 'browser-does-not-import-the-api',
      severity: 'error',
      from: { path: '^(shell|remotes|shared)/' },
      to: { path: '^api/' },
    },
    {
      name: 'api-imports-contracts-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: '^api/src/' },
      to: { path: '^(shell|remotes|e2e)/|^shared/(?!contracts/)' },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      from: { path: '^shared/contracts/' },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)' },
    },
    {
      name: 'design-system-stands-alone',
      severity: 'error',
      from: { path: '^shared/design-system/' },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!design-system/)' },
    },
    {
      name: 'platform-imports-contracts-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!(platform|contracts)/)' },
    },
    {
      name: 'brand-ui-imports-design-system-platform-and-contracts',
      severity: 'error',
      from: { path: '^shared/brand-ui/' },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!(brand-ui|design-system|platform|contracts)/)' },
    },
    {
      name: 'only-platform-imports-the-router',
      severity: 'error',
      from: {
        path: '^(shell|remotes|shared)/',
        pathNot: '^(shared/(platform|testing)/|shell/src/render\\.tsx|.*\\.test\\.tsx)',
      },
      to: { path: 'node_modules/react-router' },
    },
    {
      name: 'features-are-islands',
      comment:
        'Features do not import each other; pages connect them. Only the key system’s run may use its captcha and device.',
      severity: 'error',
      from: { path: '^(shell|remotes/[^/]+)/src/features/([^/]+)/', pathNot: '^remotes/key-system/src/features/run/' },
      to: { path: '^(shell|remotes/[^/]+)/src/features/', pathNot: '^$1/src/features/$2/' },
    },
    {
      name: 'features-do-not-import-pages',
      severity: 'error',
      from: { path: '/src/features/' },
      to: { path: '/src/pages/' },
    },
    {
      name: 'sql-stays-in-repositories',
      severity: 'error',
      from: {
        path: '^api/src/(product|delivery|server|foundation/(audit|visitors|webhooks))/',
        pathNot: String.raw`\.repository\.ts$|${TEST}`,
      },
      to: { path: 'node_modules/kysely/' },
    },
    ...importOnlyBelow('api/src', API_LAYERS, []),
    ...Object.entries(MODULE_LAYERS).flatMap(([module, layers]) =>
      importOnlyBelow(`api/src/${module}`, layers, module === 'foundation' ? [] : ['^api/src/foundation/']),
    ),
    {
      name: 'every-module-of-the-api-has-its-layer',
      severity: 'error',
      from: {
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
      to: { path: '^api/src/' },
    },
    onlyImporter('only-seal-audit-extends-the-chain', 'seal-audit', 'sealing.repository'),
    {
      name: 'services-know-no-http',
      severity: 'error',
      from: { path: String.raw`^api/src/.*\.service\.ts$` },
      to: { path: String.raw`node_modules/express/|\.routes\.ts$` },
    },
    {
      name: 'repositories-know-no-services',
      severity: 'error',
      from: { path: String.raw`\.repository\.ts$` },
      to: { path: String.raw`\.(service|routes)\.ts$` },
    },
    {
      name: 'product-code-knows-no-tests',
      severity: 'error',
      from: { path: '^(shell|remotes|api|shared)/', pathNot: `${TEST}|^shared/testing/` },
      to: { path: `${TEST}|node_modules/(vitest|@playwright|@electric-sql)/` },
    },
    {
      name: 'samples-import-nothing-but-their-verifier',
      comment: 'App authors copy the client and the verifier into their apps.',
      severity: 'error',
      from: { path: String.raw`^samples/typescript/[^/]+$` },
      to: { pathNot: String.raw`^samples/typescript/verify-key\.mjs$` },
    },
    {
      name: 'samples-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^samples/' },
      to: { path: '^(shell|remotes|api|shared|e2e|scripts|tools)/' },
    },
    {
      name: 'journeys-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^e2e/', pathNot: '^e2e/(hosts|remotes)/src/' },
      to: {
        path: '^(shell|remotes|api|shared|scripts|tools)/',
        pathNot: String.raw`^(shared/contracts/src/oldest-browsers\.ts$|tools/machine/)`,
      },
    },
    {
      name: 'other-teams-take-the-packs',
      severity: 'error',
      comment: 'As another team would, from the packs.',
      from: { path: '^e2e/(hosts|remotes)/' },
      to: { path: '^(shell|remotes|api|shared|scripts|tools)/', pathNot: '^shared/(platform|contracts)/' },
    },
    {
      name: 'product-code-knows-no-tools',
      severity: 'error',
      from: { path: '^(shell|remotes|api|shared)/', pathNot: TEST },
      to: { path: '^(scripts|tools)/' },
    },
    {
      name: 'tools-know-no-commands',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'the-installation-needs-node-alone',
      comment: 'The launcher imports tools by import(), after the installation.',
      severity: 'error',
      from: { path: BEFORE_INSTALLATION },
      to: { dynamic: false, pathNot: BEFORE_INSTALLATION, dependencyTypesNot: ['core'] },
    },
    {
      name: 'build-editing-and-host-api-import-contracts-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: String.raw`^(tools/(build|against|budgets)/|scripts/host-api\.ts$)`, pathNot: TEST },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)' },
    },
    {
      name: 'packs-take-the-commands-for-another-site-alone',
      comment: 'Everybody can read packs. Those commands import nothing of the server but the format of archives.',
      severity: 'error',
      from: { path: '^tools/packs/', pathNot: TEST },
      to: {
        path: '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)',
        pathNot: String.raw`^api/src/(ops/(release/)?[a-z-]+|delivery/store/release-archive)\.ts$`,
      },
    },
    {
      name: 'tools-see-the-product-from-outside',
      comment:
        'Tools that attack or measure use no product code. Packs have a rule of their own. The tool that lists the host API takes its version, and the one that lints the reference builds it.',
      severity: 'error',
      from: {
        path: '^(scripts|tools)/',
        pathNot: String.raw`^(tools/(build|against|budgets|packs)/|scripts/(host-api|lint-openapi)\.ts$)|${TEST}`,
      },
      to: { path: '^(shell|remotes|api|shared|e2e)/', pathNot: String.raw`^api/src/ops/progress\.ts$` },
    },
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
