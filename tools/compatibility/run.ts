import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url));

/** What a tool did, in the words of the table. A tool that comes with the system tells its version. */
export interface Seen {
  does: string;
  version?: string;
}

/** Runs a tool, in the version of the table when it can be chosen. @throws NotThere when this machine has no such tool */
export type RunTool = (version: string) => Promise<Seen>;

export class NotThere extends Error {}

interface Row {
  tool: string;
  version: string;
  does: string;
  /** Its last column. */
  beside: string;
}

/** The rows of a table of docs/compatibility.md. */
export const readTable = (heading: string): Row[] => readRows(readFileSync(DOCS, 'utf8'), heading);

/**
 * Runs the tools of a table of docs/compatibility.md, and prints a line for each.
 * @param heading that above the table
 * @param tools by their names in the table
 * @param only the tool to run, or the beginning of the names of several; by default all
 * @returns whether each does what its row says. A tool without a row, and a row without a tool, are differences.
 */
export async function runTable(heading: string, tools: Record<string, RunTool>, only = ''): Promise<boolean> {
  const rows = readTable(heading);
  const all = new Set([...rows.map(({ tool }) => tool), ...Object.keys(tools)]);
  const names = all.has(only) ? [only] : [...all].filter((name) => name.startsWith(only));
  console.log(`\n${heading}`);
  if (names.length === 0) console.log(`  No row begins with ${only}.`);
  let isSame = names.length > 0;
  for (const tool of names) {
    const row = rows.find((row) => row.tool === tool) ?? {
      tool,
      version: '',
      does: 'it is not in the table',
      beside: '',
    };
    isSame = (await runRow(row, tools[tool])) && isSame;
  }
  return isSame;
}

async function runRow({ tool, version, does }: Row, run?: RunTool): Promise<boolean> {
  try {
    if (!run) throw new Error('nothing runs it');
    const seen = await run(version);
    const isSame = seen.does === does;
    console.log(`  ${isSame ? 'as told ' : 'changed '}  ${tool} ${seen.version ?? version}: ${seen.does}`);
    if (!isSame) console.log(`            the table says of ${version}: ${does}`);
    return isSame;
  } catch (error) {
    const isLeftOut = error instanceof NotThere;
    console.log(`  ${isLeftOut ? 'left out' : 'changed '}  ${tool} ${version}: ${String(error)}`);
    return isLeftOut;
  }
}

/** Reads the first table below a heading: a name and a version, what the tool does, and what stands beside it. */
export function readRows(text: string, heading: string): Row[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const lines = own.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => {
    const [, name = '', does = '', beside = ''] = line.split('|').map((cell) => cell.trim());
    const [, tool = name, version = ''] = /^(.+) (\S+)$/.exec(name) ?? [];
    return { tool, version, does, beside };
  });
}
