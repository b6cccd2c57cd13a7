import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import { onTestFinished } from 'vitest';
import { migrate } from '#api/foundation/db/migrate.ts';
import { withDialect } from '#api/foundation/db/open-db.ts';
import { sqlite } from '#api/foundation/db/sqlite/sqlite.ts';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { createReleaseHealth } from '#api/delivery/store/release-health.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';
import { createPrerendering } from '#api/delivery/rendering/prerendering.ts';
import type { RenderPages } from '#api/delivery/rendering/render-pages.ts';
import type { AskForIdToken } from '#api/ops/release/remote-site.ts';
import { runRelease } from '#api/ops/release/run-release.ts';
import { createTestApi } from '#api/test/create-test-api.ts';
import { makeFolder } from '#api/test/make-folder.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';
import { SITE_SETTINGS } from '#api/test/delivery/site-settings.ts';

/** A site with its store, and the terminals of its operator and of the team of `tools`. */
export async function openReleaseTerminal(renderPages?: RenderPages) {
  const db = withDialect(sqlite(':memory:'));
  await migrate(db);
  onTestFinished(() => db.destroy());
  const store = await openReleaseStore(makeFolder());
  const health = createReleaseHealth(store.folder, () => undefined);
  const registry = await openRegistry(db, health.inspect);
  const prerendering =
    renderPages && createPrerendering({ releases: store, renderPages, settings: SITE_SETTINGS, warn: () => undefined });
  const api = await createTestApi({ db, releases: { registry, store, health, prerendering } });
  const tokenOf = async (unit: Unit) => {
    const made = await createDeployToken({ db }, { unit, label: `${unit} CI`, days: 1 }, { by: 'ada', at: api.now() });
    return made?.token;
  };
  const tools = await tokenOf('tools');
  let built: string | undefined;
  const waits: number[] = [];
  let passed = 0;
  let meanwhile = () => Promise.resolve();

  async function run(argv: readonly string[], token: string | AskForIdToken | undefined) {
    const said = { out: '', err: '' };
    const code = await runRelease(argv, {
      open: () =>
        Promise.resolve({ db, store, prerendering, now: api.now, user: 'ada', close: () => Promise.resolve() }),
      token: () => token,
      build: (_unit, use) => use(built ?? '/nowhere'),
      wait(seconds) {
        waits.push(seconds);
        passed += seconds;
        return meanwhile();
      },
      clock: () => passed,
      out: (text) => (said.out += `${text}\n`),
      err: (text) => (said.err += `${text}\n`),
    });
    return { code, out: said.out.trimEnd(), err: said.err.trimEnd() };
  }

  return {
    api,
    registry,
    store,
    health,
    tokenOf,
    /** How long commands have waited for the site, in seconds. They wait in no time. */
    waits,
    /** What happens while a command waits. */
    onWait: (act: () => Promise<void>) => void (meanwhile = act),
    /** Lets seconds pass on the clock of the commands. */
    pass: (seconds: number) => void (passed += seconds),
    /** Types a command on the site's own machine. */
    type: (...argv: string[]) => run(argv, undefined),
    /** Types a command on a machine of the team of `tools`. */
    typeTo: (...argv: string[]) => run([...argv, '--to', api.origin], tools),
    /** Types a command with another token. */
    typeWith: (token: string | AskForIdToken | undefined, ...argv: string[]) =>
      run([...argv, '--to', api.origin], token),
    /** Types a command with the address of another site. */
    typeAt: (to: string, ...argv: string[]) => run([...argv, '--to', to], tools),
    /** Makes a release, which `publish` and `check` then find as built. */
    build: (version: string, changes: Partial<Release> = {}, unit = 'tools'): string => {
      built = makeFolder();
      for (const [name, content] of makeRelease(unit, version, changes)) {
        mkdirSync(dirname(join(built, name)), { recursive: true });
        writeFileSync(join(built, name), content);
      }
      return built;
    },
  };
}
