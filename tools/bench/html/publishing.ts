import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { repeatedly } from '../../../api/src/ops/progress.ts';
import { RSPACK } from '../../units/build-outdated.ts';
import { buildRelease } from '../../units/build-release.ts';
import { run } from '../../machine/run.ts';
import { median } from '../measure/median.ts';
import { untilRendered } from '../pages/bench-pages.ts';
import { startSite } from '../measure/servers.ts';
import type { Row } from '../measure/table.ts';

const TURNS = 5;
const UNIT = 'marketing';
/** Builds the unit without what its pages are rendered with. */
const WITHOUT_SERVER_BUNDLE = 'tools/bench/html/client-rendered.config.ts';

/** A publication whose pages are rendered takes at most so many times as long. */
const BAR = 1.5;

type Variant = 'rendered' | 'client';

/** What a team waits for, in milliseconds. */
interface Waits {
  buildMs: number;
  publishMs: number;
}

/**
 * Measures how long a team waits when it builds its unit and publishes it to a site, in turns with the same unit
 * without a server bundle, so that none of its pages is rendered.
 */
export async function benchPublishing(): Promise<Row[]> {
  const waits: Record<Variant, Waits[]> = { rendered: [], client: [] };
  await repeatedly('Publishing', TURNS, async () => {
    for (const variant of ['rendered', 'client'] as const) waits[variant].push(await buildThenPublish(variant));
  });

  const of = (variant: Variant, measure: (waits: Waits) => number) => median(waits[variant].map(measure));
  const compare = (measure: string, read: (waits: Waits) => number) => {
    const [rendered, client] = [of('rendered', read), of('client', read)];
    return { measure, rendered, client, ratio: rendered / client };
  };
  const whole = compare('bothMs', ({ buildMs, publishMs }) => buildMs + publishMs);
  return [
    { ...compare('buildMs', ({ buildMs }) => buildMs), bar: '', verdict: '' },
    { ...compare('publishMs', ({ publishMs }) => publishMs), bar: '', verdict: '' },
    { ...whole, bar: BAR, verdict: whole.ratio > BAR ? 'missed' : 'held' },
  ];
}

async function buildThenPublish(variant: Variant): Promise<Waits> {
  const out = mkdtempSync(join(tmpdir(), 'bench-publishing-'));
  const site = await startSite();
  const type = (words: string[], settings: NodeJS.ProcessEnv) =>
    execFileSync(process.execPath, ['dist/api/release.js', ...words], {
      env: { ...process.env, NODE_ENV: 'development', ...settings },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  try {
    await untilRendered(`${site.url}/v5`);
    const created = type(['token', 'create', UNIT, '--for', 'bench'], { DATA_DIR: site.dataDir });
    const RELEASE_TOKEN = /deploy_\S+/.exec(created)?.[0];

    const startedAt = performance.now();
    const built = await build(variant, out);
    const builtAt = performance.now();
    type(['publish', UNIT, '--from', built, '--to', site.url], { RELEASE_TOKEN });
    return { buildMs: builtAt - startedAt, publishMs: performance.now() - builtAt };
  } finally {
    await site.stop();
    rmSync(out, { recursive: true });
  }
}

/** @returns the folder of the release */
async function build(variant: Variant, out: string): Promise<string> {
  if (variant === 'rendered') return buildRelease(UNIT, out, { output: process.stderr });

  await run(process.execPath, [resolve(RSPACK), 'build', '--config', resolve(WITHOUT_SERVER_BUNDLE)], {
    cwd: join('remotes', UNIT),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, RELEASE_VERSION: undefined, RELEASE_OUT: out },
  });
  const [version = ''] = readdirSync(join(out, UNIT));
  return join(out, UNIT, version);
}
