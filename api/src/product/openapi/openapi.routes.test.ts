import { ERRORS } from '@app/contracts/errors';
import { keyVerdictSchema } from '@app/contracts/key-system-schemas';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { listRoutes } from '#api/test/list-routes.ts';
import { requireDocumented } from '#api/test/require-documented.ts';
import { passCaptcha, walkStep, WHO } from '#api/test/product/visitor-steps.ts';
import { OPERATIONS } from './operations.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Routes for the pages of the site, for visitors, advertisers and operators. */
const NOT_FOR_APPS = [
  'GET /api/keysystemv2',
  'POST /api/keysystemv2',
  'GET /api/saverobux/keysystem',
  'POST /api/saverobux/keysystem',
  'GET /api/apps/:app/keysystem',
  'POST /api/apps/:app/keysystem',
  'POST /key-system-getkey',
  'POST /key-system-bypass',
  'POST /key-system-:step',
  'POST /rosaverx/key-system-getkey',
  'POST /rosaverx/key-system-bypass',
  'POST /rosaverx/key-system-:step',
  'POST /apps/key-system-getkey',
  'POST /apps/key-system-bypass',
  'POST /apps/key-system-:step',
  'GET /api/apps/sandbox/visit/:ticket',
  'GET /api/keysystem/return/:ticket',
  'GET /api/keysystem/postback/:secret',
  'GET /api/keysystem/usual-run',
  'GET /api/key-reminder',
  'GET /api/captcha/challenge',
  'POST /api/v2/verify-captcha',
  'POST /api/latest-purchase',
  'GET /api/resellers',
  'POST /api/resellers',
  'POST /api/requestresetdevices',
  'GET /api/create-payment',
  'POST /api/create-payment',
  'GET /api/payment-return',
  'GET /api/order-status',
  'POST /api/order-consent',
  'POST /api/payment-webhook',
  'GET /api/plan-status',
  'POST /api/redeem',
  'GET /api/reset-details',
  'POST /api/reset-details',
  'POST /api/confirmresetdevices',
  'GET /api/claim-plan',
  'POST /api/claim-plan',
  'GET /api/claim-details',
  'POST /api/claim-details',
  'POST /api/confirm-claim',
  'GET /api/unsubscribe',
  'POST /api/unsubscribe',
  'PUT /api/releases/:unit/:version',
  'PATCH /api/channels/:unit',
  'POST /api/deploy-sessions',
  'GET /api/releases',
  'GET /api/packs',
  'GET /api/packs/:file',
  'GET /api/packs/release.schema.json',
  'POST /api/qa/access',
  'DELETE /api/qa/access',
  'POST /api/qa/local',
  'DELETE /api/qa/local',
  'GET /api/qa/pins',
  'PUT /api/qa/pins',
  'DELETE /api/qa/pins',
  'POST /api/qa/share',
  'GET /api/stats/runs',
  'GET /api/status',
  'GET /api/federation/resolution',
  'POST /api/field-timings',
  'POST /api/load-reports',
  'GET /api/downloads',
  'GET /download/:app/:platform',
  'GET /content/:file',
  'GET /content-api/:file',
  'GET /healthz',
  'GET /readyz',
  'GET /interstitial.css',
  'GET /vectors.json',
];

interface Reference extends Record<string, unknown> {
  openapi: string;
  servers: { url: string }[];
  components: { schemas: Record<string, Member> };
  paths: Record<string, Record<string, { tags: string[]; description: string; parameters?: object[] }>>;
}

interface Member {
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Member>;
  items?: Member;
}

/** Every member of a schema and of the schemas within, with its path. */
function listMembers(path: string, { properties, items }: Member): [string, Member][] {
  const within = Object.entries(properties ?? items?.properties ?? {});
  return within.flatMap(([name, member]) => [
    [`${path}.${name}`, member] as [string, Member],
    ...listMembers(`${path}.${name}`, member),
  ]);
}

async function readReference(api: Awaited<ReturnType<typeof createTestApi>>): Promise<Reference> {
  return (await (await api.ask('/openapi.json')).json()) as Reference;
}

test('the API reference is valid OpenAPI 3.1 and names this site', async () => {
  const api = await createTestApi();
  const reference = await readReference(api);

  expect(await new Validator().validate(reference)).toMatchObject({ valid: true });
  expect(reference).toMatchObject({ openapi: '3.1.0', servers: [{ url: api.origin }] });
});

test('the API reference has formats, descriptions and examples for client generators', async () => {
  const { components, paths, ...reference } = await readReference(await createTestApi());
  const members = Object.entries(components.schemas).flatMap(([name, schema]) => listMembers(name, schema));
  const calls = Object.values(paths).flatMap((path) => Object.values(path));

  expect(reference).toMatchObject({ security: [], info: { contact: { url: expect.any(String) as string } } });
  expect(members.filter(([, { type }]) => [type].flat().includes('number'))).toEqual([]);
  expect(members.filter(([, { type, format }]) => [type].flat().includes('integer') && !format)).toEqual([]);
  expect(members.filter(([path, { description }]) => !description && !path.endsWith('.status'))).toEqual([]);
  // A client that knows today's values alone has to take those of a later server.
  const isClosed = ([path, { enum: values }]: [string, Member]) => values && !/^KeyCheck\.|\.status$/.test(path);
  expect(members.filter(isClosed)).toEqual([]);
  expect(components.schemas['KeyStatus']).toMatchObject({
    oneOf: ['Active', 'InProgress', 'None'].map((kind) => ({ $ref: `#/components/schemas/Key${kind}` })),
    discriminator: { propertyName: 'status' },
  });
  // openapi-zod-client does not know `const`.
  const is = (only: string) => ({ properties: { status: { type: 'string', const: only, enum: [only] } } });
  expect(components.schemas).toMatchObject({ KeyActive: is('active'), KeyInProgress: is('in_progress') });
  expect(components.schemas).toMatchObject({ KeyNone: is('none'), KeyBlocked: is('blocked') });
  for (const { tags, parameters = [] } of calls) {
    expect(tags).toHaveLength(1);
    for (const parameter of parameters)
      if (!('$ref' in parameter))
        expect(parameter).toMatchObject({
          description: expect.any(String) as string,
          example: expect.anything() as unknown,
        });
  }
});

