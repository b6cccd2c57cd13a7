import configs from '../../../remotes/marketing/rspack.config.ts';

/** Builds the unit without the bundle that its pages are rendered with. */
export default configs
  .filter(({ name }) => !name?.endsWith(' server'))
  .map((config) => ({ ...config, dependencies: [] }));
