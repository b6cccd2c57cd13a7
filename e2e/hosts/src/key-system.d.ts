declare module 'key-system/remote' {
  import type { RemoteModule } from '@app/platform';

  const remote: RemoteModule;
  export default remote;
}
