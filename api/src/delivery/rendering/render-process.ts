import { createReadStream, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import { compileFunction, runInThisContext } from 'node:vm';
import type { PageHtml } from '#api/delivery/store/rendered-store.ts';
import type { RenderOrder, RenderedPage } from './render-pages.ts';

/** The file descriptor for the answer. Console output of a page goes elsewhere. */
const ANSWER_FD = 3;

/** How much of an error is answered, in characters: more than is shown of it. */
const MAX_ANSWERED = 10_000;

interface ServerBundle {
  default?: unknown;
  sharedPackages?: Record<string, { lib: () => unknown }>;
  renderPage?: (remote: unknown, page: object) => Promise<string>;
}

/** The source map of each bundle, by its name in stacks. */
const sourceMaps = new Map<string, string>();

type RunBundle = (module: object, exports: object, require: (name: string) => unknown) => void;

/** The whole program of the process: reads an order as JSON, runs the code in it, answers with the HTML of pages. */
async function main(): Promise<void> {
  const { shell, remote, translations, pages, devices, settings, maxMs } = JSON.parse(
    await text(createReadStream('', { fd: 0 })),
  ) as RenderOrder & { maxMs: number };
  // The server may have died, and then does not end it.
  setTimeout(process.exit.bind(process, 1), maxMs);
  for (const script of translations) runInThisContext(script, { filename: 'translations' });
  const { sharedPackages = {}, renderPage } = runBundle(shell, (name) => {
    throw new Error(`The shell has no package ${name}`);
  });
  const remoteModule = runBundle(remote, (name) => {
    const shared = sharedPackages[name];
    if (!shared) throw new Error(`The shell does not share ${name}`);
    return shared.lib();
  }).default;
  if (!renderPage) throw new Error('The shell cannot render pages');

  const rendered: RenderedPage[] = [];
  for (const path of pages) {
    const { unit, version } = remote;
    try {
      const html: PageHtml = { none: '' };
      let isAsked = false;
      for (const known of devices) {
        const device = () => {
          isAsked = true;
          return known;
        };
        const written = await renderPage(remoteModule, { path, unit, version, settings, device });
        if (written !== html.none) html[known] = written;
        // A page that does not ask is the same for all addresses.
        if (!isAsked) break;
      }
      rendered.push({ path, html });
    } catch (error) {
      rendered.push({ path, problem: describeError(error) });
    }
  }
  writeAnswer({ rendered });
}

function runBundle(
  { code, map, unit, version }: RenderOrder['shell'],
  require: (name: string) => unknown,
): ServerBundle {
  if (map !== undefined) sourceMaps.set(`${unit}@${version}`, map);
  const module = { exports: {} as ServerBundle };
  const run = compileFunction(code, ['module', 'exports', 'require'], { filename: `${unit}@${version}` }) as RunBundle;
  run(module, module.exports, require);
  return module.exports;
}

/** Answers with one line. After it this process is no longer needed, whatever a page has left running. */
function writeAnswer(value: object): void {
  writeFileSync(ANSWER_FD, `${JSON.stringify(value)}\n`);
}

function describeError(error: unknown): string {
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // The names of sources may be long as well.
  return [...sourceMaps].reduce(mapStack, said.slice(0, MAX_ANSWERED)).slice(0, MAX_ANSWERED);
}

/** Names the sources in a stack: `tools@1.0.0:1:2900` becomes `tools@1.0.0/src/page.tsx:12:5`. */
function mapStack(stack: string, [release, text]: [string, string]): string {
  const place = new RegExp(`(?<![\\w-])${release.replaceAll('.', '\\.')}:(\\d+):(\\d+)`, 'g');
  if (!place.test(stack)) return stack;
  try {
    const map = new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
    return stack.replaceAll(place, (found, line, column) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in entry)) return found;
      const { originalSource, originalLine, originalColumn } = entry;
      return `${release}/${originalSource.replace(/^(\.\.?\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`;
    });
  } catch {
    // Without a valid map the stack stays as it is.
    return stack;
  }
}

main().catch((error: unknown) => writeAnswer({ problem: describeError(error) }));
