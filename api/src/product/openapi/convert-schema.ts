import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { MEMBERS } from './members.ts';

type Json = Record<string, unknown>;

export type Components = Record<string, Json>;

/** As generators understand it best: formats, discriminators, lists of codes that a later server may extend. */
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

export function convertBody(name: string, schema: v.GenericSchema): Components {
  return { [name]: refine(convert(schema, 'input'), name, false) };
}

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

/** Adds what our schemas do not say. @param isOpen whether a later server may have values that a list does not name */
function refine(schema: Json, path: string, isOpen: boolean): Json {
  const { const: only, enum: values, anyOf, properties, items, ...rest } = schema;
  const about = describeMember(path);
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
function describeMember(path: string): Json {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return path.includes('.') ? { ...MEMBERS[name], ...MEMBERS[path] } : {};
}

function toPascalCase(text: string): string {
  return text.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
