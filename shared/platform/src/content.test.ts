import { expect, test } from 'vitest';
import { readVideoLink } from './content.ts';

const embed = (link: string) => (link.startsWith('https://video.example/') ? `${link}?embed` : undefined);

test('trims the video link', () => {
  expect(readVideoLink(' https://video.example/1\n', embed)).toBe('https://video.example/1');
});

test.each(['', 'Updating', 'https://evil.example/1', 'javascript:alert(1)'])('rejects %j as a video link', (text) => {
  expect(() => readVideoLink(text, embed)).toThrow();
});
