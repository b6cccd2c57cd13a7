declare module 'remote-of-this-unit' {
  import type { RemoteModule } from '@app/platform';

  const remote: RemoteModule;
  export default remote;
}

/** Of Vite, for tests. */
interface ImportMeta {
  glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
}
