import type { Release } from '@app/contracts/release';
import type { Unit } from '@app/contracts/unit';
import { createDeployToken } from '#api/delivery/deploy-tokens/deploy-tokens.ts';
import { openRegistry } from '#api/delivery/registry/registry.ts';
import { createReleaseHealth } from '#api/delivery/store/release-health.ts';
import { openReleaseStore } from '#api/delivery/store/release-store.ts';
import type { AskForIdToken } from '#api/ops/release/remote-site.ts';
import { runRelease } from '#api/ops/release/run-release.ts';
import { createTestApi, openEmptyDb } from '#api/test/create-test-api.ts';
import { makeFolder, writeFiles } from '#api/test/make-folder.ts';
import { makeRelease } from '#api/test/delivery/pack-release.ts';

/** A site with its store, and the terminals of its operator and of the team of `tools`. Nothing is rendered ahead of time. */
export async function openReleaseTerminal() {
  const db = await openEmptyDb();
  const store = await openReleaseStore(makeFolder());
  const health = createReleaseHealth(store.folder, () => undefined);
  const registry = await openRegistry(db, health.inspect);
  const api = await createTestApi({ db, releases: { registry, store, health } });
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
      open: () => Promise.resolve({ db, store, now: api.now, user: 'ada', close: () => Promise.resolve() }),
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
    build: (version: string, changes: Partial<Release> = {}, unit = 'tools'): string =>
      (built = writeFiles(makeFolder(), makeRelease(unit, version, changes))),
  };
}
