import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, relative } from 'node:path';
import { EDITING_PATH } from '../../shared/contracts/src/working-copy.ts';

export const ERRORS_PATH = `${EDITING_PATH}/errors`;

const MAX_BYTES = 64 * 1024;

const CONTEXT_LINES = 2;

/** A place in a script, as browsers write it into stacks: its address, line and column. */
const POSITION_PATTERN = /\bhttps?:\/\/[^\s/()]+(\/[^\s()?#]*?)(?:\?[^\s():]*)?:(\d+):(\d+)/g;

/** Where the source map of a script is, and the folder that was built, to which the sources are relative. */
export type FindMap = (path: string) => { map: string; context: string } | undefined;

/** Code that no developer of a unit edits. */
const FOREIGN_PATTERN = /(^|\/)node_modules\/|\bwebpack\/(bootstrap$|runtime\/)/;

/**
 * Makes what answers a page that tells what was thrown there: with the places in the sources, which it also says.
 * @param findMap is given the path of a script's address
 */
export function createErrorsAnswer(findMap: FindMap, say: (text: string) => void) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.method !== 'POST') return void res.writeHead(405).end();

    const text = nameSources(await readStart(req), findMap);
    say(text);
    res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
  };
}

/** Names the sources in the stack of an error, and shows the lines around the first that is no package's. */
function nameSources(stack: string, findMap: FindMap): string {
  const maps = new Map<string, ReturnType<typeof readMap>>();
  let lines = '';
  const named = stack.replaceAll(POSITION_PATTERN, (found, path: string, line: string, column: string) => {
    if (!maps.has(path)) maps.set(path, readMap(findMap(path)));
    const map = maps.get(path);
    const entry = map?.places.findEntry(Number(line) - 1, Number(column) - 1);
    if (!map || !entry || !('originalSource' in entry)) return found;

    const { originalSource, originalLine, originalColumn } = entry;
    const source = relative('', join(map.context, originalSource.replace(/^webpack:\/\/[^/]*\//, '')));
    const place = `${source}:${originalLine + 1}:${originalColumn + 1}`;
    if (lines === '' && !FOREIGN_PATTERN.test(source)) {
      const content = map.sourcesContent?.[map.sources.indexOf(originalSource)] ?? '';
      lines = `\n\n${place}\n${excerptAround(content, originalLine)}`;
    }
    return place;
  });
  return withoutControls(named + lines);
}

function readMap(found: ReturnType<FindMap>) {
  if (!found) return undefined;
  try {
    const payload = JSON.parse(readFileSync(found.map, 'utf8')) as SourceMapPayload;
    return { ...payload, context: found.context, places: new SourceMap(payload) };
  } catch {
    // A build may be writing it.
    return undefined;
  }
}

function excerptAround(content: string, marked: number): string {
  const first = Math.max(0, marked - CONTEXT_LINES);
  return content
    .split('\n')
    .slice(first, marked + CONTEXT_LINES + 1)
    .map((line, nth) => `${first + nth === marked ? '>' : ' '} ${String(first + nth + 1).padStart(4)} | ${line}`)
    .join('\n');
}

/** What was thrown may contain what anybody wrote, and must not steer the terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}

async function readStart(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let left = MAX_BYTES;
  for await (const part of req as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, left));
    left = Math.max(0, left - part.length);
  }
  return Buffer.concat(parts).toString('utf8');
}
