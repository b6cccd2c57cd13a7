import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { MEMBERS } from './members.ts';

type Json = Record<string, unknown>;

/** The components of a document: each name with its JSON Schema. */
export type Components = Record<string, Json>;

/**
 * Converts the schema of an answer in the way that generators of clients understand best: integers with formats, unions
 * with a discriminator and a component for each member, and lists of codes that a client may find longer.
 */
export function convertAnswer(name: string, schema: v.GenericSchema): Components {
  const whole = convert(schema, 'output');
  const branches = (whole['oneOf'] ?? []) as { properties: { status: { const: string } } }[];
  if (branches.length === 0) return { [name]: refine(whole, name, true) };

  const named = branches.map((branch) => {
    const status = branch.properties.status.const;
    return { status, component: `Key${toPascalCase(status)}`, branch };
  });
  return {
    [name]: {
      oneOf: named.map(({ component }) => refer(component)),
      discriminator: {
        propertyName: 'status',
        mapping: Object.fromEntries(named.map(({ status, component }) => [status, pointTo(component)])),
      },
    },
    ...Object.fromEntries(named.map(({ component, branch }) => [component, refine(branch, component, true)])),
  };
}

/** Converts the schema of a body. */
export function convertBody(name: string, schema: v.GenericSchema): Components {
  return { [name]: refine(convert(schema, 'input'), name, false) };
}

/** Lists the parameters of a query. */
export function convertQuery(schema: v.GenericSchema): Json[] {
  const { properties, required } = refine(convert(schema, 'input'), 'query', false) as {
    properties: Record<string, Json>;
    required: string[];
  };
  return Object.entries(properties).map(([name, { description, examples, ...member }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema: member,
    example: (examples as unknown[])[0],
  }));
}

export function refer(name: string): Json {
  return { $ref: pointTo(name) };
}

function pointTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Converts a schema to JSON Schema, without `$schema`: the document names the dialect once. */
function convert(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  return Object.fromEntries(
    Object.entries(toJsonSchema(schema, { typeMode, ignoreActions: ['transform', 'check'] })).filter(
      ([member]) => member !== '$schema',
    ),
  );
}

/**
 * Adds what our schemas do not say.
 * @param path the component, then the members that lead here
 * @param isOpen whether a later server may have other values than those that a list names
 */
function refine(schema: Json, path: string, isOpen: boolean): Json {
  const { const: only, enum: values, anyOf, properties, items, ...rest } = schema;
  const about = aboutMember(path);
  const isDiscriminator = path.endsWith('.status');

  if (anyOf) {
    const [inner = {}] = (anyOf as Json[]).filter(({ type }) => type !== 'null');
    const refined: Json = refine(inner, path, isOpen);
    return { ...rest, ...refined, type: [refined['type'], 'null'] };
  }
  // Some generators read one of the two alone.
  if (only !== undefined && isDiscriminator) return { type: 'string', const: only, enum: [only] };
  if (only !== undefined || values)
    return {
      type: 'string',
      ...(isOpen ? { 'x-extensible-enum': values ?? [only] } : { enum: values }),
      ...rest,
      ...about,
    };
  if (rest['type'] === 'number') return { ...rest, type: 'integer', format: 'int32', ...about };

  return {
    ...rest,
    ...(items !== undefined && { items: refine(items as Json, `${path}[]`, isOpen) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, member]) => [
          name,
          refine(member, `${path}.${name}`, isOpen),
        ]),
      ),
    }),
    ...about,
  };
}

/** What is known of a member: by its name, and by its whole path. */
function aboutMember(path: string): Json {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return path.includes('.') ? { ...MEMBERS[name], ...MEMBERS[path] } : {};
}

function toPascalCase(text: string): string {
  return text.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
