import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { HWID, walkRun, ZONE } from '#api/test/product/visitor-steps.ts';
import { buildDocument } from './document.ts';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** What an author writes around a generated client. The types are the generator's, and no word of them is asserted. */
const writeProgram = (imports: string, ask: (query: string) => string, verify: (body: string) => string) => `
${imports}

export async function getKey(site: string, hwid: string, zone: string): Promise<[string, string | undefined]> {
  const client = createClient({ baseUrl: site });
  const { data, error } = await ${ask("{ hwid, zone, app: 'main' }")};
  if (!data) throw new Error(error && 'code' in error ? error.code : 'blocked');
  if (data.status === 'in_progress') throw new Error(\`\${data.step} of \${data.of}\`);
  if (data.status === 'none') throw new Error(data.reason ?? 'none');
  // A code of a later server is no error of types.
  const check = await ${verify("{ key: data.key, hwid, app: 'main', nonce: 'nonce-of-16-char' }")};
  return [data.key, check.data?.code === 'LATER' ? undefined : check.data?.verdict];
}

export async function refusedWith(site: string): Promise<string | undefined> {
  const client = createClient({ baseUrl: site });
  const { error } = await ${ask("{ hwid: '' }")};
  return error && 'code' in error ? error.code : undefined;
}
`;

const PROGRAMS = {
  'openapi-typescript': writeProgram(
    `import createFetchClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
const createClient = createFetchClient<paths>;`,
    (query) => `client.GET('/api/key', { params: { query: ${query} } })`,
    (body) => `client.POST('/api/key/verify', { body: ${body} })`,
  ),
  'hey-api': writeProgram(
    `import { getKey as askForKey, verifyKey } from './hey-api/index.ts';
import { createClient } from './hey-api/client/index.ts';`,
    (query) => `askForKey({ client, query: ${query} })`,
    (body) => `verifyKey({ client, body: ${body} })`,
  ),
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['*.ts'],
};

interface Program {
  getKey: (site: string, hwid: string, zone: string) => Promise<[string, string | undefined]>;
  refusedWith: (site: string) => Promise<string | undefined>;
}

const folder = mkdtempSync(join(tmpdir(), 'clients-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (generator: string) => join(folder, `${generator}.program.ts`);

beforeAll(async () => {
  // Each generator changes the object that it is given.
  const build = () => buildDocument('https://site.example', DEFAULT_LIMITS);
  const types = await openapiTS(build() as unknown as OpenAPI3);
  writeFileSync(join(folder, 'schema.d.ts'), astToString(types));
  await createClient({
    input: build(),
    output: { path: join(folder, 'hey-api'), importFileExtension: '.ts' },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent', file: false },
  });

  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  symlinkSync(MODULES, join(folder, 'node_modules'));
  for (const [generator, program] of Object.entries(PROGRAMS)) writeFileSync(fileOf(generator), program);
});

test('programs with the types of two generators compile: a status tells the members, and codes may be new', () => {
  const compile = () =>
    execFileSync(process.execPath, [join(MODULES, 'typescript-7/bin/tsc'), '-p', folder], { encoding: 'utf8' });

  expect(compile()).toBe('');
});

test.each(Object.keys(PROGRAMS))(
  'a client that %s has made gets a real key, a verdict, and the code of a refusal',
  async (generator) => {
    const api = await createTestApi();
    await walkRun(api);
    const program = (await import(pathToFileURL(fileOf(generator)).href)) as Program;

    const [key, verdict] = await program.getKey(api.origin, HWID, ZONE);

    expect(await (await api.post('/api/key/verify', { key, hwid: HWID })).json()).toMatchObject({
      valid: true,
    });
    expect(verdict?.split('.')).toHaveLength(3);
    expect(await program.refusedWith(api.origin)).toBe('KS_HWID');
  },
);