test('the API reference states the configured rate limits', async () => {
  const api = await createTestApi({
    limits: { ...DEFAULT_LIMITS, keysPerMinute: 7, perAddress: { ...DEFAULT_LIMITS.perAddress, reads: 70 } },
  });

  const { paths } = await readReference(api);

  expect(paths['/api/key']?.['get']?.description).toMatch(
    /may ask 7 times a minute about one device .* and 70 times about all devices together/,
  );
  const { headers } = await api.ask(`/api/key?${WHO}`);
  expect(headers.get('ratelimit-policy')).toMatch(/^"key"; q=7; w=60; .*"key-address"; q=70; w=60/);
});

test('every route is documented or listed as not for apps', async () => {
  const { app } = await createTestApi();
  const documented = OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);

  expect(listRoutes(app)).toEqual([...documented, ...NOT_FOR_APPS].sort());
});

test('every documented status, verdict and rejection occurs and matches its schema', async () => {
  const api = await createTestApi();
  const seen: string[] = [];
  const see = async (answer: Promise<Response>) => {
    const res = await answer;
    const { status, code, reason } = (await res.json()) as { status?: string | number; code?: string; reason?: string };
    seen.push([res.status, typeof status === 'string' ? status : undefined, code ?? reason].filter(Boolean).join(' '));
  };
  const askForKey = (query = WHO) => see(api.ask(`/api/key?${query}`));
  const verify = (body: object) => see(api.post('/api/key/verify', body));

  await see(api.ask(`/api/key?${WHO}`, { headers: { 'api-version': '0' } }));
  await askForKey();
  await passCaptcha(api);
  await walkStep(api);
  await askForKey();
  await see(api.ask(`/api/keysystem/state?${WHO}`));
  for (const step of [2, 3, 4, 5, 6]) await walkStep(api, { step });
  await askForKey();
  await askForKey('hwid=device-1234');
  for (const query of ['', 'hwid=device-1234&zone=%3C', 'hwid=device-1234&app=Other', 'hwid=device-1234&app=other'])
    await askForKey(query);

  const { key } = (await (await api.ask(`/api/key?${WHO}`)).json()) as { key: string };
  const [header = '', payload = ''] = key.split('.');
  await verify({ key, hwid: 'device-1234' });
  await verify({ key, hwid: 'device-1234', app: 'companion' });
  await verify({ key, hwid: 'device-5678' });
  await verify({ key: `${header}.${payload}.`, hwid: 'device-1234' });
  const otherHeader = Buffer.from('{"alg":"EdDSA","kid":"other","typ":"key+jws"}').toString('base64url');
  await verify({ key: `${otherHeader}.${payload}.`, hwid: 'device-1234' });
  await verify({ key });
  await verify({ key: 7, hwid: 'device-1234' });
  await api.db.updateTable('accessKey').set({ revokedAt: api.now() }).execute();
  await verify({ key, hwid: 'device-1234' });
  api.pass(DAY);
  await verify({ key, hwid: 'device-1234' });
  await api.db
    .updateTable('device')
    .set({ blockReason: 'abuse', blockedUntil: api.now() + DAY })
    .execute();
  await askForKey();

  expect(new Set(seen)).toEqual(
    new Set([
      '200',
      ...['none', 'in_progress', 'active', 'none zone'].map((status) => `200 ${status}`),
      '403 blocked KS_BLOCKED',
      ...keyVerdictSchema.entries.code.options.map((code) => `200 ${code}`),
      ...OPERATIONS.flatMap(({ errors }) => errors).map((code) => `${String(ERRORS[code].status)} ${code}`),
      '400 request.invalid',
      '400 request.version',
    ]),
  );
});

test('an undocumented response fails the test that receives it', async () => {
  const answer = (status: number, body: object, type = 'application/json') =>
    requireDocumented('GET', '/api/key', Response.json(body, { status, headers: { 'content-type': type } }));
  const none = { status: 'none', app: 'main', now: 1 };
  const type = 'https://site.example/errors#KS_HWID';
  const problem = { type, title: 'x', status: 400, code: 'KS_HWID', retryable: false, ref: 'x', now: 1 };

  await answer(200, none);
  await answer(400, problem, 'application/problem+json');
  await expect(answer(418, none)).rejects.toThrow('does not know GET /api/key 418');
  await expect(answer(200, none, 'text/plain')).rejects.toThrow('does not know');
  await expect(answer(200, { ...none, mood: 'fine' })).rejects.toThrow('not as the reference says');
  await expect(answer(200, { ...none, now: undefined })).rejects.toThrow('not as the reference says');
  await expect(answer(400, { ...problem, code: 'PAY_MODE' }, 'application/problem+json')).rejects.toThrow(
    'not as the reference says',
  );
});
