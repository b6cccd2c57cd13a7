/** One rule per sentence of docs/architecture.md, "Who may import whom". Each was seen to fail in scripts/boundaries.test.ts. */

const REMOTE = '^remotes/([^/]+)/';
/** Commands that run on a fresh clone, and what they are made of. */
const BEFORE_INSTALLATION = String.raw`^scripts/[^/]+\.mjs$`;
const TEST = String.raw`\.test\.tsx?$|/test/`;

/**
 * The folders of the API, lowest first. A folder imports itself and those below its row, also where only types are
 * meant; folders of one row do not know each other.
 */
const API_FOLDERS = [['db', 'crypto'], ['http'], ['features'], ['secrets', 'html', 'live', 'openapi'], ['app', 'ops']];
const API_FEATURES = [
  ['audit', 'content', 'downloads', 'purchases', 'releases', 'resellers'],
  ['devices'],
  ['advertisers', 'captcha', 'keys', 'licences', 'payments'],
  ['key-system'],
  ['sweeper'],
];

/** What reads settings: the one part of the API below every folder. */
const API_SETTINGS = String.raw`^api/src/(env|env-checks|parse-json|read-named-file|setting-names)\.ts$`;

/** One rule for each row of folders: nothing in it imports a folder of its own row or above. */
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

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'No file imports itself, however long the way round.',
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
      from: { path: '^(shell|remotes|shared)/', pathNot: '^shared/(platform|testing)/' },
      to: { path: 'node_modules/react-router' },
    },
    {
      name: 'features-are-islands',
      comment:
        'A page introduces two features to each other. Within the key system the run may use its captcha and device.',
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
      from: { path: '^api/src/features/', pathNot: String.raw`\.repository\.ts$|${TEST}` },
      to: { path: 'node_modules/kysely/' },
    },
    ...importOnlyBelow('api/src', API_FOLDERS, [API_SETTINGS]),
    ...importOnlyBelow('api/src/features', API_FEATURES, ['^api/src/(db|crypto|http)/', API_SETTINGS]),
    {
      name: 'every-folder-of-the-api-has-its-row',
      severity: 'error',
      from: {
        path: '^api/src/(features/)?[^/]+/',
        pathNot: [
          `^api/src/(${API_FOLDERS.flat()
            .filter((folder) => folder !== 'features')
            .join('|')})/`,
          `^api/src/features/(${API_FEATURES.flat().join('|')})/`,
          TEST,
        ],
      },
      to: { path: '^api/src/' },
    },
    {
      name: 'settings-import-nothing-of-the-api',
      severity: 'error',
      from: { path: API_SETTINGS },
      to: { path: '^api/src/', pathNot: API_SETTINGS },
    },
    {
      name: 'only-transact-appends-to-the-audit',
      comment:
        'The audit is the last lock of a transaction: transact appends what was recorded just before the commit.',
      severity: 'error',
      from: { path: '^api/src/', pathNot: '^api/src/features/audit/transact\\.ts$' },
      to: { path: '^api/src/features/audit/append-audit\\.ts$' },
    },
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
      name: 'sample-verifier-imports-nothing',
      comment: 'It is there to be copied into an app, and the client beside it as well.',
      severity: 'error',
      from: { path: String.raw`^samples/(verify-key/verify-key\.mjs|key-client/key-client\.ts)$` },
      to: {},
    },
    {
      name: 'samples-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^samples/' },
      to: { path: '^(shell|remotes|api|shared|e2e|scripts)/' },
    },
    {
      name: 'journeys-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^(shell|remotes|api|shared|scripts)/' },
    },
    {
      name: 'product-code-knows-no-scripts',
      severity: 'error',
      from: { path: '^(shell|remotes|api|shared)/', pathNot: TEST },
      to: { path: '^scripts/' },
    },
    {
      name: 'scripts-before-the-installation-need-node-alone',
      comment: 'What they import once packages are installed, they import by a call.',
      severity: 'error',
      from: { path: BEFORE_INSTALLATION },
      to: { dynamic: false, pathNot: BEFORE_INSTALLATION, dependencyTypesNot: ['core'] },
    },
    {
      name: 'build-extensions-import-contracts-and-nothing-else-of-ours',
      severity: 'error',
      from: { path: '^scripts/build/' },
      to: { path: '^(shell|remotes|api|e2e)/|^shared/(?!contracts/)' },
    },
    {
      name: 'tools-see-the-product-from-outside',
      comment:
        'What attacks or measures trusts no code of ours. Two files have to: old databases are made by our migrations, and the one bundle is made of our sources.',
      severity: 'error',
      from: {
        path: '^scripts/',
        pathNot: String.raw`^scripts/(build/|attack/old-sites\.ts$|bench/one-bundle/)|${TEST}`,
      },
      to: { path: '^(shell|remotes|api|shared|e2e)/' },
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
