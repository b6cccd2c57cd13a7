import { API_VERSION, API_VERSIONS } from '@app/contracts/api-version';
import { PRODUCT } from '@app/contracts/brand';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@app/contracts/errors';
import { problemSchema } from '@app/contracts/problem';
import { PAGES, runPagePath } from '@app/contracts/pages';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { OPERATIONS, type Operation } from './operations.ts';

type Json = Record<string, unknown>;

/** What changed for apps, the newest first. */
const CHANGES = [
  ['2026-11-26', '`nonce` and `verdict` of `POST /api/key/verify`: an answer that a script can trust.'],
  ['2026-11-26', 'An unknown version is refused with `request.version`; before, with `request.invalid`.'],
  ['2026-11-21', 'Version 1.'],
] as const;

const ABOUT = `What apps ask this server. Open the page \`${runPagePath('main', 1)}?hwid=…&zone=…\` (the companion: \`${runPagePath('companion', 1)}?hwid=…&zone=…\`) for the visitor, then ask for the key. The whole way, with samples, is told at \`${PAGES.developers}\`.

Times are epoch milliseconds by the server's clock. A later server may add members to its answers, and codes to its lists: pass over what you do not know.

## Versions
A program names the version it was written for in the header \`API-Version\`. When a version comes that would break it, the server goes on to speak the one before: \`Deprecation\` (RFC 9745) then says since when to leave it, and \`Sunset\` (RFC 8594) when it ends. After that the answer is \`request.version\`, with the versions that there are in \`supported\`.

${CHANGES.map(([day, change]) => `- ${day}: ${change}`).join('\n')}`;

/** Every call can be refused with these codes, and with those of the server's own failures. */
const EVERYWHERE: readonly ErrorCode[] = [
  'request.invalid',
  'request.version',
  'KS_LIMIT',
  ...errorCodes().filter((code) => code.startsWith('server.')),
];

const VERSION_HEADER = {
  'API-Version': { description: 'The version that the answer speaks.', schema: { type: 'string' } },
  Deprecation: {
    description: 'Since when this version should be left, as `@` and seconds since 1970. Only where it ends.',
    schema: { type: 'string' },
  },
  Sunset: { description: 'When this version ends, as an HTTP date. Only where it ends.', schema: { type: 'string' } },
};
const RETRY_HEADER = {
  'Retry-After': { description: 'How many seconds to wait before the next try.', schema: { type: 'integer' } },
};
const VERSION_PARAMETER = {
  name: 'API-Version',
  in: 'header',
  description: 'The version that you understand. Without it you get the oldest one that the server speaks.',
  schema: { enum: API_VERSIONS.map(({ version }) => version) },
};

/** An error answer, with all codes that there are. */
const PROBLEM = v.object({ ...problemSchema.entries, code: v.picklist(ERROR_CODES) });

/**
 * Builds the reference for app authors, in OpenAPI 3.1.
 * @param baseUrl the site's own origin
 */
export function buildDocument(baseUrl: string): Json {
  const answers = OPERATIONS.flatMap((operation) => operation.answers);

  return {
    openapi: '3.1.0',
    info: { title: `${PRODUCT.label} for app authors`, version: API_VERSION, description: ABOUT },
    servers: [{ url: baseUrl }],
    externalDocs: { url: `${baseUrl}${PAGES.developers}` },
    paths: Object.fromEntries(
      OPERATIONS.map((operation) => [operation.path, { [operation.method]: presentOperation(operation) }]),
    ),
    components: {
      schemas: {
        ...Object.fromEntries(answers.map(({ name, schema }) => [name, convert(schema, 'output')])),
        Problem: convert(PROBLEM, 'output'),
      },
    },
  };
}

function presentOperation({ id, summary, description, query, body, answers, errors }: Operation): Json {
  return {
    operationId: id,
    summary,
    description,
    parameters: [...(query ? presentQuery(query) : []), VERSION_PARAMETER],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: convert(body, 'input') } } },
    }),
    responses: {
      ...presentProblems([...errors, ...EVERYWHERE]),
      ...Object.fromEntries(
        answers.map(({ status, description: what, name, type = 'application/json' }) => [
          status,
          { description: what, headers: VERSION_HEADER, content: { [type]: { schema: refer(name) } } },
        ]),
      ),
    },
  };
}

function presentQuery(query: NonNullable<Operation['query']>): Json[] {
  const { properties = {}, required = [] } = convert(query, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** Makes one response for each status, which names the codes with this status. */
function presentProblems(codes: readonly ErrorCode[]): Json {
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      presentProblem(
        status,
        codes.filter((code) => ERRORS[code].status === status),
      ),
    ]),
  );
}

function presentProblem(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    headers: { ...VERSION_HEADER, ...((status === 429 || status === 503) && RETRY_HEADER) },
    content: {
      'application/problem+json': {
        schema: { ...refer('Problem'), properties: { code: { enum: codes }, status: { const: status } } },
      },
    },
  };
}

function refer(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Converts a schema to JSON Schema, without `$schema`: the document names the dialect once. */
function convert(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  return Object.fromEntries(
    Object.entries(toJsonSchema(schema, { typeMode })).filter(([member]) => member !== '$schema'),
  );
}

function errorCodes(): ErrorCode[] {
  return Object.keys(ERRORS) as ErrorCode[];
}
