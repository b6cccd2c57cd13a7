import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listen } from '../machine/free-port.ts';
import { installPeer } from '../machine/install-peer.ts';
import { openProduct } from './product.ts';
import { runTable, type RunTool } from './run.ts';

const COMPILER = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url));

/** What a generated client, and an author's code around it, has to compile with. */
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', outDir: 'out', rootDir: '.' },
    ...{ rewriteRelativeImportExtensions: true, esModuleInterop: true, skipLibCheck: true, types: [] },
    lib: ['es2023', 'dom', 'dom.iterable'],
  },
  include: ['**/*.ts'],
};

interface Generator {
  /** Its package, where its name in the table is another one. */
  name?: string;
  /** What it needs beside it, in the versions that were current. */
  beside: string[];
  /** The command, and the files that it needs; `client` becomes a file or a folder of that name. */
  command: string[];
  files?: (site: string) => Record<string, string>;
  /**
   * An author's code. `call` asks for the key of a device, and returns what came. `read` does what docs/compatibility.md
   * says: it returns `data`, the code of a refusal, or nothing.
   */
  program: string;
}

const GENERATORS: Record<string, Generator> = {
  'openapi-typescript': {
    beside: ['openapi-fetch@0.17.0', 'typescript@5.9.3'],
    command: ['openapi-typescript', 'openapi.json', '-o', 'client.ts'],
    program: `import createClient from 'openapi-fetch';
import type { paths } from './client';
export async function call(site: string, hwid: string) {
  const { data, error } = await createClient<paths>({ baseUrl: site }).GET('/api/key', { params: { query: { hwid } } });
  return { data, error };
}
export async function read(site: string, hwid: string) {
  const { data, error } = await call(site, hwid);
  return data ? 'data' : typeof error === 'object' && 'code' in error ? error.code : undefined;
}`,
  },
  '@hey-api/openapi-ts': {
    beside: ['typescript@6.0.3'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
    program: `import { getKey } from './client';
import { createClient } from './client/client';
export async function call(site: string, hwid: string) {
  const { data, error } = await getKey({ client: createClient({ baseUrl: site }), query: { hwid } });
  return { data, error };
}
export async function read(site: string, hwid: string) {
  const { data, error } = await call(site, hwid);
  return data ? 'data' : typeof error === 'object' && 'code' in error ? error.code : undefined;
}`,
  },
  '@hey-api/openapi-ts with zod': {
    name: '@hey-api/openapi-ts',
    beside: ['typescript@6.0.3', 'zod@4.3.6'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client', '-p', '@hey-api/typescript', 'zod'],
    program: `import { zGetKeyResponse } from './client/zod.gen';
export async function call(site: string, hwid: string) {
  return { data: zGetKeyResponse.parse(await (await fetch(site + '/api/key?hwid=' + hwid)).json()) };
}
export async function read(site: string, hwid: string) {
  const response = await fetch(site + '/api/key?hwid=' + hwid);
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) return answer?.code;
  zGetKeyResponse.parse(answer);
  return typeof answer.now === 'number' && 'data';
}`,
  },
  orval: {
    beside: [],
    command: ['orval', '--config', 'orval.config.mjs'],
    files: (site) => ({
      'orval.config.mjs': `export default { site: { input: 'openapi.json', output: { target: 'client.ts', client: 'fetch', baseUrl: '${site}' } } };`,
    }),
    program: `import { getKey } from './client';
export async function call(_site: string, hwid: string) {
  const { status, data } = await getKey({ hwid });
  return status === 200 ? { data } : { error: data };
}
export async function read(_site: string, hwid: string) {
  try {
    const { status, data } = await getKey({ hwid });
    return status === 200 ? 'data' : 'code' in data ? data.code : undefined;
  } catch {}
}`,
  },
  '@kubb/cli': {
    beside: ['core', 'plugin-oas', 'plugin-ts', 'plugin-client'].map((name) => `@kubb/${name}@4.39.3`),
    command: ['kubb', 'generate'],
    files: (site) => ({
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginClient } from '@kubb/plugin-client';
export default defineConfig({ root: '.', input: { path: 'openapi.json' }, output: { path: 'client' },
  plugins: [pluginOas({ generators: [] }), pluginTs({}), pluginClient({ client: 'fetch', baseURL: '${site}' })] });`,
    }),
    program: `import { getKey } from './client';
import fetchClient, { type Client } from '@kubb/plugin-client/clients/fetch';
export const call = async (_site: string, hwid: string) => ({ data: await getKey({ hwid }) });
const client: Client = async (config) => {
  const answer = await fetchClient<any, any, any>(config);
  if (answer.status !== 200) throw answer;
  return answer;
};
export const read = (_site: string, hwid: string) => getKey({ hwid }, {}, { client }).then(() => 'data', (thrown) => thrown.data?.code);`,
  },
  'swagger-typescript-api': {
    beside: [],
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'client.ts'],
    program: `import { Api } from './client';
export async function call(site: string, hwid: string) {
  const { data, error } = await new Api({ baseUrl: site }).api.getKey({ hwid });
  return { data, error };
}
export const read = (site: string, hwid: string) => call(site, hwid).then(() => 'data', (thrown) => thrown.error?.code);`,
  },
  oazapfts: {
    beside: ['@oazapfts/runtime@1.2.0'],
    command: ['oazapfts', 'openapi.json', 'client.ts'],
    program: `import { defaults, getKey } from './client';
export async function call(site: string, hwid: string) {
  defaults.baseUrl = site;
  const { status, data } = await getKey(hwid);
  return status === 200 ? { data } : { error: data };
}
export async function read(site: string, hwid: string) {
  const { data, error } = await call(site, hwid);
  return data ? 'data' : typeof error === 'object' && 'code' in error ? error.code : undefined;
}`,
  },
  'openapi-zod-client': {
    beside: ['@zodios/core@10.9.6', 'zod@3.25.76', 'axios@1.13.2'],
    command: ['openapi-zod-client', 'openapi.json', '-o', 'client.ts'],
    program: `import { createApiClient } from './client';
export const call = async (site: string, hwid: string) => ({ data: await createApiClient(site).getKey({ queries: { hwid } }) });
export const read = (site: string, hwid: string) => call(site, hwid).then(() => 'data', (thrown) => thrown.response?.data.code);`,
  },
};

interface Program {
  call: (site: string, hwid: string) => Promise<{ data?: unknown; error?: unknown }>;
  read: (site: string, hwid: string) => Promise<unknown>;
}

/** The devices for which they answer, and what an author reads. */
const CASES = [
  ['a call', 'device-1234', 'data'],
  ['429', 'limited', 'LIMIT'],
  ['an empty 503', 'empty', undefined],
  ['a page of HTML', 'page', undefined],
] as const;

/** What comes instead of an answer of the product. */
const LIMIT = { status: 429, headers: { 'content-type': 'application/problem+json', 'retry-after': '5' } };
const ANSWERS: Record<string, { status: number; headers: Record<string, string>; body: string }> = {
  limited: { ...LIMIT, body: '{"type":"about:blank","title":"Too many","status":429,"code":"LIMIT","retryable":true}' },
  empty: { status: 503, headers: { 'content-length': '0' }, body: '' },
  page: { status: 502, headers: { 'content-type': 'text/html' }, body: '<html><h1>Bad gateway</h1></html>' },
};

/**
 * Generates clients from the reference of a running server, compiles them, and has them ask it and what may stand in front.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export async function runGenerators(only?: string): Promise<boolean> {
  const product = await openProduct();
  const front = createServer((req, res) => {
    const { pathname, search, searchParams } = new URL(req.url ?? '/', product.site);
    const answer = ANSWERS[searchParams.get('hwid') ?? ''];
    if (answer) return void res.writeHead(answer.status, answer.headers).end(answer.body);
    void fetch(product.site + pathname + search).then(async (real) =>
      res.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' }).end(await real.text()),
    );
  });
  const site = `http://127.0.0.1:${await listen(front)}`;
  try {
    const tools = Object.entries(GENERATORS).map(([name, generator]): [string, RunTool] => [
      name,
      async (version) => ({ does: await play(`${generator.name ?? name}@${version}`, generator, site) }),
    ]);
    return await runTable('Our OpenAPI', Object.fromEntries(tools), only);
  } finally {
    front.close();
    front.closeAllConnections();
    await product.close();
  }
}

async function play(release: string, { beside, command, files, program }: Generator, site: string) {
  const peer = await installPeer([release, ...beside].join(' '));
  const folder = `${peer}/play`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const reference = await (await fetch(`${site}/openapi.json`)).text();
  const written = {
    'openapi.json': reference,
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': JSON.stringify(TSCONFIG),
    'program.ts': program,
    ...files?.(site),
  };
  for (const [file, text] of Object.entries(written)) writeFileSync(`${folder}/${file}`, text);

  const run = promisify(execFile);
  const [generator = '', ...args] = command;
  await run(`${peer}/node_modules/.bin/${generator}`, args, { cwd: folder });
  const compile = (...options: string[]) => run(process.execPath, [COMPILER, '-p', folder, ...options]);
  const isSound = await compile('--noEmit').then(
    () => true,
    () => false,
  );
  await compile('--noCheck', '--module', 'commonjs');
  const { call, read } = createRequire(import.meta.url)(`${folder}/out/program.js`) as Program;
  const words = [isSound ? 'compiles' : 'does not compile'];
  for (const [what, hwid, expected] of CASES) {
    words.push(`${what}: ${await call(site, hwid).then(describeResult, describeThrown)}`);
    const got = await read(site, hwid);
    if (got !== expected) words.push(`with the lines beside: ${String(got)}`);
  }
  return words.join('; ');
}

function describeResult({ data, error }: { data?: unknown; error?: unknown }): string {
  if (isObject(data) && 'now' in data)
    return typeof data['now'] === 'number' ? 'data' : `a ${typeof data['now']} for now`;
  if (isObject(data) && 'code' in data) return 'given as if it were data';
  if (isObject(error) && 'code' in error) return 'error.code';
  return `no data, and the error ${error === undefined ? 'undefined' : JSON.stringify(error).slice(0, 8)}`;
}

function describeThrown(thrown: unknown): string {
  if (!isObject(thrown)) return `throws ${JSON.stringify(thrown)}`;
  const paths = ['', 'data', 'error', 'response.data', 'cause'];
  const at = paths.find((path) => {
    const value = path
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((from, part) => isObject(from) && from[part], thrown);
    return isObject(value) && value['code'] === 'LIMIT';
  });
  if (at !== undefined) return `throws, ${[at, 'code'].filter(Boolean).join('.')}`;
  const { name, status } = thrown as { name?: string; status?: number };
  return `throws ${name ?? 'an object'}${status === undefined ? '' : ` with status`}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
