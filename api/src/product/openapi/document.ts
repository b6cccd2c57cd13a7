import { API_CHANGES, API_VERSION, API_VERSIONS, type ApiChange } from '@app/contracts/api-version';
import { COMMUNITY_LINKS, PRODUCT } from '@app/contracts/brand';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@app/contracts/errors';
import { SANDBOX } from '@app/contracts/key-system';
import { problemSchema } from '@app/contracts/problem';
import { PAGES, runPagePath } from '@app/contracts/pages';
import * as v from 'valibot';
import type { Limits } from '#api/product/limits/limits.ts';
import { convertAnswer, convertBody, convertQuery, refer } from './convert-schema.ts';
import { OPERATIONS, TAGS, WEBHOOK_HEADERS, WEBHOOKS, type Operation } from './operations.ts';

type Json = Record<string, unknown>;

/** What changed for apps. The page for authors tells it, too. */
const CHANGES: Record<ApiChange, string> = {
  wait: '`Prefer: wait` of `GET /api/key` and `GET /api/keysystem/state`: the answer comes when there is news.',
  webhooks: 'Webhooks: `key.issued` and `key.withdrawn`.',
  apps: 'Registered apps, and `sandbox` to try everything with: `app` may be any of them.',
  verdict: '`nonce` and `verdict` of `POST /api/key/verify`: an answer that a script can trust.',
  unknownVersion: 'An unknown version is refused with `request.version`; before, with `request.invalid`.',
  problemType: 'The `type` of a problem is a whole address; before, its path.',
  version1: 'Version 1.',
};

const ABOUT = `What apps ask this server. Open the page \`${runPagePath('main', 1)}?hwid=…&zone=…\` (the companion: \`${runPagePath('companion', 1)}?hwid=…&zone=…\`, an app that was registered here, or the sandbox: \`${runPagePath(SANDBOX, 1)}?app=sandbox&hwid=…&zone=…\`) for the visitor, then ask for the key. The whole way, with samples, is told at \`${PAGES.developers}\`. No call needs a token.

Times are epoch milliseconds by the server's clock. A later server may add members to its answers, and values to the lists named \`x-extensible-enum\`: pass over what you do not know.

## Refusals
A refusal is a problem (RFC 9457) in JSON, unless the request's \`Accept\` prefers \`text/html\`: then it is a page for people. A proxy on the way may also answer 502, 503 or 504 in HTML, and a network that asks for a login 200. What is not JSON of the form below is no answer of this server: wait and ask again. After 429 and 503 wait as long as \`Retry-After\` says.

## Versions
A program names the version it was written for in the header \`API-Version\`. When a version comes that would break it, the server goes on to speak the one before: \`Deprecation\` (RFC 9745) then says since when to leave it, and \`Sunset\` (RFC 8594) when it ends. After that the answer is \`request.version\`, with the versions that there are in \`supported\`.

${API_CHANGES.map(({ day, id }) => `- ${day}: ${CHANGES[id]}`).join('\n')}`;

