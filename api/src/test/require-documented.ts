import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { DEFAULT_LIMITS } from '#api/product/limits/limits.ts';
import { buildDocument } from '#api/product/openapi/document.ts';

type Json = Record<string, unknown>;

interface DescribedResponse {
  examples: Record<string, unknown>;
}

interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, DescribedResponse> }> }>>;
}

const DOCUMENT = buildDocument('https://site.example', DEFAULT_LIMITS) as unknown as ApiDocument;
const formats = { int32: true, int64: true, uri: (text: string) => URL.canParse(text) } as const;
const ajv = new Ajv2020({ strict: false, formats }).addSchema(closeObjects(DOCUMENT) as Json, 'reference');
const validators = new Map<string, ValidateFunction>();

/**
 * Checks an answer of the API against the reference, so every test of the API tests the reference as well. Members that
 * the reference does not name are refused, too.
 * @throws Error when a status, media type, member or code is not in the reference
 */
export async function requireDocumented(method: string, path: string, answer: Response): Promise<void> {
  const operation = DOCUMENT.paths[path]?.[method.toLowerCase()];
  if (!operation) return;

  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const what = `${method} ${path} ${answer.status} ${type}`;
  const described = operation.responses[answer.status]?.content[type];
  if (!described) throw new Error(`The reference does not know ${what}`);

  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(answer.status), 'content', type, 'schema'];
  const validate = validators.get(what) ?? ajv.compile({ $ref: `reference#/${pointer.map(escapePointer).join('/')}` });
  validators.set(what, validate);
  const body: unknown = await answer.clone().json();
  const { code } = body as { code?: string };
  // Each code that a call can be refused with is an example.
  if (type === 'application/problem+json' && !(String(code) in described.examples))
    throw new Error(`${what} is not as the reference says: no word of ${code}`);
  if (!validate(body))
    throw new Error(
      `${what} is not as the reference says: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`,
    );
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Clients ignore members and values that they do not know; here each of them has to be documented. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;

  const closed = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name === 'x-extensible-enum' ? 'enum' : name, closeObjects(part)]),
  );
  const isObject = [closed['type']].flat().includes('object') && Object.keys(closed['properties'] ?? {}).length > 0;
  return isObject ? { ...closed, additionalProperties: false } : closed;
}
