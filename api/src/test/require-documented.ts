import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildDocument } from '#api/product/openapi/document.ts';

type Json = Record<string, unknown>;

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, unknown> }> }>>;
}

const DOCUMENT = buildDocument('https://site.example') as unknown as Documented;
const ajv = new Ajv2020({ strict: false }).addSchema(closeObjects(DOCUMENT) as Json, 'reference');
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
  if (!operation.responses[answer.status]?.content[type]) throw new Error(`The reference does not know ${what}`);

  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(answer.status), 'content', type, 'schema'];
  const validate = validators.get(what) ?? ajv.compile({ $ref: `reference#/${pointer.map(escapePointer).join('/')}` });
  validators.set(what, validate);
  const body: unknown = await answer.clone().json();
  if (!validate(body))
    throw new Error(
      `${what} is not as the reference says: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`,
    );
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Clients ignore members that they do not know; here each member has to be documented. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;

  const closed = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closeObjects(part)]));
  const isObject = closed['type'] === 'object' && Object.keys(closed['properties'] ?? {}).length > 0;
  return isObject ? { ...closed, additionalProperties: false } : closed;
}
