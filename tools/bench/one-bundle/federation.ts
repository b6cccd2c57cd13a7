/** Replaces the federation runtime in the build without federation. All remotes are part of the bundle. */
const remotes = import.meta.webpackContext('../../../remotes', { regExp: /^\.\/[^/]+\/src\/remote\.ts$/ });

/** The unit of each container. */
const units = new Map<string, string>();

// Where the runtime keeps its instances.
Object.assign(globalThis, { __FEDERATION__: { __INSTANCES__: [] } });

export class ModuleFederation {
  registerPlugins(): void {
    // Nothing is fetched.
  }

  initShareScopeMap(): void {
    // Nothing is shared.
  }

  registerRemotes(containers: readonly { name: string; entry: string }[]): void {
    for (const { name, entry } of containers) units.set(name, /\/releases\/([^/]+)/.exec(entry)?.[1] ?? '');
  }

  loadRemote(id: string): Promise<unknown> {
    const unit = units.get(id.replace(/\/remote$/, '')) ?? '';
    return Promise.resolve(remotes(`./${unit}/src/remote.ts`));
  }
}
