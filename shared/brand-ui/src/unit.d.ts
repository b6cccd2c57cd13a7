declare module 'remote-of-this-unit' {
  import type { RemoteModule } from '@app/platform';

  const remote: RemoteModule;
  export default remote;
}
