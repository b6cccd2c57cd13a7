import { createRequire } from 'node:module';
import { findUnreadScript, findUnreadStyle } from '../../e2e/fixtures/oldest-syntax.ts';
import { OLDEST_BROWSERS, OLDEST_BROWSERS_QUERY } from '../../shared/contracts/src/oldest-browsers.ts';
import { installPeer } from '../machine/install-peer.ts';
import { runTable, type RunTool } from './run.ts';

const SCRIPTS = {
  'a static block': 'class A { static { a(); } }',
  lookbehind: '/(?<=a)b/;',
  'a part without case': '/(?i:a)/;',
  'two groups of one name': '/(?<y>a)|(?<y>b)/;',
  'the flag v': '/[a--b]/v;',
};

const STYLES = {
  '(width > 9px)': '@media (width > 9px) { a { color: red; } }',
  '(width >= 9px)': '@media (width >= 9px) { a { color: red; } }',
  'a list with :has()': 'a:has(b), c { color: red; }',
  'nested rules': 'a { &:hover { color: red; } }',
};

/** Writes a text for the oldest browsers. */
type Lower = (text: string) => Promise<string> | string;

interface Builder {
  beside?: string[];
  reads: typeof SCRIPTS | typeof STYLES;
  use: (load: (name: string) => unknown) => Lower;
}

/** What is used of the packages. */
interface Written {
  code: string;
}
interface LightningCss {
  transform: (options: { filename: string; code: Buffer; targets: object }) => { code: Buffer };
  browserslistToTargets: (browsers: string[]) => object;
}
type Browserslist = (query: readonly string[]) => string[];
type PresetEnv = (options: { browsers: readonly string[] }) => object;
type PostCss = (plugins: object[]) => { process: (text: string, options: object) => Promise<{ css: string }> };
interface EsBuild {
  transform: (text: string, options: object) => Promise<Written>;
}
interface Transformer {
  transformSync: (text: string, options: object) => Written;
}
interface Oxc {
  transformSync: (name: string, text: string, options: object) => Written;
}

/** As esbuild and Oxc name them. */
const ENGINES = Object.entries(OLDEST_BROWSERS).map(([name, version]) => name + version.replace(/\.0$/, ''));

const BUILDERS: Record<string, Builder> = {
  lightningcss: {
    beside: ['browserslist@4.29.6'],
    reads: STYLES,
    use: (load) => {
      const { transform, browserslistToTargets } = load('lightningcss') as LightningCss;
      const targets = browserslistToTargets((load('browserslist') as Browserslist)(OLDEST_BROWSERS_QUERY));
      return (text) => String(transform({ filename: 'a.css', code: Buffer.from(text), targets }).code);
    },
  },
  'postcss-preset-env': {
    beside: ['postcss@8.5.33'],
    reads: STYLES,
    use: (load) => {
      const plugin = load('postcss-preset-env') as PresetEnv;
      const processor = (load('postcss') as PostCss)([plugin({ browsers: OLDEST_BROWSERS_QUERY })]);
      return async (text) => (await processor.process(text, { from: undefined })).css;
    },
  },
  'esbuild (styles)': {
    reads: STYLES,
    use: (load) => lowerByEsBuild(load, { loader: 'css' }),
  },
  esbuild: { reads: SCRIPTS, use: (load) => lowerByEsBuild(load, {}) },
  '@swc/core': {
    reads: SCRIPTS,
    use: (load) => {
      const { transformSync } = load('@swc/core') as Transformer;
      return (text) => transformSync(text, { env: { targets: OLDEST_BROWSERS } }).code;
    },
  },
  'oxc-transform': {
    reads: SCRIPTS,
    use: (load) => {
      const { transformSync } = load('oxc-transform') as Oxc;
      return (text) => transformSync('a.js', text, { target: ENGINES }).code;
    },
  },
  '@babel/preset-env': {
    beside: ['@babel/core@8.1.3'],
    reads: SCRIPTS,
    use: (load) => {
      const { transformSync } = load('@babel/core') as Transformer;
      const presets = [[load('@babel/preset-env'), { targets: OLDEST_BROWSERS }]];
      return (text) => transformSync(text, { presets, configFile: false, sourceType: 'script' }).code;
    },
  },
};

function lowerByEsBuild(load: (name: string) => unknown, options: object): Lower {
  const { transform } = load('esbuild') as EsBuild;
  return async (text) => (await transform(text, { ...options, target: ENGINES })).code;
}

/**
 * Has builders write for the oldest browsers what these cannot read.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export function runBuilders(only?: string): Promise<boolean> {
  const tools = Object.entries(BUILDERS).map(([name, { beside = [], reads, use }]): [string, RunTool] => [
    name,
    async (version) => {
      const [own = ''] = name.split(' (');
      const folder = await installPeer([`${own}@${version}`, ...beside].join(' '));
      const lower = use(createRequire(`${folder}/a.js`));
      const told: Record<'lowers' | 'leaves' | 'refuses', string[]> = { lowers: [], leaves: [], refuses: [] };
      const find = reads === STYLES ? findUnreadStyle : findUnreadScript;
      for (const [what, text] of Object.entries(reads)) told[await judge(lower, text, find)].push(what);
      const words = Object.entries(told).filter(([, all]) => all.length > 0);
      return { does: words.map(([how, all]) => `${how} ${all.join(', ')}`).join('; ') };
    },
  ]);
  return runTable('Building for the oldest engines', Object.fromEntries(tools), only);
}

async function judge(lower: Lower, text: string, find: (text: string) => string[]) {
  try {
    return find(await lower(text)).length > 0 ? 'leaves' : 'lowers';
  } catch {
    return 'refuses';
  }
}
