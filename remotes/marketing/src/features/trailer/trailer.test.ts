import { SHORT_VIDEO, TRAILER } from '@app/contracts/brand';
import { toEmbedUrl, toTikTokEmbedUrl } from '@app/design-system/video-facade';
import { expect, test } from 'vitest';

test('each fallback is a playable video link', () => {
  expect(toEmbedUrl(TRAILER.fallback)).toContain('DemoVideo01');
  expect(toTikTokEmbedUrl(SHORT_VIDEO.fallback)).toContain('7000000000000000001');
});
