/**
 * The import rules of docs/architecture.md, "What may import what". tools/checks/boundaries.test.ts has a violation of each.
 */

const REMOTE = '^remotes/([^/]+)/';
/** What runs before the packages are installed. */
const BEFORE_INSTALLATION = String.raw`^(scripts/(launch\.mjs|run-npm\.mjs|install\.ts)|tools/machine/(die-with-parent\.mjs|lock\.ts))$`;
const TEST = String.raw`\.test\.tsx?$|/test/`;

const rowsOf = (/** @type {string} */ text) => text.split(' < ').map((row) => row.split(' '));

/**
 * The folders of the API in rows, the lowest first. A folder may import from itself and from lower rows, but not from
 * other folders of its row. The same is true for types.
 */
const API_HOUSES = rowsOf('foundation < product delivery < server ops signer');

/** The rooms of each house, in rows as well. */
const API_ROOMS = {
  foundation: rowsOf('settings < jobs telemetry < crypto db < audit secrets visitors < http webhooks'),
  product: rowsOf(
    'limits < advertisers apps content devices downloads mail openapi resellers < captcha keys < licences < codes key-system payments < purchases stats < sweeper',
  ),
  delivery: rowsOf(
    'store < registry < deploy-tokens rendering serving < pages qa replication < channels < canary publishing',
  ),
};

/** Makes one rule for each row: a folder in it imports no other folder of its row, and none of a higher row. */
const importOnlyBelow = (
  /** @type {string} */ parent,
  /** @type {string[][]} */ rows,
  /** @type {string[]} */ always,
) =>
  rows.map((row, index) => ({
    name: `row-of-${String(row[0])}-imports-only-below`,
    severity: /** @type {const} */ ('error'),
    from: { path: `^${parent}/(${row.join('|')})/`, pathNot: TEST },
    to: {
      path: '^api/src/',
      pathNot: [
        `^${parent}/$1/`,
        ...rows.slice(0, index).map((below) => `^${parent}/(${below.join('|')})/`),
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
    ...importOnlyBelow('api/src', API_HOUSES, []),
    ...Object.entries(API_ROOMS).flatMap(([house, rows]) =>
      importOnlyBelow(`api/src/${house}`, rows, house === 'foundation' ? [] : ['^api/src/foundation/']),
    ),
    {
      name: 'every-folder-of-the-api-has-its-row',
      severity: 'error',
      from: {
        path: String.raw`^api/src/(((${Object.keys(API_ROOMS).join('|')})/)?[^/]+/|[^/]+$)`,
        pathNot: [
          ...Object.entries(API_ROOMS).map(([house, rows]) => `^api/src/${house}/(${rows.flat().join('|')})/`),
          ...Object.keys(API_ROOMS).map((house) => `^api/src/${house}/[^/]+$`),
          `^api/src/(${API_HOUSES.flat()
            .filter((house) => !(house in API_ROOMS))
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
        'Tools that attack or measure use no product code. Two exceptions: our migrations make the old databases, and packs have a rule of their own. The tool that lists the host API takes its version, and the one that lints the reference builds it.',
      severity: 'error',
      from: {
        path: '^(scripts|tools)/',
        pathNot: String.raw`^(tools/(build|against|budgets|packs)/|scripts/(host-api|lint-openapi)\.ts$|tools/attack/crashes/old-sites\.ts$)|${TEST}`,
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
