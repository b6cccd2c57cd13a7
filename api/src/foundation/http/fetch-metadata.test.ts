import { expect, test } from 'vitest';
import { classifyNavigation } from './fetch-metadata.ts';

const ORIGIN = 'https://example.com';
const PAGE = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test.each([
  { what: 'a link of our own page', headers: { 'sec-fetch-site': 'same-origin', ...PAGE }, judgement: 'act' },
  { what: 'the address bar or an app', headers: { 'sec-fetch-site': 'none', ...PAGE }, judgement: 'act' },
  { what: 'a link of another site', headers: { 'sec-fetch-site': 'cross-site', ...PAGE }, judgement: 'ask' },
  { what: 'a link of a sister site', headers: { 'sec-fetch-site': 'same-site', ...PAGE }, judgement: 'ask' },
  { what: 'no metadata, our own referer', headers: { referer: 'https://example.com/key-system-1' }, judgement: 'act' },
  {
    what: 'no metadata, our name inside a foreign referer',
    headers: { referer: 'https://example.com.evil.example/' },
    judgement: 'ask',
  },
  {
    what: 'no metadata, a foreign origin that ends like our name',
    headers: { origin: 'https://evil-example.com' },
    judgement: 'ask',
  },
  { what: 'no metadata, a broken referer', headers: { referer: 'example.com' }, judgement: 'ask' },
  { what: 'nothing at all', headers: {}, judgement: 'ask' },
  { what: 'no metadata, our own origin', headers: { origin: 'https://example.com' }, judgement: 'act' },
  { what: 'no metadata, our name without encryption', headers: { origin: 'http://example.com' }, judgement: 'ask' },
  {
    what: 'an image',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    judgement: 'refuse',
  },
  {
    what: 'a frame',
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    judgement: 'refuse',
  },
  {
    what: 'a call by script',
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    judgement: 'refuse',
  },
  {
    what: 'a prefetch',
    headers: { 'sec-fetch-site': 'same-origin', ...PAGE, 'sec-purpose': 'prefetch' },
    judgement: 'refuse',
  },
  { what: 'an old prefetch', headers: { referer: 'https://example.com/', purpose: 'prefetch' }, judgement: 'refuse' },
])('classifies $what as: $judgement', ({ headers, judgement }) => {
  expect(classifyNavigation({ method: 'GET', headers }, ORIGIN)).toBe(judgement);
});

test.each([
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: `${ORIGIN}.evil.example` },
  { origin: 'https://evil.example', referer: `${ORIGIN}/plans` },
  { origin: 'null', referer: `${ORIGIN}/plans` },
  { referer: 'https://evil.example/example.com' },
  { 'sec-fetch-site': 'cross-site', ...PAGE, origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', ...PAGE, origin: 'null' },
  { 'sec-fetch-site': 'cross-site', ...PAGE, origin: ORIGIN },
  { 'sec-fetch-site': 'same-site', ...PAGE, origin: 'https://sister.example.com' },
])('threat 23: a form of another site has to be confirmed: %j', (headers) => {
  expect(classifyNavigation({ method: 'POST', headers }, ORIGIN)).toBe('ask');
});

test.each([
  ['POST', 'act'],
  ['HEAD', 'refuse'],
  ['PUT', 'refuse'],
])('classifies a same-origin %s as: %s', (method, judgement) => {
  expect(classifyNavigation({ method, headers: { 'sec-fetch-site': 'same-origin', ...PAGE } }, ORIGIN)).toBe(judgement);
});
