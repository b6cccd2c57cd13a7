import { expect, test, vi } from 'vitest';
import { toEmbedUrl, toTikTokEmbedUrl, toVideoLength } from './video-facade.tsx';

const PLAYER = 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1&wmode=transparent&rel=0&modestbranding=1';

test.each([
  'https://youtu.be/aqz-KE-bpKQ',
  'https://youtu.be/aqz-KE-bpKQ?si=tracking&t=12',
  'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
  'https://m.youtube.com/watch?list=PL1&v=aqz-KE-bpKQ',
  'https://www.youtube.com/embed/aqz-KE-bpKQ?start=3',
  'https://www.youtube.com/shorts/aqz-KE-bpKQ',
  'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ',
])('threat 35: %s becomes the embed URL without cookies', (link) => {
  expect(toEmbedUrl(link)).toBe(PLAYER);
});

test.each([
  'javascript:alert(1)//youtu.be/aqz-KE-bpKQ',
  'javascript://youtu.be/aqz-KE-bpKQ',
  'data:text/html,aqz-KE-bpKQ',
  'https://youtu.be.evil.example/aqz-KE-bpKQ',
  'https://evil.example/watch?v=aqz-KE-bpKQ',
  'https://youtube.com@evil.example/watch?v=aqz-KE-bpKQ',
  'https://www.youtube.com/channel/aqz-KE-bpKQ',
  '//youtu.be/aqz-KE-bpKQ',
  '',
])('threat 35: rejects %j as a video link', (link) => {
  expect(toEmbedUrl(link)).toBeUndefined();
});

test.each([
  'https://youtu.be/short',
  'https://youtu.be/aqz-KE-bpKQtoolong',
  'https://youtu.be/aqz-KE-bpK"',
  'https://www.youtube.com/watch?v=',
])('threat 35: rejects %s, without an id of eleven characters', (link) => {
  expect(toEmbedUrl(link)).toBeUndefined();
});

test('threat 35: a TikTok link becomes the URL of its player', () => {
  expect(toTikTokEmbedUrl('https://www.tiktok.com/@arceusx/video/7301234567890123456?lang=en')).toBe(
    'https://www.tiktok.com/player/v1/7301234567890123456?autoplay=1&rel=0',
  );
});

test.each([
  'https://www.tiktok.com/@arceusx',
  'https://tiktok.evil.example/@a/video/7301234567890123456',
  'javascript:alert(1)',
])('threat 35: rejects %s as a TikTok link', (link) => {
  expect(toTikTokEmbedUrl(link)).toBeUndefined();
});

test('a link is parsed in browsers without URL.canParse', () => {
  vi.stubGlobal('URL', class extends URL {});
  Object.defineProperty(URL, 'canParse', { value: undefined });

  expect(toEmbedUrl('https://youtu.be/aqz-KE-bpKQ')).toBe(PLAYER);
  expect(toEmbedUrl('//youtu.be/aqz-KE-bpKQ')).toBeUndefined();
});

test.each([
  ['https://youtu.be/DemoVideo01#1:24', '1:24'],
  ['https://youtu.be/DemoVideo01#12:05', '12:05'],
  ['https://youtu.be/DemoVideo01', undefined],
  ['https://youtu.be/DemoVideo01#soon', undefined],
])('the video length in %s is %s, and the link is valid either way', (link, length) => {
  expect(toVideoLength(link)).toBe(length);
  expect(toEmbedUrl(link)).toContain('/embed/DemoVideo01?');
});
