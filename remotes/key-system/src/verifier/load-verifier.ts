import { afterFirstPaint } from '@app/platform';

export async function loadVerifier() {
  await afterFirstPaint();
  return import(/* webpackChunkName: "verifier" */ './verifier.ts');
}