/** Every call can be refused with these codes, and with those of the server's own failures. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'request.invalid',
  'request.version',
  'KS_LIMIT',
  ...ERROR_CODES.filter((code) => code.startsWith('server.')),
];

const header = (description: string, example: string | number, schema: Json = { type: 'string' }) => ({
  description,
  schema,
  example,
});

const HEADERS = {
  'API-Version': header('The version that the answer speaks.', API_VERSION),
  Deprecation: header(
    'Only where this version ends: since when to leave it, as `@` and seconds since 1970.',
    '@1803859200',
  ),
  Sunset: header('Only where this version ends: when, as an HTTP date.', 'Wed, 01 Mar 2028 00:00:00 GMT'),
  'Retry-After': header('How many seconds to wait before the next try.', 5, { type: 'integer', format: 'int32' }),
  'Preference-Applied': header(
    'Only where the request was held: ask again at once. Otherwise wait five seconds.',
    'wait',
  ),
  RateLimit: header(
    'For each limit that counts this call its name, how many requests are left (`r`) and in how many seconds all are there again (`t`). A structured field, as in draft 8 of RateLimit header fields for HTTP.',
    '"key"; r=119; t=60, "key-address"; r=5999; t=60',
  ),
  'RateLimit-Policy': header(
    'The limits themselves: how many requests (`q`) in how many seconds (`w`).',
    '"key"; q=120; w=60, "key-address"; q=6000; w=60',
  ),
} as const;

const VERSION_PARAMETER = {
  name: 'API-Version',
  in: 'header',
  description: 'The version that you understand. Without it you get the oldest one that the server speaks.',
  schema: { type: 'string', enum: API_VERSIONS.map(({ version }) => version) },
  example: API_VERSION,
};

const WAIT_PARAMETER = {
  name: 'Prefer',
  in: 'header',
  description:
    '`wait=N` (RFC 7240): where a key, or the confirmation of a step, is still to come, the request is held until the answer changes, for N seconds and at most 25. A server with too much to do answers at once.',
  schema: { type: 'string' },
  example: 'wait=25',
};

const PROBLEM = v.object({ ...problemSchema.entries, code: v.picklist(ERROR_CODES) });

/** Builds the reference for app authors, in OpenAPI 3.1, with the site's own origin and limits. */
export function buildDocument(baseUrl: string, limits: Limits): Json {
  const bodies = OPERATIONS.flatMap(({ body }) => body ?? []);
  const answers = OPERATIONS.flatMap((operation) => operation.answers);
  const [{ href: contact }] = COMMUNITY_LINKS;

  return {
    openapi: '3.1.0',
    info: {
      title: `${PRODUCT.label} for developers`,
      version: API_VERSION,
      summary: 'Getting keys and checking them.',
      description: ABOUT,
      contact: { name: PRODUCT.label, url: contact },
      license: {
        name: 'Proprietary; authors of apps may call it, and copy the samples',
        url: `${baseUrl}${PAGES.developers}`,
      },
    },
    servers: [{ url: baseUrl, description: 'This site' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${baseUrl}${PAGES.developers}`, description: 'The whole way, with samples' },
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [operation.path, { [operation.method]: presentOperation(operation, limits) }]),
    ),
    webhooks: Object.fromEntries(WEBHOOKS.map((webhook) => [webhook.type, { post: presentWebhook(webhook) }])),
    components: {
      schemas: Object.assign(
        {},
        ...bodies.map(({ name, schema }) => convertBody(name, schema)),
        ...answers.map(({ name, schema }) => convertAnswer(name, schema)),
        ...WEBHOOKS.map(({ name, schema }) => convertAnswer(name, schema)),
        convertAnswer('Problem', PROBLEM),
      ) as Json,
      parameters: { Wait: WAIT_PARAMETER, Version: VERSION_PARAMETER },
      headers: HEADERS,
      examples: Object.fromEntries(
        [...COMMON_ERRORS, ...OPERATIONS.flatMap(({ errors }) => errors)].map((code) => [
          code,
          presentExample(code, baseUrl),
        ]),
      ),
    },
  };
}

function presentOperation({ query, body, limit, canWait, ...operation }: Operation, limits: Limits): Json {
  const { id, tag, summary, description, answers, errors } = operation;
  const limited = limit ? (['RateLimit', 'RateLimit-Policy'] as const) : [];

  return {
    operationId: id,
    tags: [tag],
    summary,
    description: limit ? `${description}\n\n${describeLimit(limit, limits)}` : description,
    ...(limit && { 'x-rate-limits': presentLimits(limit, limits) }),
    parameters: [
      ...(query ? convertQuery(query) : []),
      ...(canWait ? [{ $ref: '#/components/parameters/Wait' }] : []),
      { $ref: '#/components/parameters/Version' },
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(body.name), example: body.example } },
      },
    }),
    responses: {
      ...presentProblems([...errors, ...COMMON_ERRORS], limited),
      ...Object.fromEntries(
        answers.map(({ status, description: what, name, type = 'application/json', examples }) => [
          status,
          {
            description: what,
            headers: referHeaders(canWait ? [...limited, 'Preference-Applied'] : limited),
            content: { [type]: { schema: refer(name), ...(examples && { examples: nameExamples(examples) }) } },
          },
        ]),
      ),
    },
  };
}

function presentWebhook({ id, summary, description, name, example }: (typeof WEBHOOKS)[number]): Json {
  return {
    operationId: id,
    tags: ['webhooks'],
    summary,
    description,
    parameters: WEBHOOK_HEADERS.map(([header, about, value]) => ({
      name: header,
      in: 'header',
      required: true,
      description: about,
      schema: { type: 'string' },
      example: value,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refer(name), example } },
    },
    responses: {
      '2XX': { description: 'The message was taken, within 10 seconds.' },
      '4XX': {
        description: '410 ends the webhook. After everything else, also redirects and 5xx, the message comes again.',
      },
    },
  };
}

/** The limits for programs; the page for authors shows them. */
function presentLimits({ name, setting }: NonNullable<Operation['limit']>, limits: Limits): Json[] {
  return [
    { name, per: 'device', requests: limits[setting], seconds: 60 },
    { name: `${name}-address`, per: 'address', requests: limits.perAddress.reads, seconds: 60 },
  ];
}

function nameExamples(examples: NonNullable<Operation['answers'][number]['examples']>): Json {
  return Object.fromEntries(Object.entries(examples).map(([kind, value]) => [kind, { value }]));
}

function describeLimit({ name, setting, areSigned }: NonNullable<Operation['limit']>, limits: Limits): string {
  const signed = areSigned
    ? ` With a nonce it gets ${limits.verdictsPerTenSeconds} answers in ten seconds (\`verdict\`).`
    : '';
  return `An address may ask ${limits[setting]} times a minute about one device (\`${name}\` in \`RateLimit\`), and ${limits.perAddress.reads} times about all devices together (\`${name}-address\`).${signed}`;
}

/** Makes one response for each status, with an example for each code that has this status. */
function presentProblems(codes: readonly ErrorCode[], limited: readonly (keyof typeof HEADERS)[]): Json {
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const alike = codes.filter((code) => ERRORS[code].status === status);
      return [
        status,
        {
          description: alike.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
          headers: referHeaders(isRetryable(status) ? [...limited, 'Retry-After'] : limited),
          content: {
            'application/problem+json': {
              schema: refer('Problem'),
              examples: Object.fromEntries(alike.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ];
    }),
  );
}

function referHeaders(others: readonly (keyof typeof HEADERS)[]): Json {
  const names = ['API-Version', 'Deprecation', 'Sunset', ...others];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function presentExample(code: ErrorCode, baseUrl: string): Json {
  const { status, title } = ERRORS[code];
  const problem = { type: `${baseUrl}${PAGES.errors}#${code}`, title, status, code, retryable: isRetryable(status) };
  return { summary: title, value: { ...problem, ref: '0b2c6f0e9d3a4e1f8a7b6c5d4e3f2a1b', now: 1_800_000_000_000 } };
}

function isRetryable(status: number): boolean {
  return status === 429 || status === 503;
}
