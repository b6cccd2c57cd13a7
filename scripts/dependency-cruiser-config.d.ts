declare module '*.dependency-cruiser.mjs' {
  import type { IConfiguration } from 'dependency-cruiser';
  const config: IConfiguration;
  export default config;
}
