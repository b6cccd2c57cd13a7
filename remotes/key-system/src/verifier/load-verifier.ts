import { afterFirstPaint } from '@app/platform';

/** Loads the verifier of keys, which no first view needs. */
export async function loadVerifier() {
  await afterFirstPaint();
  return import(/* webpackChunkName: "verifier" */ './verifier.ts');
}
